#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>

#include "grasp/base/io/json_document.hpp"
#include "grasp/decide/sensitivity/sensitivity_report.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
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
