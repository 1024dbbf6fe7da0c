#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/outline_shapes.hpp"
#include "grasp/base/drawings/written_outline.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/decide/design/design_search.hpp"
#include "grasp/sweep/config/config_document.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kShownDesigns = 10;

/// A value with its interval: "success 93.1 % (92.3 to 93.8 %)".
std::string estimate_text(const DesignRule& rule, DesignObjective objective,
                          const Estimate& estimate) {
  const std::string value = objective_text(rule, objective, estimate.value);
  if (std::isnan(estimate.value)) return value;
  if (is_share(objective)) {
    return fmt::format("{} ({})", value, fine_percent_range(estimate.interval));
  }
  return fmt::format("{} ({:.3g} to {:.3g})", value, estimate.interval.low, estimate.interval.high);
}

/// By how much the best design is better than the configuration as it is. Of spreads and errors
/// there is no difference where one of them does not reach the probability.
std::string gain_text(DesignObjective objective, const DesignAnswer& answer, std::size_t k) {
  const Estimate& gain = answer.gains[k];
  const bool best_reaches = !std::isnan(answer.best_values.values[k].value);
  const bool today_reaches = !std::isnan(answer.today_values.values[k].value);
  if (!best_reaches && !today_reaches) return "neither reaches the probability";
  if (!best_reaches) return "none: the best design does not reach the probability";
  if (!today_reaches) return "as it is, the design does not reach the probability";
  if (is_share(objective)) {
    return fmt::format("{} percentage points ({})", signed_points(gain.value),
                       signed_points_range(gain.interval));
  }
  return fmt::format("better by {:.3g} ({:.3g} to {:.3g})", gain.value, gain.interval.low,
                     gain.interval.high);
}

std::string placement_text(const PlacementVector& at, bool has_angles) {
  // Without "-0.00".
  const auto hundredths = [](double mm) { return std::round(mm * 100.0) / 100.0 + 0.0; };
  std::string text = fmt::format("({:.2f}, {:.2f}) mm", hundredths(at[0]), hundredths(at[1]));
  if (has_angles) text += " at " + angle_text(at[2]);
  return text;
}

std::string headline(const DesignAnswer& answer) {
  const DesignQuestion& question = answer.question;
  const std::vector<DesignObjective> objectives = question.rule.objectives();
  const RatedDesign& best = answer.best.front();
  std::string text = fmt::format("Best design: {}.\n", best.words);
  const auto any = [&](bool (*shown)(const Estimate&)) {
    return std::any_of(answer.gains.begin(), answer.gains.end(), shown);
  };
  if (!any([](const Estimate& gain) { return gain.interval.low > 0; })) {
    text += any([](const Estimate& gain) { return gain.interval.high < 0; })
                ? "The trials show that today's design is better.\n"
                : "The trials do not show that it is better than today's design.\n";
  }
  for (std::size_t p = 0; p < best.aims.size(); ++p) {
    text +=
        fmt::format("Put the gripper at {}{}.\n",
                    placement_text(best.aims[p], !answer.configs[p].placement.theta_rad.is_fixed()),
                    best.aims.size() > 1 ? " for " + question.parts[p].name : "");
  }
  text += fmt::format("\nIn {} fresh trials, {} confidence:\n", question.trials,
                      given_percent(question.confidence));
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    text += fmt::format("  best design   {}\n",
                        estimate_text(question.rule, objectives[k], answer.best_values.values[k]));
    text += fmt::format("  as it is      {}\n",
                        estimate_text(question.rule, objectives[k], answer.today_values.values[k]));
    text += fmt::format("  gain          {}\n", gain_text(objectives[k], answer, k));
  }
  const bool tells_success = std::find(objectives.begin(), objectives.end(),
                                       DesignObjective::kSuccess) == objectives.end();
  for (std::size_t p = 0; p < answer.best_values.successes.size(); ++p) {
    const SampleCounts& counts = answer.best_values.successes[p];
    if (!(tells_success || question.parts.size() > 1)) continue;
    const Interval interval = counts.interval(two_sided_z(question.confidence));
    text += fmt::format("  success of {}: {} ({})\n", question.parts[p].name,
                        percent(counts.probability()), fine_percent_range(interval));
  }
  return text;
}

std::string side_text(const std::optional<double>& limit, const char* sign) {
  return limit ? fmt::format("{}{:.2g}", sign, *limit) : fmt::format("{}any", sign);
}

/// What of a finger lies beyond `kFingerReach_mm` / 2 is moved to 20 mm beyond all the rest: its
/// sides there are straight and along the axes.
Outline cut_off(Outline finger) {
  constexpr double kFar_mm = 0.5 * kFingerReach_mm;
  constexpr double kStock_mm = 20.0;
  for (const int axis : {0, 1}) {
    double low = 0.0;
    double high = 0.0;
    for (const OutlineElement& element : finger.outer) {
      const double at = element.begin_mm[axis];
      if (std::abs(at) >= kFar_mm) continue;
      low = std::min(low, at);
      high = std::max(high, at);
    }
    for (OutlineElement& element : finger.outer) {
      double& at = element.begin_mm[axis];
      if (at <= -kFar_mm) at = low - kStock_mm;
      if (at >= kFar_mm) at = high + kStock_mm;
    }
  }
  return finger;
}

