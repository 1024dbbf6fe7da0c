#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"

namespace graspmap {
namespace {

/// Where the sweet spot is: the angle too, unless the map has only one.
std::string place_text(const RunSummary& summary) {
  const SweetSpot& spot = summary.sweet_spot;
  if (summary.theta_rad.is_fixed()) {
    return fmt::format("({:.6g}, {:.6g}) mm: in each cell within +-{} mm of it at least", spot.x_mm,
                       spot.y_mm, spot.half_width_mm);
  }
  return fmt::format(
      "({:.6g}, {:.6g}) mm, the part turned by {}:\n"
      "in each cell within +-{} mm of it, at angles within +-{} rad of it, at least",
      spot.x_mm, spot.y_mm, angle_text(spot.theta_rad), spot.half_width_mm,
      short_angle(summary.theta_rad.cell_size() / 2));
}

/// Where the sweet spot is and what succeeds there, behind a verb.
std::string sweet_spot_text(const RunSummary& summary) {
  return fmt::format("{}\n{} of the simulated grasps succeeded (worst cell: 95 % interval {}).\n",
                     place_text(summary), percent(summary.sweet_spot.lowest_probability),
                     percent_range(summary.sweet_spot.lowest_interval));
}

}  // namespace

std::string reason_text(const RunSummary& summary, const std::filesystem::path& run_folder) {
  const auto share = [&](Outcome outcome) {
    return share_of(summary.totals.count(outcome), summary.totals.trials());
  };
  std::string text;
  Outcome example = Outcome::kWedged;
  if (share(Outcome::kBlocked) > 0.5) {
    example = Outcome::kBlocked;
    text = fmt::format("{} are blocked: fingers or palm would start inside the part{}.\n",
                       percent(share(example)),
                       summary.has_obstacles ? ", or an obstacle is in the way" : "");
  } else if (share(Outcome::kMissed) > 0.5) {
    example = Outcome::kMissed;
    text = fmt::format("{} miss: at the end the part is not between the jaws.\n",
                       percent(share(example)));
  } else if (summary.unmet && 2 * summary.unmet->exchanged > summary.unmet->looked_at) {
    text = fmt::format(
        "Are left and right exchanged in [[success]]? The other way round {} of the grasps\n"
        "that hold the part would succeed.\n",
        percent(share_of(summary.unmet->exchanged, summary.unmet->looked_at)));
  } else if (summary.unmet && !summary.unmet->conditions.empty()) {
    const UnmetCount& condition = summary.unmet->conditions.front();
    text = fmt::format("What is missing most often: {}.\n", condition_text(condition));
    if (is_touch(condition.key) && condition.trials == summary.unmet->looked_at) {
      text +=
          fmt::format("The {} finger never touched it: can it be reached there?\n", condition.key);
    }
    if (summary.totals.count(example) == 0) example = Outcome::kTimeout;
  }
  if (text.empty() || run_folder.empty()) return text;
  return text + fmt::format("To see one: {} replay {} --outcome {}\n", summary.program,
                            shell_word(run_folder.string()), name(example));
}

namespace {

std::string no_text(const RunSummary& summary, const std::filesystem::path& run_folder) {
  const SweetSpot& spot = summary.sweet_spot;
  if (summary.totals.count(Outcome::kSuccess) == 0) {
    return fmt::format("None of the {} simulated grasps succeeded.\n", summary.trials_done) +
           reason_text(summary, run_folder);
  }
  const std::string no = fmt::format("No placement succeeds reliably, in {} or more. ",
                                     percent(summary.plateau_probability));
  if (spot.lowest_probability > 0) {
    return no + "The best is\n" + sweet_spot_text(summary) + reason_text(summary, run_folder);
  }
  return no +
         fmt::format(
             "Every square of +-{} mm\nhas a cell in which no grasp succeeds; the best cell, at "
             "({:.6g}, {:.6g}) mm, has {}.\n",
             spot.half_width_mm, summary.best_cell_mm.x(), summary.best_cell_mm.y(),
             percent(summary.best_cell_probability)) +
         reason_text(summary, run_folder);
}

std::string unknown_text(const RunSummary& summary, const std::filesystem::path& run_folder) {
  if (!summary.sweet_spot.found) {
    return fmt::format(
        "No sweet spot: no square of +-{} mm fits the map with trials in all its cells.\n",
        summary.sweet_spot.half_width_mm);
  }
  std::string text = fmt::format(
      "Too few trials to tell whether a placement succeeds reliably, in {} or more.\n"
      "So far the best is {}",
      percent(summary.plateau_probability), sweet_spot_text(summary));
  if (!summary.complete() || summary.adaptive || summary.trials_done < summary.cells) return text;
  const std::int64_t factor = trials_factor(
      static_cast<double>(summary.square.count(Outcome::kSuccess)),
      static_cast<double>(summary.square.valid_trials()), summary.plateau_probability);
  if (factor == 0) return text;
  return text + more_trials_text({summary.program, run_folder, summary.trials_done / summary.cells},
                                 factor);
}

}  // namespace

std::string headline_text(const RunSummary& summary, const std::filesystem::path& run_folder) {
  if (summary.robot) return summary.robot->text;
  switch (summary.answer) {
    case Answer::kYes:
      return "Put the gripper at " + sweet_spot_text(summary);
    case Answer::kNo:
      return no_text(summary, run_folder);
    case Answer::kUnknown:
      break;
  }
  return unknown_text(summary, run_folder);
}

namespace {

/// The plateau of a map of several angles.
std::string plateau_of_angles_text(const RunSummary& summary) {
  const Plateau& plateau = summary.plateau;
  return fmt::format(
      "{} success or more on {:.6g} mm2 at the best angle, {},\n"
      "and on {:.6g} mm2 on average over the angles: {} of {} cells,\n"
      "x from {:.6g} to {:.6g} mm, y from {:.6g} to {:.6g} mm, theta from {} to {} rad.\n",
      percent(summary.plateau_probability), plateau.area_mm2, angle_text(plateau.theta_rad),
      plateau.mean_area_mm2, plateau.cells, summary.cells, plateau.x_min_mm, plateau.x_max_mm,
      plateau.y_min_mm, plateau.y_max_mm, short_angle(plateau.theta_min_rad),
      short_angle(plateau.theta_max_rad));
}

std::string plateau_text(const RunSummary& summary) {
  const Plateau& plateau = summary.plateau;
  const std::string threshold = percent(summary.plateau_probability);
  if (plateau.cells == 0) return fmt::format("No cell reaches {} success.\n", threshold);
  if (!summary.theta_rad.is_fixed()) return plateau_of_angles_text(summary);
  return fmt::format(
      "{} success or more on {:.6g} mm2: {} of {} cells,\n"
      "x from {:.6g} to {:.6g} mm, y from {:.6g} to {:.6g} mm.\n",
      threshold, plateau.area_mm2, plateau.cells, summary.cells, plateau.x_min_mm, plateau.x_max_mm,
      plateau.y_min_mm, plateau.y_max_mm);
}

std::string outcomes_text(const RunSummary& summary) {
  std::string text = summary.adaptive
                         ? "\nOutcomes (the trials are not spread evenly over the map)\n"
                         : "\nOutcomes\n";
  for (const Outcome outcome : kOutcomes) {
    const std::int64_t count = summary.totals.count(outcome);
    const double share = share_of(count, summary.trials_done);
    text += fmt::format("  {:<8} {:>9}  {:>7}\n", name(outcome), count, percent(share));
  }
  return text;
}

std::string solver_text(const StepStatistics& statistics) {
  std::vector<std::string> retries;  // the steps that the first try did not solve
  for (std::size_t k = 1; k < kRungCount; ++k) {
    retries.push_back(fmt::format("{} {}", name(static_cast<Rung>(k)), statistics.by_rung[k]));
  }
  return fmt::format(
      "\nSolver\n"
      "  {} steps; retries: {}\n"
      "  worst residual {:.3g}, worst gap {:.3g} mm, least dissipation {:.2g} mN mm\n",
      statistics.steps, fmt::join(retries, ", "), statistics.worst_residual,
      statistics.worst_gap_mm, statistics.least_dissipation);
}

std::string failed_text(const RunSummary& summary, const std::filesystem::path& run_folder) {
  if (summary.failed.empty()) return "";
  std::string text = "\nWhy trials failed\n";
  const auto add = [&](const char* reason, std::int64_t count) {
    if (count > 0) text += fmt::format("  {:<49} {}\n", reason, count);
  };
  const std::int64_t failed = summary.totals.count(Outcome::kFailed);
  add("a step could not be solved", failed - summary.failed_too_long);
  add("more steps and iterations than a trial may have", summary.failed_too_long);
  if (run_folder.empty()) return text;
  text += "\nFailed trials can be replayed (the first few):\n";
  for (const TrialRow& row : summary.failed) {
    text += "  " + replay_line(summary.program, run_folder, row.index) + "\n";
  }
  return text;
}

std::int64_t two_digits(double number) {
  std::int64_t unit = 1;
  while (number >= 99.5 * static_cast<double>(unit)) unit *= 10;
  return std::llround(number / static_cast<double>(unit)) * unit;
}

std::string timing_text(const RunSummary& summary, const RunTiming& timing) {
  const std::string trials =
      summary.complete() ? fmt::format("{}", summary.trials_done)
                         : fmt::format("{} of {}", summary.trials_done, summary.trials_asked);
  std::string text = fmt::format(
      "\n{} trials in {:.1f} s ({:.0f} per second, {} threads)\n", trials, timing.wall_s,
      static_cast<double>(summary.trials_done) / timing.wall_s, timing.threads);
  const auto trials_done = static_cast<double>(summary.trials_done);
  if (summary.independent_trials > 1.05 * trials_done) {
    text += fmt::format("The map is as sure as {} independent trials would make it.\n",
                        two_digits(summary.independent_trials));
  }
  return text;
}

}  // namespace

std::string summary_text(const RunSummary& summary, const RunTiming& timing,
                         const std::filesystem::path& run_folder) {
  std::string text = headline_text(summary, run_folder) + plateau_text(summary);
  if (summary.adaptive) {
    // Where cells have few trials, the area alone says too much.
    text += fmt::format("95 % interval of the area of {} success: {:.6g} to {:.6g} mm2.\n",
                        percent(summary.plateau_probability), summary.plateau_area_interval.low,
                        summary.plateau_area_interval.high) +
            adaptive_text(*summary.adaptive);
  }
  return text + outcomes_text(summary) + (summary.unmet ? unmet_text(*summary.unmet) : "") +
         solver_text(summary.statistics) + failed_text(summary, run_folder) +
         timing_text(summary, timing);
}

namespace {

constexpr const char* kUnsolved = "step_not_solved";
constexpr const char* kTooLong = "too_much_work";

const char* failed_reason(const RunSummary& summary, const TrialRow& row) {
  return why_unsolved(row.statistics, summary.most_work) == EndReason::kTooLong ? kTooLong
                                                                                : kUnsolved;
}

Object plateau_fields(const RunSummary& summary) {
  const Plateau& plateau = summary.plateau;
  const bool has_angles = !summary.theta_rad.is_fixed();
  Object fields{{"probability_at_least", summary.plateau_probability},
                {"cells", plateau.cells, "of all angles"},
                {"of_cells", summary.cells},
                {"area_mm2", plateau.area_mm2, "where it is largest"},
                {"area_interval_95_mm2", summary.plateau_area_interval}};
  if (plateau.cells == 0) return fields;
  fields.add(Object{{"x_min_mm", plateau.x_min_mm},
                    {"x_max_mm", plateau.x_max_mm},
                    {"y_min_mm", plateau.y_min_mm},
                    {"y_max_mm", plateau.y_max_mm},
                    {"theta_rad", value_if(has_angles, plateau.theta_rad), "of area_mm2"},
                    {"mean_area_mm2", value_if(has_angles, plateau.mean_area_mm2)},
                    {"theta_min_rad", value_if(has_angles, plateau.theta_min_rad)},
                    {"theta_max_rad", value_if(has_angles, plateau.theta_max_rad)}});
  return fields;
}

Object solver_fields(const StepStatistics& statistics) {
  Object rungs;
  for (std::size_t k = 0; k < kRungCount; ++k) {
    rungs.add({name(static_cast<Rung>(k)), statistics.by_rung[k]});
  }
  return {{"steps", statistics.steps},
          {"newton_iterations", statistics.newton_iterations},
          {"steps_by_rung", rungs},
          {"worst_residual", statistics.worst_residual},
          {"worst_gap_mm", statistics.worst_gap_mm},
          {"least_dissipation_mn_mm", statistics.least_dissipation}};
}

Object unmet_fields(const UnmetSummary& summary) {
  return {{"trials", summary.trials, "wedged or timed out"},
          {"looked_at", summary.looked_at, "of these, simulated again"},
          {"conditions",
           list_of(summary.conditions,
                   [&](const UnmetCount& condition) {
                     const auto found = [&](const auto& touched) {
                       return Object{{"touches", touched.first},
                                     {"share", share_of(touched.second, condition.trials)}};
                     };
                     return Object{
                         {"key", condition.key, "of [[success]]; held: both jaws on the part"},
                         {"wanted", condition.wanted},
                         {"share", share_of(condition.trials, summary.looked_at),
                          "that do not meet it"},
                         {"found", list_of(condition.found, found), "of touches"},
                         {"middle_half", condition.middle_half, "of numbers"}};
                   }),
           "the most frequent first"},
          {"exchanged", share_of(summary.exchanged, summary.looked_at),
           "would succeed with left and right exchanged in [[success]]"}};
}

/// Nothing when no trial failed.
Value failed_reason_fields(const RunSummary& summary) {
  const std::int64_t failed = summary.totals.count(Outcome::kFailed);
  if (failed == 0) return {};
  return Object{{kUnsolved, failed - summary.failed_too_long}, {kTooLong, summary.failed_too_long}};
}

}  // namespace

Object summary_fields(const RunSummary& summary, const RunTiming& timing,
                      const std::filesystem::path& run_folder) {
  const auto failed_fields = [&](const TrialRow& row) {
    const std::string replay = replay_line(summary.program, run_folder, row.index);
    return Object{{"index", row.index},
                  {"reason", failed_reason(summary, row)},
                  {"replay", run_folder.empty() ? Value() : Value(replay), "the command"}};
  };
  const SweetSpot& spot = summary.sweet_spot;
  const Axis& theta = summary.theta_rad;
  const bool has_angles = !theta.is_fixed();
  return {
      {"name", summary.name},
      {"complete", summary.complete(), "false and fewer trials_done for an interrupted run"},
      {"trials_asked", summary.trials_asked},
      {"trials_done", summary.trials_done},
      {"independent_trials", summary.independent_trials,
       "random trials, as many in each cell, that would tell the map as exactly"},
      {"seed", summary.seed},
      {"answer", word(summary.robot ? summary.robot->answer : summary.answer),
       "yes, no or unknown: whether a placement succeeds with the plateau's probability, under the "
       "robot's error if there is one"},
      {"robot", maybe(summary.robot, [](const RobotAnswer& robot) { return robot.fields; }),
       "with [robot]: where to put the gripper"},
      {"outcomes", count_fields(summary.totals)},
      {"success",
       Object{{"probability", summary.success_probability},
              {"wilson_95", summary.success_interval}},
       "of the whole map, without failed trials"},
      {"sweet_spot",
       sweet_spot_fields(
           spot, {{"wilson_95", spot.lowest_interval}},
           {{"theta_rad", value_if(has_angles, spot.theta_rad), "of its cell"},
            {"theta_min_rad", value_if(has_angles, theta.cell_min(spot.cell_theta))},
            {"theta_max_rad", value_if(has_angles, theta.cell_max(spot.cell_theta))}})},
      {"plateau", plateau_fields(summary)},
      {"adaptive", maybe(summary.adaptive, adaptive_fields), "adaptive runs only"},
      {"no_success", maybe(summary.unmet, unmet_fields),
       "why a part that the jaws hold is no success; not of an earlier engine's runs"},
      {"solver", solver_fields(summary.statistics)},
      {"failed_reasons", failed_reason_fields(summary), "if trials failed"},
      {"first_failed", list_of(summary.failed, failed_fields), "up to five"},
      {"timing", Object{{"wall_s", timing.wall_s},
                        {"trials_per_s", static_cast<double>(summary.trials_done) / timing.wall_s},
                        {"threads", timing.threads}}}};
}

}  // namespace graspmap
