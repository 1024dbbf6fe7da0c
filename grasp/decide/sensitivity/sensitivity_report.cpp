#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>

#include "geometry/assert.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"
#include "grasp/sweep/figures/map_figures.hpp"

namespace graspmap {
namespace {

/// Digits after the point of a percentage: more for a narrow interval.
int digits(const Estimate& estimate) {
  return estimate.interval.high - estimate.interval.low < 0.03 ? 1 : 0;
}

std::string share_text(const Estimate& estimate) {
  return percent(estimate.value, digits(estimate));
}

std::string range(const Estimate& estimate) {
  const int precision = digits(estimate);
  return fmt::format("{:.{}f} to {:.{}f}", 100 * estimate.interval.low, precision,
                     100 * estimate.interval.high, precision);
}

/// "83.0 % (82.8 to 83.1)"
std::string with_range(const Estimate& estimate) {
  return fmt::format("{} ({})", share_text(estimate), range(estimate));
}

/// A group in a sentence.
const char* words(InputGroup group) {
  static constexpr std::array<const char*, kInputGroups> kWords = {
      "position", "friction", "part's tolerances", "gripper's tolerances", "support's tolerances"};
  return kWords[static_cast<std::size_t>(group)];
}

/// Whether position and friction are all that varies.
bool are_position_and_friction(const GroupEffects& groups) {
  return groups.groups.size() == 2 && groups.groups[1].group == InputGroup::kFriction;
}

/// What to tighten. Over a whole map that is never the position: the map is as wide as somebody
/// made it.
std::string advice(const GroupEffects& groups, bool of_map) {
  const char* leader = words(groups.groups[groups.leader].group);
  const char* second = words(groups.groups[groups.second].group);
  const Interval& surplus = groups.surplus.interval;
  const std::size_t winner = surplus.low > 0 ? groups.leader : groups.second;
  const bool is_position = groups.groups[winner].group == InputGroup::kPosition;
  if (of_map && is_position && (surplus.low > 0 || surplus.high < 0)) {
    return "Where the gripper is put decides on this map, whose width is no uncertainty";
  }
  if (surplus.low > 0) return fmt::format("Tighten the {}", leader);
  if (surplus.high < 0) return fmt::format("Tighten the {}", second);
  if (are_position_and_friction(groups)) return "Position and friction matter alike";
  return fmt::format("The {} and the {} matter alike", leader, second);
}

/// A row with what something does to the variance of success.
void add_effect(TextTable& table, const std::string& name, const InputEffect& effect) {
  table.add({name, share_text(effect.first), range(effect.first), share_text(effect.total),
             range(effect.total)});
}

TextTable effect_table() {
  return TextTable(
      {"share of the variance", "main effect", "interval", "total effect", "interval"});
}

/// What to tighten; nothing when only one group varies.
std::string group_answer(const Sensitivity& result, double confidence) {
  if (!result.groups) return "";
  const GroupEffects& groups = *result.groups;
  if (are_position_and_friction(groups)) {
    return fmt::format(
        "{}.{}The position alone makes {} of the variance of success,\n"
        "the friction alone {}, only both together {}; in parentheses\n"
        "{} intervals.\n",
        advice(groups, !result.aim), result.aim ? " " : "\n",
        with_range(groups.groups[0].effect.first), with_range(groups.groups[1].effect.first),
        with_range(groups.together), given_percent(confidence));
  }
  TextTable table = effect_table();
  for (const GroupEffect& g : groups.groups) add_effect(table, words(g.group), g.effect);
  table.add({"only several together", share_text(groups.together), range(groups.together), "", ""});
  return fmt::format("{}. Intervals are of {}.\n\n{}\n", advice(groups, !result.aim),
                     given_percent(confidence), table.text());
}

/// From this success on nothing is worth being tightened.
constexpr double kAllSucceed = 0.99;

/// The input with the largest estimate, then those that may be as large; over a whole map besides
/// the placement, whose width is no uncertainty. `above_zero`: the first must be beyond chance.
template <typename EstimateOf>
std::vector<std::size_t> largest(const Sensitivity& result, bool above_zero, const EstimateOf& of) {
  const std::vector<RandomInput>& inputs = result.inputs.varying();
  const auto is_asked = [&](std::size_t k) {
    const std::string& key = inputs[k].key;
    return result.aim || (key != "x_mm" && key != "y_mm" && key != "theta_rad");
  };
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!is_asked(k) || (above_zero && !(of(k).interval.low > 0))) continue;
    if (list.empty() || of(k).value > of(list.front()).value) list = {k};
  }
  for (std::size_t k = 0; !list.empty() && k < inputs.size(); ++k) {
    if (k == list.front() || !is_asked(k)) continue;
    if (of(k).interval.high >= of(list.front()).interval.low) list.push_back(k);
  }
  return list;
}

