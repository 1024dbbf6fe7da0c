#include "grasp/sweep/trials/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "geometry/assert.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "sim/closing/length_unit.hpp"

namespace graspmap {

const char* name(Outcome outcome) {
  static constexpr std::array<const char*, kOutcomeCount> kNames = {"success", "wedged",  "missed",
                                                                    "timeout", "blocked", "failed"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Outcome classify(const SimulationResult& result, const Pose2& final_pose,
                 const std::vector<SuccessAlternative>& success) {
  switch (result.end) {
    case EndReason::kFailed:
    case EndReason::kTooLong:
      return Outcome::kFailed;
    case EndReason::kBlocked:
      return Outcome::kBlocked;
    case EndReason::kClosed:
      return Outcome::kMissed;
    case EndReason::kStopped:
    case EndReason::kTimeout:
      break;
  }
  const bool succeeds =
      std::any_of(success.begin(), success.end(),
                  [&](const SuccessAlternative& rule) { return holds(rule, result, final_pose); });
  if (succeeds) return Outcome::kSuccess;
  if (result.end == EndReason::kTimeout) return Outcome::kTimeout;
  const bool held = !result.left_touches.empty() && !result.right_touches.empty();
  return held ? Outcome::kWedged : Outcome::kMissed;
}

const Scenario& scenario_of(const SweepConfig& config, std::span<const double> uncertain,
                            DrawnScenario& memory) {
  if (uncertain.empty()) return config.scenario;
  set_uncertain_numbers(config.scenario, config.uncertain, uncertain, memory);
  return memory;
}

TrialRow run_trial(const SweepConfig& config, const TrialParameters& parameters,
                   std::span<const double> uncertain, Workspace& workspace,
                   SimulationResult& result) {
  DrawnScenario memory;
  const Scenario& scenario = scenario_of(config, uncertain, memory);
  simulate(scenario, parameters, workspace, result);
  return trial_row(config, scenario, parameters, result);
}

TrialRow run_trial(const SweepConfig& config, std::int64_t index, Workspace& workspace,
                   SimulationResult& result) {
  const SampledTrial trial = sample_trial(config, index);
  TrialRow row = run_trial(config, trial.parameters, trial.uncertain, workspace, result);
  row.index = index;
  row.set_cell(trial.cell());
  return row;
}

TrialRow trial_row(const SweepConfig& config, const Scenario& scenario,
                   const TrialParameters& parameters, const SimulationResult& result) {
  TrialRow row;
  row.parameters = parameters;
  row.final_pose = part_pose_in_gripper(scenario, result.final_state);
  row.outcome = classify(result, row.final_pose, config.success);
  row.end_time_s = result.end_time_s;
  row.jaw_right_mm = result.final_state.jaw_right_mm;
  row.jaw_left_mm = result.final_state.jaw_left_mm;
  row.statistics = result.statistics;
  return row;
}

void append_csv_value(std::string& text, double value) {
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(text), "{}", value);
}

void append_csv_value(std::string& text, std::int64_t value) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

void append_csv_value(std::string& text, Outcome outcome) { text += name(outcome); }

Scenario with_part_scaled(Scenario scenario, double factor) {
  GRASPMAP_CHECK(factor > 0.0);
  scale_lengths(factor, scenario.part);
  scale_lengths(factor, scenario.support);
  const double area = factor * factor;
  scenario.mass.mass_kg *= area;
  scenario.mass.center_of_mass_P_mm *= factor;
  scenario.mass.inertia_kg_mm2 *= area * area;
  return scenario;
}

}  // namespace graspmap