std::string variables_text(const DesignAnswer& answer) {
  if (answer.profiles.empty()) return "";
  const DesignObjective first = answer.question.rule.objectives()[0];
  std::string text = fmt::format("\n{:<28}{:>14}{:>16}\n", "variable", "worth", "may be off");
  for (const VariableProfile& profile : answer.profiles) {
    const std::string worth = is_share(first) ? signed_points(profile.worth).substr(1) + " points"
                                              : fmt::format("{:.3g}", profile.worth);
    const std::string off = profile.has_tolerance
                                ? side_text(profile.down, "-") + ", " + side_text(profile.up, "+")
                                : "";
    text += fmt::format("{:<28}{:>14}{:>16}{}\n", variable_name(profile.key),
                        profile.worth > 0 ? worth : "0", off,
                        profile.matters ? "" : "  does not matter: leave it at the easy value");
  }
  return text + fmt::format(
                    "Worth: what the worst value of its range loses, all others as they are, with\n"
                    "the best placement. May be off, in the key's unit: what costs {}, with the\n"
                    "placement unchanged.\n",
                    is_share(first) ? "1 point" : "1 %");
}

std::string designs_text(const DesignAnswer& answer) {
  const DesignQuestion& question = answer.question;
  const std::vector<DesignObjective> objectives = question.rule.objectives();
  std::string text = "\n";
  const std::size_t shown = std::min(answer.best.size(), kShownDesigns);
  for (std::size_t k = 0; k < shown; ++k) {
    const RatedDesign& design = answer.best[k];
    std::vector<std::string> values;
    for (std::size_t j = 0; j < objectives.size(); ++j) {
      values.push_back(objective_text(question.rule, objectives[j], design.values[j]));
    }
    const char* mark = "";
    if (objectives.size() > 1) {
      mark = design.on_front ? "  on the front" : "";
    } else if (k > 0 && design.tied) {
      mark = "  tied";
    }
    text +=
        fmt::format("{:3}. {}{}\n     {}\n", k + 1, fmt::join(values, ", "), mark, design.words);
  }
  text += fmt::format(
      "\nThese values chose among designs: expect a little less than the largest.\n"
      "{} designs in {} simulated trials.\n",
      answer.all.size(), answer.simulated);
  if (answer.refused.count > 0) {
    text += fmt::format("{} could not be built. The first: {}\n",
                        counted(answer.refused.count, "other design"), answer.refused.first);
  }
  return text;
}

Object rated_fields(const RatedDesign& design, const std::vector<DesignObjective>& objectives,
                    std::size_t number) {
  return {{"number", number},
          {"words", design.words},
          {"value", design.values[0], "of the objective"},
          {"second_value", objectives.size() > 1 ? Value(design.values[1]) : Value()},
          {"trials", design.grasps, "of each part"},
          {"tied", design.tied, "the trials do not tell it from the best"},
          {"on_front", design.on_front, "of two objectives"},
          {"set", design.overrides, "what makes the configuration that of the design"},
          {"placements", design.aims, "of each part: x (mm), y (mm), theta (rad)"}};
}

Object verified_fields(const VerifiedDesign& verified) {
  return {{"values", list_of(verified.values, estimate_fields<Estimate>), "of each objective"},
          {"successes",
           list_of(verified.successes,
                   [](const SampleCounts& counts) {
                     return Object{{"trials", counts.trials},
                                   {"successes", counts.successes},
                                   {"failed", counts.failed}};
                   }),
           "of each part under the robot's error"}};
}

/// NaN where there is no difference: gain_text.
Value::List gains_list(const DesignAnswer& answer) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  Value::List list;
  for (std::size_t k = 0; k < answer.gains.size(); ++k) {
    const bool known = !std::isnan(answer.best_values.values[k].value) &&
                       !std::isnan(answer.today_values.values[k].value);
    list.emplace_back(estimate_fields(known ? answer.gains[k] : Estimate{kNaN, {kNaN, kNaN}}));
  }
  return list;
}

Object profile_fields(const VariableProfile& profile) {
  return {{"key", profile.key},
          {"worth", profile.worth, "what its worst value loses"},
          {"matters", profile.matters},
          {"down", profile.down, "how far below costs a loss that counts, placement unchanged"},
          {"up", profile.up, "above"},
          {"levels", profile.levels},
          {"values", profile.values, "of the objective, with the best placement of each"}};
}

}  // namespace

