#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/decide/plan/placement_plan.hpp"
#include "grasp/decide/tolerances/lots.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"

namespace graspmap {
namespace {

/// Less than this share of an error is not worth a word.
constexpr double kWorthTelling = 0.001;
/// With fewer effective trials than this, an estimate says little.
constexpr double kFewTrials = 30;

std::string place(const PlacementPlan& plan, const PlacementVector& at) {
  return placement_text(at, plan.has_angle());
}

std::string error_text(const PlanQuestion& request) {
  const std::string words = error_words(*request.error);
  if (request.draws.empty() || !request.draws.front().noise) return words;
  const ErrorModel model = request.model();
  const bool has_x = has_spread(model, 0);
  const bool has_y = has_spread(model, 1);
  if (has_x && has_y) return words;
  if (!has_x && !has_y) return "the calibration's noise in x and y";
  return fmt::format("{} and the calibration's noise in {}", words, has_x ? "y" : "x");
}

/// "x from -1 to 1 mm"; just the value when there is one only.
std::string extent(const char* axis, double low, double high, const char* unit) {
  if (low == high) return fmt::format("{} = {:.6g} {}", axis, low, unit);
  return fmt::format("{} from {:.6g} to {:.6g} {}", axis, low, high, unit);
}

/// The largest box of placements as good as the best one.
std::string as_good_text(const PlacementPlan& plan, const PlannedPlacement& best) {
  const auto& [low, high] = best.as_good;
  if (low == high) return "No placement beside it is as good within the trials' uncertainty.\n";
  std::string text =
      fmt::format("Equally good within the trials' uncertainty is every placement with\n{}, {}",
                  extent("x", low[0], high[0], "mm"), extent("y", low[1], high[1], "mm"));
  if (plan.has_angle()) text += ", " + extent("theta", low[2], high[2], "rad");
  return text + fmt::format("\n(the largest {} of such placements that holds it).\n",
                            plan.has_angle() ? "box" : "rectangle");
}

std::string unknowns_text(const PlanQuestion& request, const PlannedPlacement& best) {
  if (!best.unknowns) return "";
  std::vector<std::string> things;
  const auto add = [&](const DeviceError& error, const std::string& whose) {
    if (error.offset_sigma_mm || error.offset_angle_sigma_rad) things.push_back(whose + "offset");
    if (!error.repeats) return;
    things.push_back(fmt::format("{}spread (from {} repeats)", whose, *error.repeats));
  };
  add(*request.error, "the ");
  if (request.error->camera) add(*request.error->camera, "the camera's ");
  if (!request.draws.empty()) {
    things.push_back(fmt::format("what {} leaves open", request.after));
  }
  return fmt::format(
      "Unknown but the same in each grasp: {}.\n"
      "In {} of the cases it lets {} of the grasps succeed. The interval above holds this\n"
      "and the chance of the trials, which alone leaves {}.\n"
      "Under the random part of the error alone {} of the grasps succeed.\n",
      fmt::join(things, ", "), given_percent(request.confidence),
      fine_percent_range(best.unknowns->worlds), fine_percent_range(best.unknowns->trials),
      fine_percent(best.unknowns->random_part_success, best.success.interval));
}

std::string noise_text(const PlacementPlan& plan) {
  if (!plan.has_noise) return "";
  return "The sweep's own placement noise is in these numbers; the positioning error comes on top "
         "of it.\n";
}

/// "wedged 3.1 %, missed 0.4 %": what keeps a placement from succeeding always.
std::string limits_text(const ExpectedSuccess& success) {
  std::vector<std::pair<double, std::string>> shares;
  for (const Outcome outcome : kOutcomes) {
    const double share = success.shares[static_cast<std::size_t>(outcome)];
    if (outcome != Outcome::kSuccess && share > 0) shares.emplace_back(share, name(outcome));
  }
  const double unknown = 1 - success.known_share;
  if (unknown > kWorthTelling) shares.emplace_back(unknown, "unknown");
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (const auto& [share, word] : shares) {
    if (share >= 0.00005) words.push_back(fmt::format("{} {}", word, percent(share, 2)));
  }
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", "));
}

