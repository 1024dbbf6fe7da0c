#include "grasp/decide/sensitivity/sensitivity_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "grasp/base/io/json.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
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

std::size_t most_important(const Effects& effects) {
  const auto most = std::max_element(
      effects.inputs.begin(), effects.inputs.end(),
      [](const InputEffect& a, const InputEffect& b) { return a.total.value < b.total.value; });
  return static_cast<std::size_t>(most - effects.inputs.begin());
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

std::string group_table(const GroupEffects& groups) {
  TextTable table({"share of the variance", "by itself", "interval", "takes part in", "interval"});
  for (const GroupEffect& g : groups.groups) {
    table.add({words(g.group), share_text(g.effect.first), range(g.effect.first),
               share_text(g.effect.total), range(g.effect.total)});
  }
  table.add({"only several together", share_text(groups.together), range(groups.together), "", ""});
  return table.text();
}

/// What to tighten; nothing when only one group varies.
std::string group_answer(const Sensitivity& result, double confidence) {
  if (!result.groups) return "";
  const GroupEffects& groups = *result.groups;
  if (are_position_and_friction(groups)) {
    return fmt::format(
        "{}. Of the variance of success the position alone makes {},\n"
        "the friction alone {}, only both together {}; in parentheses\n"
        "{:.6g} % intervals.\n",
        advice(groups), with_range(groups.groups[0].effect.first),
        with_range(groups.groups[1].effect.first), with_range(groups.together), 100 * confidence);
  }
  return fmt::format("{}. Intervals are of {:.6g} %.\n\n{}\n", advice(groups), 100 * confidence,
                     group_table(groups));
}

std::string input_answer(const Sensitivity& result) {
  const std::size_t k = most_important(result.whole);
  const InputEffect& effect = result.whole.inputs[k];
  return fmt::format(
      "What matters most is the {}: it takes part in {} of the variance,\n"
      "and makes {} by itself.\n",
      result.inputs.varying()[k].name, share_text(effect.total), share_text(effect.first));
}

std::string unreliable_text(const Sensitivity& result) {
  const double predictivity = result.whole.predictivity;
  const std::string reason =
      predictivity < kLeastPredictivity
          ? fmt::format(
                "what the emulator learned from some trials predicts others too badly\n"
                "(predictivity {:.2f}, at least {} is needed)",
                predictivity, kLeastPredictivity)
          : fmt::format("nearly all grasps there end alike (success probability {:.1f} %)",
                        100 * result.whole.success_probability);
  return fmt::format("Nothing reliable is known of {}:\n{}. More trials per cell help.\n",
                     subject(result), reason);
}

std::string no_variance_text(const Sensitivity& result) {
  return fmt::format(
      "Nothing matters here: on {} {}.\n", subject(result),
      result.whole.success_probability > 0.5 ? "all grasps succeed" : "no grasp succeeds");
}

std::string answer(const Sensitivity& result, double confidence) {
  switch (result.whole.state) {
    case SensitivityState::kKnown:
      return group_answer(result, confidence) + input_answer(result);
    case SensitivityState::kNoVariance:
      return no_variance_text(result);
    case SensitivityState::kUnreliable:
      return unreliable_text(result);
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

std::string table(const Sensitivity& result) {
  if (result.whole.inputs.empty()) return "";
  TextTable table({"share of the variance", "by itself", "interval", "takes part in", "interval"});
  for (std::size_t k = 0; k < result.whole.inputs.size(); ++k) {
    const InputEffect& effect = result.whole.inputs[k];
    table.add({result.inputs.varying()[k].name, share_text(effect.first), range(effect.first),
               share_text(effect.total), range(effect.total)});
  }
  const std::string source =
      result.total_trials > 0
          ? fmt::format(
                "What each takes part in: {} simulated trials, and each input drawn anew.\n",
                result.total_trials)
          : "";
  return fmt::format(
      "\n{}{}These are shares of the variance as it is now. They do not say how often grasps "
      "would\n"
      "succeed without an uncertainty.\n",
      table.text(), source);
}

/// The input whose halved law gains the most.
std::size_t most_valuable(const HalvedInputs& halved) {
  const auto most = std::max_element(
      halved.inputs.begin(), halved.inputs.end(),
      [](const HalvedInput& a, const HalvedInput& b) { return a.gain.estimate < b.gain.estimate; });
  return static_cast<std::size_t>(most - halved.inputs.begin());
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
  const std::size_t best = most_valuable(halved);
  return fmt::format(
      "\nThe value of tightening: one law half as wide about its centre, all else as it is.\n"
      "{} simulated trials each, with the same random numbers. The most is gained with the {}:\n"
      "success {} in place of {}.\n\n{}",
      halved.trials, inputs[best].name, share_text(estimate_of(halved.inputs[best].success)),
      share_text(now), table.text());
}

std::string fixed_text(const Sensitivity& result) {
  std::vector<std::string> names;
  for (const RandomInput& input : result.inputs.fixed()) names.push_back(input.name);
  if (names.empty()) return "";
  return fmt::format("Fixed, so left out: {}.\n", fmt::join(names, ", "));
}

std::string left_out_text(const Sensitivity& result) {
  if (result.left_out < 0.0005) return "";
  return fmt::format("{:.1f} % of these placements lie outside of the map and are left out.\n",
                     100 * result.left_out);
}

std::string basis_text(const Sensitivity& result) {
  const bool is_emulated = result.whole.state != SensitivityState::kCorrelated;
  const std::string emulated =
      is_emulated ? fmt::format("; the emulator of the others predicts {:.1f} % of them",
                                100 * result.foretold)
                  : "";
  std::string text =
      fmt::format("\n{} trials{}.\nSuccess probability on {}: {:.1f} %.\n", result.trials, emulated,
                  subject(result), 100 * result.whole.success_probability);
  if (result.failed > 0)
    text += fmt::format("{} trials failed; they widen the intervals.\n", result.failed);
  return text;
}

std::string cells_text(const Sensitivity& result) {
  if (result.whole.state == SensitivityState::kCorrelated) return "";
  std::array<std::int64_t, kSensitivityStates> count{};
  for (const Effects& cell : result.cells) ++count[static_cast<std::size_t>(cell.state)];
  const auto of = [&](SensitivityState state) { return count[static_cast<std::size_t>(state)]; };
  return fmt::format(
      "Of {} cells, {} have effects of their own; in {} all grasps end alike, and in {} nothing\n"
      "reliable is known.\n",
      result.cells.size(), of(SensitivityState::kKnown), of(SensitivityState::kNoVariance),
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
  return answer(result, confidence) + table(result) + fixed_text(result) + halved_text(result) +
         left_out_text(result) + basis_text(result) + cells_text(result);
}

namespace {

/// The columns of one input's effects.
void append_names(std::string& text, const std::string& key) {
  for (const char* effect : {"first", "total"}) {
    fmt::format_to(std::back_inserter(text), ",{0}_{1},{0}_{1}_low,{0}_{1}_high", effect, key);
  }
}

std::string header(const Sensitivity& result) {
  std::string text =
      "cell_x,cell_y,cell_theta,x_min_mm,x_max_mm,y_min_mm,y_max_mm,theta_min_rad,theta_max_rad,"
      "trials,success,failed,success_probability,state,predictivity";
  for (const RandomInput& input : result.cell_inputs.varying()) append_names(text, input.key);
  return text + "\n";
}

void append(std::string& text, const Estimate& estimate) {
  fmt::format_to(std::back_inserter(text), ",{},{},{}", estimate.value, estimate.interval.low,
                 estimate.interval.high);
}

Estimate unknown() {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  return {kUnknown, {kUnknown, kUnknown}};
}

void append_row(std::string& text, const Sensitivity& result, std::size_t k) {
  const SuccessMap& map = result.map;
  const auto place = static_cast<int>(k);
  const CellIndex at{place % map.x_mm.cells, place / map.x_mm.cells % map.y_mm.cells,
                     place / map.x_mm.cells / map.y_mm.cells};
  const CellCounts& counts = map.cells[k];
  const Effects& effects = result.cells[k];
  fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", at.x,
                 at.y, at.theta, map.x_mm.cell_min(at.x), map.x_mm.cell_max(at.x),
                 map.y_mm.cell_min(at.y), map.y_mm.cell_max(at.y), map.theta_rad.cell_min(at.theta),
                 map.theta_rad.cell_max(at.theta), counts.trials(), counts.count(Outcome::kSuccess),
                 counts.count(Outcome::kFailed), counts.success_probability(), name(effects.state),
                 effects.predictivity);
  for (std::size_t i = 0; i < result.cell_inputs.varying().size(); ++i) {
    const bool is_known = i < effects.inputs.size();
    append(text, is_known ? effects.inputs[i].first : unknown());
    append(text, is_known ? effects.inputs[i].total : unknown());
  }
  text += "\n";
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
  json.object("success_probability", [&] {
    json.field("value", success.counts.probability());
    json.interval("interval", success.interval);
  });
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
      json.object("gain", [&] {
        json.field("value", halved.gain.estimate);
        json.interval("interval", halved.gain.interval);
      });
      ++input;
    });
  });
}

}  // namespace

std::string sensitivity_csv(const Sensitivity& result) {
  std::string text = header(result);
  for (std::size_t k = 0; k < result.cells.size(); ++k) append_row(text, result, k);
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
