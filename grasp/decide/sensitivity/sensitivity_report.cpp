#include "grasp/decide/sensitivity/sensitivity_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "geometry/assert.hpp"
#include "grasp/base/io/json.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

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
  switch (group) {
    case InputGroup::kPosition:
      return "position";
    case InputGroup::kFriction:
      return "friction";
    case InputGroup::kPart:
      return "part's tolerances";
    case InputGroup::kGripper:
      return "gripper's tolerances";
    case InputGroup::kSupport:
      return "support's tolerances";
  }
  return "";
}

/// Whether position and friction are all that varies.
bool are_position_and_friction(const GroupEffects& groups) {
  return groups.groups.size() == 2 && groups.groups[1].group == InputGroup::kFriction;
}

std::string advice(const GroupEffects& groups) {
  const char* leader = words(groups.groups[groups.leader].group);
  const char* second = words(groups.groups[groups.second].group);
  const Interval& surplus = groups.surplus.interval;
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
        "{}. The position alone makes {} of the variance of success,\n"
        "the friction alone {}, only both together {}; in parentheses\n"
        "{} intervals.\n",
        advice(groups), with_range(groups.groups[0].effect.first),
        with_range(groups.groups[1].effect.first), with_range(groups.together),
        given_percent(confidence));
  }
  TextTable table = effect_table();
  for (const GroupEffect& g : groups.groups) add_effect(table, words(g.group), g.effect);
  table.add({"only several together", share_text(groups.together), range(groups.together), "", ""});
  return fmt::format("{}. Intervals are of {}.\n\n{}\n", advice(groups), given_percent(confidence),
                     table.text());
}