std::string placements_table(const PlacementPlan& plan, const ErrorPlan& found) {
  std::vector<std::string> header{"placement", "x mm", "y mm"};
  if (plan.has_angle()) header.emplace_back("theta rad");
  for (const char* column : {"success", "interval", "other outcomes"}) header.emplace_back(column);
  TextTable table(header);
  int rank = 1;
  for (const PlannedPlacement& p : found.placements) {
    std::vector<std::string> row{rank == 1 ? "best" : fmt::format("{}", rank),
                                 fmt::format("{:.6g}", p.at[0]), fmt::format("{:.6g}", p.at[1])};
    if (plan.has_angle()) row.push_back(fmt::format("{:.4g}", p.at[2]));
    row.push_back(fine_percent(p.success.probability, p.success.interval));
    row.push_back(fine_percent_range(p.success.interval));
    row.push_back(limits_text(p.success));
    table.add(row);
    ++rank;
    if (p.unselected) {
      std::vector<std::string> other(header.size());
      other[0] = "  chosen by other trials";
      other[plan.has_angle() ? 4 : 3] = fine_percent(p.unselected->probability, p.success.interval);
      table.add(other);
    }
  }
  return fmt::format("\n{}", table.text());
}

/// What the estimate stands for, where the error is finer than the trials can show.
std::string judged_text(const PlannedPlacement& best) {
  if (!best.judged_with) return "";
  const auto [x, y, theta] = *best.judged_with;
  return fmt::format(
      ",\njudged with {:.3g} mm in x and {:.3g} mm in y{}: the trials are too sparse for less", x,
      y, theta > 0 ? fmt::format(", {:.3g} rad", theta) : "");
}

/// Whether the answer lies in what of the error lies beyond the map, whatever trials show.
bool map_is_too_small(const ExpectedSuccess& success, double reliable) {
  return success.probability < reliable && success.probability + success.outside_share >= reliable;
}

/// The command, or the settings, with which an answer would be known, where one is. Few trials of a
/// cell count for an error that is finer, with standard deviations `sigma`: on a map of that error
/// alone, in cells of its standard deviations, nearly all do.
std::string more_text(const PlacementPlan& plan, const PlannedPlacement& best,
                      const PlacementVector& sigma, double reliable) {
  constexpr double kSigmas = 4.0;
  constexpr std::array kKeys{std::pair{"x", "mm"}, std::pair{"y", "mm"}, std::pair{"theta", "rad"}};
  const double trials = best.success.effective_trials;
  const std::int64_t factor = trials_factor(best.success.probability * trials, trials, reliable);
  if (!plan.more || factor == 0) return "";
  const bool has_folder = !plan.more->folder.empty();
  const auto [line, set] = has_folder ? std::pair{" \\\n ", " --set "} : std::pair{"\n", " "};
  auto per_cell = static_cast<double>(factor * plan.more->per_cell);
  std::string map;
  for (std::size_t k = 0; k < 3; ++k) {
    const double cell = plan.axes[k].cell_size();
    if (!(sigma[k] > 0 && 2 * sigma[k] < cell)) continue;
    per_cell *= (best.judged_with ? (*best.judged_with)[k] : sigma[k]) / cell;
    map += line;
    for (const auto& [end, value] : {std::pair{"min", best.at[k] - kSigmas * sigma[k]},
                                     std::pair{"max", best.at[k] + kSigmas * sigma[k]}}) {
      map += fmt::format("{}placement.{}_{}_{}={:.6g}", set, kKeys[k].first, end, kKeys[k].second,
                         value);
    }
    map += fmt::format("{}placement.{}_cells={}", set, kKeys[k].first, 2 * kSigmas);
  }
  if (map.empty()) return more_trials_text(*plan.more, factor);
  const std::string trials_per_cell =
      has_folder ? fmt::format("{} run {} --out {} --trials-per-cell ", plan.more->program,
                               shell_word((plan.more->folder / "config.toml").string()),
                               shell_word(plan.more->folder.string() + "_near"))
                 : "sweep.trials_per_cell=";
  return fmt::format(
      "To know, map its surroundings in finer cells, and plan with that map:\n{}{}{}\n",
      trials_per_cell, std::ceil(per_cell), map);
}

}  // namespace