/// "placement x", or several that are as large within their intervals.
std::string tied_names(const Sensitivity& result, const std::vector<std::size_t>& tied) {
  std::vector<std::string> names;
  for (const std::size_t k : tied) names.push_back(result.inputs.varying()[k].name);
  if (names.size() == 1) return names.front();
  return fmt::format("{}, alike within the intervals", fmt::join(names, ", "));
}

/// The input that matters most and those that may matter as much.
std::string most_text(const Sensitivity& result) {
  const std::vector<InputEffect>& effects = result.whole.inputs;
  const auto most = largest(result, false, [&](std::size_t k) { return effects[k].total; });
  if (most.empty()) return "";
  const InputEffect& effect = effects[most.front()];
  return fmt::format(
      "{} the {}:\n{} of the variance as total effect, {} as main effect.\n",
      result.aim ? "What matters most is" : "Besides the placement, what matters most is",
      tied_names(result, most), share_text(effect.total), share_text(effect.first));
}

/// The question that follows an analysis of the whole map.
std::string next_text(const Sensitivity& result) {
  if (!result.answer) return "";
  const AnsweredPlacement& at = *result.answer;
  const double success = at.trials.success_probability();
  return fmt::format(
      "\nAt the run's answer, ({:.6g}, {:.6g}) mm, {} of {} trials succeeded{}.\n"
      "What a tighter tolerance is worth there{}:\n"
      "  graspmap sensitivity {} --placement {:.6g},{:.6g}{} \\\n"
      "    --halved-trials 10000\n",
      at.x_mm, at.y_mm, percent(success), at.trials.valid_trials(),
      success >= kAllSucceed ? ": little is to be gained there" : "",
      at.has_robot ? "" : ", with your robot's error in place of 0.5 mm",
      shell_word(at.run.string()), at.x_mm, at.y_mm,
      at.has_robot ? "" : " --position-sigma-mm 0.5");
}

std::string answer(const Sensitivity& result, double confidence) {
  const double success = result.whole.success_probability;
  switch (result.whole.state) {
    case SensitivityState::kKnown:
      return group_answer(result, confidence) + most_text(result);
    case SensitivityState::kNoVariance:
      return fmt::format("Nothing matters here, judged by {}:\non {} {}.\n",
                         counted(std::lround(result.effective_trials), "trial"), subject(result),
                         success > 0.5 ? "all grasps succeed" : "no grasp succeeds");
    case SensitivityState::kUnreliable: {
      if (success >= kAllSucceed) {
        return fmt::format("Nothing to gain: on {} {} of the grasps succeed.\n", subject(result),
                           percent(success));
      }
      const std::string reason =
          result.whole.predictivity < kLeastPredictivity
              ? fmt::format(
                    "what the emulator learned from some trials predicts others too badly\n"
                    "(predictivity {:.2f}, at least {} is needed)",
                    result.whole.predictivity, kLeastPredictivity)
              : fmt::format(
                    "too few of the trials that count there succeed, or fail (success "
                    "probability {},\nof {})",
                    percent(success), counted(std::lround(result.effective_trials), "trial"));
      return fmt::format(
          "The effects on {} cannot be estimated reliably:\n{}. More trials per cell help.\n",
          subject(result), reason);
    }
    case SensitivityState::kNoTrials:
      return fmt::format("There are no trials on {}.\n", subject(result));
    case SensitivityState::kCorrelated:
      return fmt::format(
          "No shares of the variance: {} are correlated,\n"
          "and a share belongs to one input only when the inputs are independent.\n",
          fmt::join(result.correlated, ", "));
  }
  return {};
}

