#include "grasp/sweep/trials/phase_columns.hpp"

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

}  // namespace

std::size_t PhaseColumns::size() const {
  return config_ == nullptr ? 0 : config_->scenario.program.size() * kOfPhase.size();
}

std::string PhaseColumns::key(std::size_t k) const {
  return fmt::format("phase_{}_{}", k / kOfPhase.size() + 1, kOfPhase[k % kOfPhase.size()]);
}

std::vector<double> phase_values(const Scenario& scenario, const std::vector<PhaseEnd>& ends) {
  std::vector<double> values(scenario.program.size() * kOfPhase.size(),
                             std::numeric_limits<double>::quiet_NaN());
  auto out = values.begin();
  for (const PhaseEnd& end : ends) {
    const Pose2 part = part_pose_in_gripper(scenario, end.state);
    const std::array of_phase{end.time_s, part.position_mm.x(), part.position_mm.y(),
                              part.angle_rad, end.state.jaw_right_mm - end.state.jaw_left_mm};
    out = std::copy(of_phase.begin(), of_phase.end(), out);
  }
  return values;
}

std::vector<double> PhaseColumns::of(const std::vector<std::int64_t>& trials) const {
  std::vector<double> values(trials.size() * size());
  run_trials(std::ssize(trials), {}, [&](std::int64_t i, Workspace& workspace, auto& result) {
    const auto place = static_cast<std::size_t>(i);
    const SampledTrial trial = sample_trial(*config_, trials[place]);
    const TrialRow row = run_trial(*config_, trial.parameters, trial.uncertain, workspace, result);
    DrawnScenario memory;
    const Scenario& scenario = scenario_of(*config_, trial.uncertain, memory);
    const std::vector<double> of_trial = phase_values(scenario, result.phase_ends);
    std::copy(of_trial.begin(), of_trial.end(),
              values.begin() + static_cast<std::ptrdiff_t>(place * size()));
    return row.outcome;
  });
  return values;
}

}  // namespace graspmap