std::string answer(const Sensitivity& result, double confidence) {
  const double success = result.whole.success_probability;
  switch (result.whole.state) {
    case SensitivityState::kKnown: {
      const auto& effects = result.whole.inputs;
      const auto most = std::max_element(
          effects.begin(), effects.end(),
          [](const InputEffect& a, const InputEffect& b) { return a.total.value < b.total.value; });
      const auto k = static_cast<std::size_t>(most - effects.begin());
      return group_answer(result, confidence) +
             fmt::format(
                 "What matters most is the {}: its total effect is {} of the variance,\n"
                 "its main effect {}.\n",
                 result.inputs.varying()[k].name, share_text(most->total), share_text(most->first));
    }
    case SensitivityState::kNoVariance:
      return fmt::format("Nothing matters here: on {} {}.\n", subject(result),
                         success > 0.5 ? "all grasps succeed" : "no grasp succeeds");
    case SensitivityState::kUnreliable: {
      const std::string reason =
          result.whole.predictivity < kLeastPredictivity
              ? fmt::format(
                    "what the emulator learned from some trials predicts others too badly\n"
                    "(predictivity {:.2f}, at least {} is needed)",
                    result.whole.predictivity, kLeastPredictivity)
              : fmt::format("nearly all grasps there end alike (success probability {})",
                            percent(success));
      return fmt::format("Nothing reliable is known of {}:\n{}. More trials per cell help.\n",
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
          ? fmt::format("Total effects: {} simulated trials, and each input drawn anew.\n",
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

std::string halved_text(const Sensitivity& result) {
  if (!result.halved || result.halved->inputs.empty()) return "";
  const HalvedInputs& halved = *result.halved;
  const auto& inputs = result.inputs.varying();
  TextTable table({"half as wide", "success", "interval", "gain in points", "interval"});
  const Estimate now = estimate_of(halved.as_it_is);
  table.add({"none", share_text(now), range(now), "", ""});
  for (std::size_t k = 0; k < halved.inputs.size(); ++k) {
    const Estimate success = estimate_of(halved.inputs[k].success);
    const Difference& gain = halved.inputs[k].gain;
    table.add({inputs[k].name, share_text(success), range(success), signed_points(gain.estimate),
               signed_points_range(gain.interval)});
  }
  const auto best =
      static_cast<std::size_t>(std::max_element(halved.inputs.begin(), halved.inputs.end(),
                                                [](const HalvedInput& a, const HalvedInput& b) {
                                                  return a.gain.estimate < b.gain.estimate;
                                                }) -
                               halved.inputs.begin());
  return fmt::format(
      "\nThe value of tightening: one distribution half as wide about its centre, all else as it "
      "is.\n"
      "{} simulated trials each, with the same random numbers. The most is gained with the\n"
      "{}: success {} in place of {}.\n\n{}",
      halved.trials, inputs[best].name, share_text(estimate_of(halved.inputs[best].success)),
      share_text(now), table.text());
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
  text += fmt::format("\n{} trials", result.trials);
  if (!is_correlated) {
    text +=
        fmt::format("; the emulator of the others predicts {} of them", percent(result.foretold));
  }
  text += fmt::format(".\nSuccess probability on {}: {}.\n", subject(result),
                      percent(result.whole.success_probability));
  if (result.failed > 0) {
    text += fmt::format("{} trials failed; they widen the intervals.\n", result.failed);
  }
  if (is_correlated) return text;
  std::array<std::int64_t, kSensitivityStates> count{};
  for (const Effects& cell : result.cells) ++count[static_cast<std::size_t>(cell.state)];
  const auto of = [&](SensitivityState state) { return count[static_cast<std::size_t>(state)]; };
  return text +
         fmt::format(
             "{} of {} cells have effects of their own; in {} all grasps end alike, and in {} "
             "nothing\nreliable is known.\n",
             of(SensitivityState::kKnown), result.cells.size(), of(SensitivityState::kNoVariance),
             of(SensitivityState::kUnreliable) + of(SensitivityState::kNoTrials));
}

}  // namespace

std::string subject(const Sensitivity& result) {
  if (!result.aim) return "the whole map";
  return fmt::format("placements around ({:.6g}, {:.6g}) mm, errors {:.6g} and {:.6g} mm",
                     result.aim->x_mm, result.aim->y_mm, result.aim->sigma_x_mm,
                     result.aim->sigma_y_mm);
}

std::string sensitivity_text(const Sensitivity& result, double confidence) {
  return answer(result, confidence) + effects_text(result) + fixed_text(result) +
         halved_text(result) + basis_text(result);
}

namespace {

void append(std::string& text, const Estimate& estimate) {
  fmt::format_to(std::back_inserter(text), ",{},{},{}", estimate.value, estimate.interval.low,
                 estimate.interval.high);
}

void write(JsonWriter& json, const std::string& key, const Estimate& estimate) {
  json.object(key, [&] {
    json.field("value", estimate.value);
    json.interval("interval", estimate.interval);
  });
}

void write_aim(JsonWriter& json, const Sensitivity& result) {
  if (!result.aim) return;
  const AimedPlacement& aim = *result.aim;
  json.object("placement", [&] {
    json.field("x_mm", aim.x_mm);
    json.field("y_mm", aim.y_mm);
    json.field("sigma_x_mm", aim.sigma_x_mm);
    json.field("sigma_y_mm", aim.sigma_y_mm);
    json.field("theta_rad", aim.theta_rad);
    if (aim.theta_rad) json.field("sigma_theta_rad", aim.sigma_theta_rad);
    json.field("outside_of_map", result.left_out);
  });
}

void write_inputs(JsonWriter& json, const Sensitivity& result) {
  auto input = result.inputs.varying().begin();
  json.objects("inputs", result.whole.inputs, [&](const InputEffect& effect) {
    json.field("input", input->key);
    json.field("group", name(input->group));
    write(json, "first_order", effect.first);
    write(json, "total", effect.total);
    ++input;
  });
  json.array("fixed", result.inputs.fixed(), [&](const RandomInput& i) { json.value(i.key); });
}

void write_groups(JsonWriter& json, const Sensitivity& result) {
  if (!result.groups) return;
  json.object("groups", [&] {
    const GroupEffects& groups = *result.groups;
    const bool are_two = groups.groups.size() == 2;
    for (const GroupEffect& group : groups.groups) {
      write(json, fmt::format("{}_alone", name(group.group)), group.effect.first);
      if (!are_two) write(json, fmt::format("{}_total", name(group.group)), group.effect.total);
    }
    write(json, "together", groups.together);
    const auto word = [&](std::size_t k) { return name(groups.groups[k].group); };
    write(json, fmt::format("{}_less_{}", word(groups.leader), word(groups.second)),
          groups.surplus);
  });
}

void write_success(JsonWriter& json, const SimulatedSuccess& success) {
  write(json, "success_probability", estimate_of(success));
  json.field("failed", success.counts.failed);
}

void write_halved(JsonWriter& json, const Sensitivity& result) {
  if (!result.halved) return;
  json.object("halved", [&] {
    json.field("trials", result.halved->trials);
    json.object("as_it_is", [&] { write_success(json, result.halved->as_it_is); });
    auto input = result.inputs.varying().begin();
    json.objects("inputs", result.halved->inputs, [&](const HalvedInput& halved) {
      json.field("input", input->key);
      write_success(json, halved.success);
      write(json, "gain", {halved.gain.estimate, halved.gain.interval});
      ++input;
    });
  });
}

}  // namespace

std::string sensitivity_csv(const Sensitivity& result) {
  const std::vector<RandomInput>& inputs = result.cell_inputs.varying();
  std::string text =
      std::string(kCellColumns) + ",trials,success,failed,success_probability,state,predictivity";
  const auto out = std::back_inserter(text);
  for (const RandomInput& input : inputs) {
    for (const char* effect : {"first", "total"}) {
      fmt::format_to(out, ",{0}_{1},{0}_{1}_low,{0}_{1}_high", effect, input.key);
    }
  }
  text += "\n";
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  constexpr Estimate kNotKnown{kUnknown, {kUnknown, kUnknown}};
  for (std::size_t k = 0; k < result.cells.size(); ++k) {
    const CellCounts& counts = result.map.cells[k];
    const Effects& effects = result.cells[k];
    fmt::format_to(out, "{},{},{},{},{},{},{}", cell_fields(result.map, k), counts.trials(),
                   counts.count(Outcome::kSuccess), counts.count(Outcome::kFailed),
                   counts.success_probability(), name(effects.state), effects.predictivity);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_known = i < effects.inputs.size();
      append(text, is_known ? effects.inputs[i].first : kNotKnown);
      append(text, is_known ? effects.inputs[i].total : kNotKnown);
    }
    text += "\n";
  }
  return text;
}

std::string sensitivity_json(const Sensitivity& result, double confidence) {
  return json_document([&](JsonWriter& json) {
    json.field("confidence", confidence);
    json.field("trials", result.trials);
    json.field("failed", result.failed);
    json.field("foretold", result.foretold);
    write_aim(json, result);
    json.field("state", name(result.whole.state));
    json.field("predictivity", result.whole.predictivity);
    json.field("success_probability", result.whole.success_probability);
    write_groups(json, result);
    write_inputs(json, result);
    if (result.total_trials > 0) json.field("total_trials", result.total_trials);
    write_halved(json, result);
  });
}

std::string halved_csv(const Sensitivity& result) {
  GRASPMAP_CHECK(result.halved);
  std::string text =
      "input,group,trials,failed,success_probability,low,high,gain,gain_low,gain_high\n";
  const HalvedInputs& halved = *result.halved;
  const auto add = [&](const std::string& input, const char* group, const HalvedInput& row) {
    const SampleCounts& counts = row.success.counts;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{}\n", input, group,
                   counts.trials + counts.failed, counts.failed, counts.probability(),
                   row.success.interval.low, row.success.interval.high, row.gain.estimate,
                   row.gain.interval.low, row.gain.interval.high);
  };
  add("none", "", {halved.as_it_is, {0.0, {0.0, 0.0}}});
  for (std::size_t k = 0; k < halved.inputs.size(); ++k) {
    const RandomInput& input = result.inputs.varying()[k];
    add(input.key, name(input.group), halved.inputs[k]);
  }
  return text;
}

}  // namespace graspmap