std::string effects_text(const Sensitivity& result) {
  if (result.whole.inputs.empty()) return "";
  TextTable table = effect_table();
  for (std::size_t k = 0; k < result.whole.inputs.size(); ++k) {
    add_effect(table, result.inputs.varying()[k].name, result.whole.inputs[k]);
  }
  const std::string source =
      result.total_trials > 0
          ? fmt::format("Total effects: {} simulated trials, and each input redrawn.\n",
                        result.total_trials)
          : "";
  return fmt::format(
      "\n{}{}These are shares of the variance as it is now. They do not say how often grasps "
      "would\n"
      "succeed without an uncertainty.\n",
      table.text(), source);
}

Estimate estimate_of(const SimulatedSuccess& success) {
  return {success.counts.probability(), success.interval};
}

/// With what the most is gained; nothing, and ties, are named as such.
std::string gain_text(const Sensitivity& result) {
  const std::vector<HalvedInput>& halved = result.halved->inputs;
  const std::string now = share_text(estimate_of(result.halved->as_it_is));
  const auto best = largest(result, true, [&](std::size_t k) { return halved[k].gain; });
  if (best.empty()) {
    return fmt::format("Nothing to gain: success is {} now,\nand no gain is beyond chance.", now);
  }
  return fmt::format("The most is gained with the\n{}: success {} in place of {}.",
                     tied_names(result, best),
                     share_text(estimate_of(halved[best.front()].success)), now);
}

std::string halved_text(const Sensitivity& result) {
  if (!result.halved || result.halved->inputs.empty()) return "";
  const HalvedInputs& halved = *result.halved;
  const auto& inputs = result.inputs.varying();
  TextTable table({"half as wide", "success", "interval", "gain in points", "interval"});
  const Estimate now = estimate_of(halved.as_it_is);
  table.add({"none", share_text(now), range(now), "", ""});
  for (std::size_t k = 0; k < halved.inputs.size(); ++k) {
    const Estimate success = estimate_of(halved.inputs[k].success);
    const Estimate& gain = halved.inputs[k].gain;
    table.add({inputs[k].name, share_text(success), range(success), signed_points(gain.value),
               signed_points_range(gain.interval)});
  }
  return fmt::format(
      "\nThe value of tightening: one distribution half as wide about its centre, all else as it "
      "is.\n"
      "{} simulated trials each, with the same random numbers. {}\n\n{}",
      halved.trials, gain_text(result), table.text());
}

std::string fixed_text(const Sensitivity& result) {
  std::vector<std::string> names;
  for (const RandomInput& input : result.inputs.fixed()) names.push_back(input.name);
  if (names.empty()) return "";
  return fmt::format("Fixed, so left out: {}.\n", fmt::join(names, ", "));
}

/// What the answer rests on.
std::string basis_text(const Sensitivity& result) {
  const bool is_correlated = result.whole.state == SensitivityState::kCorrelated;
  std::string text;
  if (result.left_out >= 0.0005) {
    text = fmt::format("{} of these placements lie outside of the map and are left out.\n",
                       percent(result.left_out));
  }
  if (result.judged_error) {
    text +=
        "An error below half a cell is judged with half a cell: the trials are too sparse for "
        "less.\n";
  }
  text += "\n" + counted(result.trials, "trial");
  if (!is_correlated) {
    text +=
        fmt::format("; the emulator of the others predicts {} of them", percent(result.foretold));
  }
  text += fmt::format(".\nSuccess probability on {}: {}.\n", subject(result),
                      percent(result.whole.success_probability));
  if (result.failed > 0) {
    text += fmt::format("{} failed; the intervals allow for both outcomes.\n",
                        counted(result.failed, "trial"));
  }
  if (is_correlated) return text;
  std::array<std::int64_t, kSensitivityStates> count{};
  for (const Effects& cell : result.cells) ++count[static_cast<std::size_t>(cell.state)];
  const auto of = [&](SensitivityState state) { return count[static_cast<std::size_t>(state)]; };
  return text +
         fmt::format(
             "{} of {} cells have effects of their own; in {} all grasps end alike, and in {} "
             "the\neffects cannot be estimated reliably.\n",
             of(SensitivityState::kKnown), result.cells.size(), of(SensitivityState::kNoVariance),
             of(SensitivityState::kUnreliable) + of(SensitivityState::kNoTrials));
}

}  // namespace