std::string answer_text(const PlacementPlan& plan, const std::optional<PlannedPlacement>& best) {
  const double reliable = plan.request.reliable();
  const std::string error = "with a positioning error of\n" + error_text(plan.request);
  if (!best) {
    return fmt::format("No grasp succeeds, wherever the gripper is put {}.\n", error) +
           plan.reasons;
  }
  const ExpectedSuccess& success = best->success;
  const std::string at = place(plan, best->at);
  const std::string share = fine_percent(success.probability, success.interval);
  const std::string interval =
      fmt::format("({} interval {})", given_percent(plan.request.confidence),
                  fine_percent_range(success.interval));
  switch (answer_of(best, reliable)) {
    case Answer::kYes:
      return fmt::format("Put the gripper at {}: {}\n{} of the grasps succeed {}{}.\n", at, error,
                         share, interval, judged_text(*best));
    case Answer::kNo:
      return fmt::format(
                 "No placement succeeds reliably, in {} or more, {}:\n"
                 "the best, {}, succeeds in {} {}: {}.\n",
                 given_percent(reliable), error, at, share, interval, limits_text(success)) +
             plan.reasons;
    case Answer::kUnknown:
      break;
  }
  if (map_is_too_small(success, reliable)) {
    return fmt::format(
        "The map is too small to tell whether a placement succeeds reliably, in {} or more,\n{}:\n"
        "{} of the error lies beyond the map. So far the best is {}:\n"
        "{} of the grasps succeed {}{}.\n",
        given_percent(reliable), error, percent(success.outside_share), at, share, interval,
        judged_text(*best));
  }
  return fmt::format(
             "Too few trials to tell whether a placement succeeds reliably, in {} or more,\n{}.\n"
             "So far the best is {}: {} of the grasps succeed {}{}.\n",
             given_percent(reliable), error, at, share, interval, judged_text(*best)) +
         more_text(plan, *best,
                   plan.request.model().is_simple() ? plan.request.sigma() : PlacementVector{},
                   reliable);
}

