#include "grasp/sweep/trials/computed_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

constexpr std::array kOfPhase{"end_time_s", "part_x_mm", "part_y_mm", "part_theta_rad",
                              "opening_mm"};

std::size_t phase_columns(const SweepConfig& config) {
  return config.scenario.program.size() * kOfPhase.size();
}

/// Whether both jaws may hold the part at the end of a trial.
bool may_be_held(const TrialRow& row) {
  return row.outcome == Outcome::kSuccess || row.outcome == Outcome::kWedged ||
         row.outcome == Outcome::kTimeout;
}

double held_factor(const SweepConfig& config, const Scenario& scenario, const TrialRow& row) {
  return may_be_held(row) ? hold_factor_of(config, scenario, row)
                          : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::size_t ComputedColumns::size() const {
  return phase_columns(config_) + (config_.hold ? 1 : 0);
}

std::string ComputedColumns::key(std::size_t k) const {
  if (k == phase_columns(config_)) return "hold_factor";
  return fmt::format("phase_{}_{}", k / kOfPhase.size() + 1, kOfPhase[k % kOfPhase.size()]);
}

std::vector<double> ComputedColumns::of(const Scenario& scenario, const TrialRow& row,
                                        const std::vector<PhaseEnd>& phase_ends) const {
  std::vector<double> values(size(), std::numeric_limits<double>::quiet_NaN());
  auto out = values.begin();
  for (const PhaseEnd& end : phase_ends) {
    const Pose2 part = part_pose_in_gripper(scenario, end.state);
    const std::array of_phase{end.time_s, part.position_mm.x(), part.position_mm.y(),
                              part.angle_rad, end.state.jaw_right_mm - end.state.jaw_left_mm};
    out = std::copy(of_phase.begin(), of_phase.end(), out);
  }
  if (config_.hold) values.back() = held_factor(config_, scenario, row);
  return values;
}

std::vector<double> ComputedColumns::of(const std::vector<TrialRow>& trials) const {
  std::vector<double> values(trials.size() * size());
  run_trials(std::ssize(trials), {}, [&](std::int64_t i, Workspace& workspace, auto& result) {
    const auto place = static_cast<std::size_t>(i);
    const TrialRow& row = trials[place];
    const std::vector<double> uncertain = sample_uncertain(config_, row.index);
    if (phase_columns(config_) > 0) {
      static_cast<void>(run_trial(config_, row.parameters, uncertain, workspace, result));
    } else {
      result.phase_ends.clear();
    }
    DrawnScenario memory;
    const Scenario& scenario = scenario_of(config_, uncertain, memory);
    const std::vector<double> of_trial = of(scenario, row, result.phase_ends);
    std::copy(of_trial.begin(), of_trial.end(),
              values.begin() + static_cast<std::ptrdiff_t>(place * size()));
    return row.outcome;
  });
  return values;
}

double held_factor(const SweepConfig& config, const TrialRow& row) {
  DrawnScenario memory;
  return held_factor(config, scenario_of(config, sample_uncertain(config, row.index), memory), row);
}

}  // namespace graspmap