std::string subject(const Sensitivity& result) {
  if (!result.aim) return "the whole map";
  const auto size = [](const Distribution& error) {
    return fmt::format("{}{:.6g}", error.is<Uniform>() ? "±" : "",
                       error.is_fixed() ? 0.0 : error.width());
  };
  std::string judged;
  if (result.judged_error) {
    const auto& [x, y, theta] = *result.judged_error;
    judged = fmt::format(", judged with {} and {} mm{}", size(x), size(y),
                         theta.is_fixed() ? "" : fmt::format(" and {} rad", size(theta)));
  }
  return fmt::format("placements around ({:.6g}, {:.6g}) mm, errors {} and {} mm{}",
                     result.aim->x_mm, result.aim->y_mm, size(result.aim->error[0]),
                     size(result.aim->error[1]), judged);
}

std::string sensitivity_text(const Sensitivity& result, double confidence) {
  return answer(result, confidence) + effects_text(result) + fixed_text(result) +
         halved_text(result) + basis_text(result) + next_text(result);
}

namespace {

/// Nothing for the whole map.
Value aim_fields(const Sensitivity& result) {
  if (!result.aim) return {};
  const AimedPlacement& aim = *result.aim;
  std::optional<std::array<double, 3>> judged_sigma;
  if (result.judged_error) {
    judged_sigma.emplace();
    for (std::size_t k = 0; k < 3; ++k) {
      (*judged_sigma)[k] = std::sqrt((*result.judged_error)[k].variance());
    }
  }
  return Object{{"x_mm", aim.x_mm},
                {"y_mm", aim.y_mm},
                {"sigma_x_mm", aim.sigma(0)},
                {"sigma_y_mm", aim.sigma(1)},
                {"theta_rad", aim.theta_rad, "for a sweep over angles"},
                {"sigma_theta_rad", value_if(aim.theta_rad.has_value(), aim.sigma(2))},
                {"judged_sigma", judged_sigma,
                 "of x (mm), y (mm), theta (rad), where those asked for are below half a cell"},
                {"outside_of_map", result.left_out, "share of the placements"}};
}

Value input_fields(const Sensitivity& result) {
  return list_of(row_numbers(result.whole.inputs.size()), [&](std::size_t k) {
    const RandomInput& input = result.inputs.varying()[k];
    return Object{{"input", input.key},
                  {"group", name(input.group)},
                  {"first_order", estimate_fields(result.whole.inputs[k].first), "main effect"},
                  {"total", estimate_fields(result.whole.inputs[k].total), "total effect"}};
  });
}

Object group_fields(const GroupEffects& groups) {
  Object fields;
  const auto word = [&](std::size_t k) { return std::string(name(groups.groups[k].group)); };
  for (std::size_t k = 0; k < groups.groups.size(); ++k) {
    const InputEffect& effect = groups.groups[k].effect;
    fields.add({word(k) + "_alone", estimate_fields(effect.first)});
    if (groups.groups.size() > 2) fields.add({word(k) + "_total", estimate_fields(effect.total)});
  }
  fields.add({"together", estimate_fields(groups.together)});
  fields.add(
      {word(groups.leader) + "_less_" + word(groups.second), estimate_fields(groups.surplus)});
  return fields;
}

Object success_fields(const SimulatedSuccess& success) {
  return {{"success_probability", estimate_fields(estimate_of(success))},
          {"failed", success.counts.failed}};
}

Object halved_fields(const Sensitivity& result, const HalvedInputs& halved) {
  const auto input_fields = [&](std::size_t k) {
    return Object{{"input", result.inputs.varying()[k].key},
                  success_fields(halved.inputs[k].success),
                  {"gain", estimate_fields(halved.inputs[k].gain)}};
  };
  return {{"trials", halved.trials, "with each distribution"},
          {"as_it_is", success_fields(halved.as_it_is)},
          {"inputs", list_of(row_numbers(halved.inputs.size()), input_fields), "half as wide"}};
}

}  // namespace

