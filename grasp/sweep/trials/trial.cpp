#include "grasp/sweep/trials/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "geometry/assert.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "sim/closing/length_unit.hpp"

namespace graspmap {

const char* name(Outcome outcome) {
  static constexpr std::array<const char*, kOutcomeCount> kNames = {"success", "wedged",  "missed",
                                                                    "timeout", "blocked", "failed"};
  return kNames[static_cast<std::size_t>(outcome)];
}

const char* meaning(Outcome outcome) {
  static constexpr std::array<const char*, kOutcomeCount> kMeanings = {
      "the part is held as the success rule asks",
      "the jaws stopped with both on the part, but not as the success rule asks",
      "the jaws closed, or stopped with one of them or both off the part",
      "the time was over before the jaws stopped",
      "a jaw or the palm would have started inside the part, or an obstacle stopped the gripper",
      "the trial could not be computed: a step did not converge, or it needed too much work"};
  return kMeanings[static_cast<std::size_t>(outcome)];
}

Outcome classify(const SimulationResult& result, const Pose2& final_pose,
                 const std::vector<SuccessAlternative>& success, double hold_factor) {
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
  const bool succeeds = std::any_of(
      success.begin(), success.end(),
      [&](const SuccessAlternative& rule) { return holds(rule, result, final_pose, hold_factor); });
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

State end_state(const Scenario& scenario, const TrialRow& row) {
  const double angle = row.final_pose.angle_rad;
  const Vec2 center_mm =
      row.final_pose.position_mm + Rotation2(angle) * scenario.mass.center_of_mass_P_mm;
  State state;
  state.part_pose = {center_mm.x(), center_mm.y(), angle};
  state.jaw_right_mm = row.jaw_right_mm;
  state.jaw_left_mm = row.jaw_left_mm;
  return state;
}

double hold_factor_of(const SweepConfig& config, const Scenario& scenario, const TrialRow& row) {
  if (!config.hold) return std::numeric_limits<double>::quiet_NaN();
  return hold_factor(scenario, row.parameters, end_state(scenario, row),
                     manoeuvre_of(*config.hold));
}

double asked_hold_factor(const SweepConfig& config, const Scenario& scenario, const TrialRow& row) {
  return asks_for_hold(config.success) ? hold_factor_of(config, scenario, row) : kMostHoldFactor;
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
  if (row.outcome == Outcome::kSuccess) {
    const double factor = asked_hold_factor(config, scenario, row);
    row.outcome = std::isnan(factor) ? Outcome::kFailed
                                     : classify(result, row.final_pose, config.success, factor);
  }
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