namespace {

std::string error_plan_text(const PlacementPlan& plan, const ErrorPlan& found) {
  if (found.placements.empty()) return answer_text(plan, std::nullopt);
  const PlannedPlacement& best = found.placements.front();
  const ExpectedSuccess& success = best.success;
  std::string text = answer_text(plan, best);
  if (best.judged_with && plan.widths) {
    text += fmt::format("Of new grasps with the error itself {} succeed: see below.\n",
                        fine_percent(plan.widths->today.share(), plan.widths->interval));
  }
  text += unknowns_text(plan.request, best) + as_good_text(plan, best);
  if (best.unselected) {
    text += fmt::format(
        "{} where half of the trials chose the placement and the other half measured it: choosing\n"
        "the best makes it look better than it is, and this leaves that out.\n",
        fine_percent(best.unselected->probability, success.interval));
  }
  const double unknown = 1 - success.known_share;
  if (unknown > kWorthTelling) {
    text += fmt::format(
        "{} of the error reaches beyond the map or where there are no trials: counted as no\n"
        "success; by the interval once as no success, once as success.\n",
        percent(unknown));
  }
  const bool few = success.effective_trials < kFewTrials;
  if (few && !map_is_too_small(success, plan.request.reliable())) {
    text += fmt::format("Only {:.1f} trials' worth of evidence lie within such a small error.\n",
                        success.effective_trials);
  }
  text += noise_text(plan) + placements_table(plan, found);
  if (found.placements.size() > 1) return text;
  return text + "No other local maximum, well apart, reaches half of this.\n";
}

// ---- The largest errors ----------------------------------------------------------------------

enum class ErrorShape { kEllipse, kSquare };

std::string size_text(const RequiredPlan& plan, ErrorShape shape, double size_mm) {
  if (shape == ErrorShape::kSquare) return fmt::format("±{:.4g} mm", size_mm);
  const auto& [x, y] = plan.proportions;
  if (x == y) return fmt::format("{:.4g} mm", size_mm);
  return fmt::format("{:.4g} mm in x, {:.4g} mm in y", size_mm * x, size_mm * y);
}

/// What is said of a confidence that only more trials can give.
constexpr const char* kTooFew = "too few trials";

std::string limit_text(const PlacementPlan& plan, const RequiredPlan& required, ErrorShape shape,
                       const ErrorLimit& limit) {
  if (!limit.reached) return "not even without an error";
  const std::string where = " at " + place(plan, limit.placement.at);
  if (limit.size_mm == 0) return "without an error only," + where;
  return size_text(required, shape, limit.size_mm) + where + (limit.limited_by_map ? " *" : "");
}

std::string square_text(const PlacementPlan& plan, const GuaranteedSquare& square) {
  if (!square.found) return "in no cell";
  return fmt::format("±{:.4g} mm at {}{}", square.half_width_mm,
                     place(plan, {square.x_mm, square.y_mm, square.theta_rad}),
                     square.limited_by_map ? " *" : "");
}

std::string required_answer(const PlacementPlan& plan, const RequiredPlan& required) {
  const std::string share = given_percent(required.probability);
  const ErrorLimit& ellipse = required.ellipse.estimate;
  const ErrorLimit& square = required.square.estimate;
  if (!ellipse.reached && !square.reached) {
    return fmt::format("No placement reaches {} success, not even without a positioning error.\n{}",
                       share, plan.for_error ? "" : plan.reasons);
  }
  std::string text;
  if (!required.ellipse.confidence.reached) {
    const bool any = required.square.confidence.reached || required.guaranteed.confidence.found;
    text = fmt::format("There are too few trials to promise {} at {} confidence, for {} error.\n",
                       share, given_percent(plan.request.confidence), any ? "a normal" : "any");
    if (required.exact) text += more_text(plan, *required.exact, {}, required.probability);
  }
  std::vector<std::string> sizes;
  if (ellipse.size_mm > 0) {
    const bool circle = required.proportions[0] == required.proportions[1];
    sizes.push_back(fmt::format("{} (standard deviation{})",
                                size_text(required, ErrorShape::kEllipse, ellipse.size_mm),
                                circle ? ", in x and in y" : "s"));
  }
  if (square.size_mm > 0) {
    sizes.push_back(fmt::format("{} (uniform in x and y)",
                                size_text(required, ErrorShape::kSquare, square.size_mm)));
  }
  const std::string up_to =
      sizes.empty() ? "without a positioning error only"
                    : fmt::format("up to a positioning error of\n{}", fmt::join(sizes, ", or of "));
  return text + fmt::format(
                    "{} or more of the grasps succeed {},\n"
                    "by the estimate; where to put the gripper then:\n",
                    share, up_to);
}

std::string required_text(const PlacementPlan& plan, const RequiredPlan& required) {
  TextTable table({"largest error", "by the estimate",
                   fmt::format("at {} confidence", given_percent(plan.request.confidence))});
  const auto row = [&](const char* what, ErrorShape shape, const ByEvidence<ErrorLimit>& limit) {
    const bool too_few = limit.estimate.reached && !limit.confidence.reached;
    table.add({what, limit_text(plan, required, shape, limit.estimate),
               too_few ? kTooFew : limit_text(plan, required, shape, limit.confidence)});
  };
  row("normal, standard deviation", ErrorShape::kEllipse, required.ellipse);
  row("uniform in a square", ErrorShape::kSquare, required.square);
  const auto& [guaranteed, confident] = required.guaranteed;
  table.add({"square, each of its cells", square_text(plan, guaranteed),
             guaranteed.found && !confident.found ? kTooFew : square_text(plan, confident)});
  const auto limited = [](const auto& pair) {
    return pair.estimate.limited_by_map || pair.confidence.limited_by_map;
  };
  const bool any =
      limited(required.ellipse) || limited(required.square) || limited(required.guaranteed);
  return required_answer(plan, required) + (plan.for_error ? "" : noise_text(plan)) + "\n" +
         table.text() +
         (any ? "* The map is too small to tell whether a larger error would do as well.\n" : "");
}

}  // namespace

std::string plan_text(const PlacementPlan& plan) {
  std::string text;
  if (plan.for_error) text += error_plan_text(plan, *plan.for_error);
  if (plan.for_error && plan.for_probability) text += "\n";
  if (plan.for_probability) text += required_text(plan, *plan.for_probability);
  if (plan.widths) text += "\n" + width_limits_text(*plan.widths);
  if (plan.lots) text += "\n" + lots_text(*plan.lots);
  return text;
}

}  // namespace graspmap