Table sensitivity_table(const Sensitivity& result) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  constexpr Estimate kNotKnown{kUnknown, {kUnknown, kUnknown}};
  const std::vector<RandomInput>& inputs = result.cell_inputs.varying();
  Table table;
  for (std::size_t k = 0; k < result.cells.size(); ++k) {
    const CellCounts& counts = result.map.cells[k];
    const Effects& effects = result.cells[k];
    Object row{
        cell_fields(result.map, k),
        {"trials", counts.trials()},
        {"success", counts.count(Outcome::kSuccess)},
        {"failed", counts.count(Outcome::kFailed)},
        {"success_probability", counts.success_probability()},
        {"state", name(effects.state),
         "known, no_variance, unreliable (fewer than 5 succeed or do not, or predictivity < 0.5), "
         "no_trials, correlated"},
        {"predictivity", effects.predictivity, "1 - (share predicted wrongly) / (p (1 - p))"}};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_known = i < effects.inputs.size();
      const InputEffect effect = is_known ? effects.inputs[i] : InputEffect{kNotKnown, kNotKnown};
      row.add(
          {"first_" + inputs[i].key, estimate_fields(effect.first), i == 0 ? "main effect" : ""});
      row.add(
          {"total_" + inputs[i].key, estimate_fields(effect.total), i == 0 ? "total effect" : ""});
    }
    table.add(row);
  }
  return table;
}

Object sensitivity_fields(const Sensitivity& result, double confidence) {
  return {
      {"confidence", confidence},
      {"trials", result.trials},
      {"failed", result.failed},
      {"foretold", result.foretold,
       "share of trials predicted by an emulator that has not seen them"},
      {"placement", aim_fields(result)},
      {"state", name(result.whole.state)},
      {"predictivity", result.whole.predictivity},
      {"success_probability", result.whole.success_probability},
      {"groups", maybe(result.groups, group_fields),
       "if two or more vary: main effects, of three or more also total ones"},
      {"inputs", input_fields(result)},
      {"fixed", list_of(result.inputs.fixed(), [](const RandomInput& i) { return i.key; }), "keys"},
      {"total_trials", result.total_trials > 0 ? Value(result.total_trials) : Value(),
       "simulated, for total; absent if by the emulator"},
      {"halved", maybe(result.halved,
                       [&](const HalvedInputs& halved) { return halved_fields(result, halved); })}};
}

Table halved_table(const Sensitivity& result) {
  GRASPMAP_CHECK(result.halved);
  Table table;
  const auto add = [&](const std::string& input, const char* group, const HalvedInput& row) {
    const SampleCounts& counts = row.success.counts;
    table.add({{"input", input},
               {"group", group},
               {"trials", counts.trials + counts.failed},
               {"failed", counts.failed},
               {"success_probability", counts.probability()},
               {"low", row.success.interval.low},
               {"high", row.success.interval.high},
               {"gain", estimate_fields(row.gain)}});
  };
  add("none", "", {result.halved->as_it_is, {0.0, {0.0, 0.0}}});
  for (std::size_t k = 0; k < result.halved->inputs.size(); ++k) {
    const RandomInput& input = result.inputs.varying()[k];
    add(input.key, name(input.group), result.halved->inputs[k]);
  }
  return table;
}

}  // namespace graspmap