std::string design_text(const DesignAnswer& answer) {
  return headline(answer) + variables_text(answer) + designs_text(answer);
}

Object design_fields(const DesignAnswer& answer) {
  const DesignQuestion& question = answer.question;
  const std::vector<DesignObjective> objectives = question.rule.objectives();
  const auto place = [&](const RatedDesign& design) {
    return static_cast<std::size_t>(&design - answer.best.data()) + 1;
  };
  return {
      {"name", question.name},
      {"objectives", list_of(objectives,
                             [](DesignObjective objective) {
                               return kDesignObjectiveWords[static_cast<std::size_t>(objective)];
                             })},
      {"probability", question.rule.probability, "asked for by pose-spread and tolerated-error"},
      {"spread_of", kSpreadOfWords[static_cast<std::size_t>(question.rule.spread_of)],
       "whose unit is that of pose-spread"},
      {"parts",
       list_of(
           question.parts,
           [](const DesignedPart& part) {
             return Object{{"name", part.name}, {"config", part.source}, {"weight", part.weight}};
           })},
      {"confidence", question.confidence},
      {"seed", question.seed},
      {"best", verified_fields(answer.best_values), "in fresh trials"},
      {"today", verified_fields(answer.today_values), "the configuration as it is, in the same"},
      {"gains", gains_list(answer), "of each objective, in pairs of these trials; better is > 0"},
      {"designs",
       list_of(answer.best,
               [&](const RatedDesign& design) {
                 return rated_fields(design, objectives, place(design));
               }),
       "the best ones, in the trials that chose them"},
      {"variables", list_of(answer.profiles, profile_fields), "of the best design, one moved"},
      {"tried", answer.all.size(), "designs"},
      {"refused", answer.refused.count, "designs that cannot be built"},
      {"refused_first", answer.refused.first},
      {"search_trials", answer.searched, "before the variables were moved alone"},
      {"simulated_trials", answer.simulated, "in all"}};
}

Table designs_table(const DesignAnswer& answer) {
  const DesignSpace& space = answer.space;
  Table table;
  for (std::size_t number = 0; number < answer.all.size(); ++number) {
    const RatedDesign& design = answer.all[number];
    Object row{{"number", number, "in the order in which they were tried"},
               {"shape", space.shape_name(design.design.shape)}};
    for (std::size_t k = 0; k < space.variables(); ++k) {
      const std::string& key = space.rule().variables[k].key;
      const bool has = space.has(design.design.shape, k);
      row.add({key, has ? Value(space.value_text(design.design, k)) : Value()});
    }
    row.add({"value", design.values[0], "of the objective, in so many trials"});
    row.add({"second_value", design.values.size() > 1 ? Value(design.values[1]) : Value()});
    row.add({"trials", design.grasps, "the more, the longer it was among the best"});
    table.add(row);
  }
  return table;
}

Table variables_table(const DesignAnswer& answer) {
  struct Row {
    std::string key;
    std::string level;
    double value = 0.0;
  };
  std::vector<Row> rows;
  for (const VariableProfile& profile : answer.profiles) {
    for (std::size_t level = 0; level < profile.levels.size(); ++level) {
      rows.push_back({profile.key, profile.levels[level], profile.values[level]});
    }
  }
  return table_of<Row>(rows, [](const Row& row) {
    return Object{{"key", row.key},
                  {"level", row.level, "in the key's unit"},
                  {"value", row.value, "of the objective, all other variables at their best"}};
  });
}

std::vector<ResultFile> design_files(const DesignAnswer& answer) {
  std::vector<ResultFile> files{{"design.json", design_fields(answer)},
                                {"designs.csv", designs_table(answer)},
                                {"variables.csv", variables_table(answer)},
                                {"design.toml", to_toml(answer.configs.front())}};
  for (const auto& [name, text] : finger_drawings(answer.configs.front())) {
    files.push_back({name, text});
  }
  return files;
}

std::vector<std::pair<std::string, std::string>> finger_drawings(const SweepConfig& config) {
  const Gripper& gripper = config.scenario.gripper;
  if (!gripper.right_finger) return {};
  std::vector<std::pair<std::string, std::string>> files;
  const auto add = [&](const std::string& name, const Outline& finger) {
    const Outline cut = cut_off(finger);
    files.emplace_back(name + ".dxf", dxf_text(cut));
    files.emplace_back(name + ".svg", svg_text(cut));
  };
  add("finger", *gripper.right_finger);
  const Outline mirror = mirrored(*gripper.right_finger);
  const Outline& left = *gripper.left_finger;
  bool same = left.outer.size() == mirror.outer.size();
  for (std::size_t k = 0; same && k < left.outer.size(); ++k) {
    same = (left.outer[k].begin_mm - mirror.outer[k].begin_mm).norm() < 1e-9;
  }
  if (!same) add("left_finger", left);
  return files;
}

}  // namespace graspmap
