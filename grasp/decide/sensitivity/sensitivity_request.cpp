#include <algorithm>
#include <array>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/requests/independent_error.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"
#include "grasp/decide/sensitivity/simulated_sets.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

RequestFields SensitivityRequest::fields() {
  return {numbers_field("placement X,Y[,T]", placement, "X,Y or X,Y,T", so_many(2, 3),
                        "the placement that the robot aims at (mm, mm, rad)"),
          position_sigma_field(
              position_sigma_mm,
              "standard deviations of its errors in x and y (one for both; default: the run's "
              "[robot])"),
          angle_sigma_field(
              angle_sigma_rad,
              "standard deviation of the angle, on a map with several angles (default: 0)"),
          count_field("halved-trials N", halved_trials, 0, 10'000'000,
                      "simulate N trials as it is and with each distribution half as wide; 0: none "
                      "(default: 10000 when the run has uncertain numbers, else 0)"),
          threads_field(threads),
          confidence_field(confidence)};
}

namespace {

std::optional<AimedPlacement> aim_of(const SensitivityRequest& request, const SweepConfig& config) {
  const std::vector<double>& place = request.placement;
  if (place.empty() && !request.position_sigma_mm && !request.angle_sigma_rad) return std::nullopt;
  const bool by_options = request.position_sigma_mm || request.angle_sigma_rad;
  if (place.empty() || (by_options ? !request.position_sigma_mm : !config.robot)) {
    throw RequestError("--placement and --position-sigma-mm belong together, without [robot]");
  }
  const bool has_angle = place.size() == 3;
  std::array<Axis, 3> axes = config.placement.axes();
  if (!has_angle) axes[2] = {};  // all angles of the map
  const auto [x_mm, y_mm, theta_rad] = on_map(place, "placement", axes);
  if (!has_angle && request.angle_sigma_rad) {
    throw RequestError("angle-sigma-rad",
                       "is of an angle; give it as the third number of --placement");
  }
  AimedPlacement aim{x_mm, y_mm,
                     independent_error(request.position_sigma_mm, request.angle_sigma_rad, config)};
  if (has_angle) aim.theta_rad = theta_rad;
  return aim;
}

std::vector<TrialSample> read_samples(const RunStore& store) {
  std::vector<TrialSample> samples = read_trial_samples(store);
  const bool any = std::any_of(samples.begin(), samples.end(), [](const TrialSample& sample) {
    return sample.outcome != Outcome::kFailed;
  });
  if (any) return samples;
  throw config_error({run_of(store.file()).string()}, "",
                     "the run has no trials that say anything yet");
}

/// The square around the placement that the run answers with: the best one under its robot's error,
/// or without [robot] the sweet spot.
SweetSpot answered_spot(const SweepConfig& config, const std::vector<TrialSample>& samples,
                        const SuccessMap& map) {
  SweetSpot spot = find_sweet_spot(map, config.sweet_spot_half_width_mm);
  if (!config.robot) return spot;
  const SuccessField field(config.placement.axes(), samples, config.points);
  const auto best = first_placement(field, robot_question(config));
  spot.found = best.has_value();
  if (!best) return spot;
  spot.x_mm = best->at[0];
  spot.y_mm = best->at[1];
  spot.theta_rad = best->at[2];
  spot.half_width_mm = config.sweet_spot_half_width_mm;
  spot.cell_theta = map.theta_rad.nearest_cell(best->at[2]);
  return spot;
}

/// What an emulator need not estimate where trials are simulated anyway.
void add_simulated(const SweepConfig& config, const SetsEffort& effort, Sensitivity& result) {
  result.halved = simulate_halved_inputs(config, result.inputs, effort);
  if (result.whole.state != SensitivityState::kKnown) return;
  const TotalEffects totals = simulate_totals(config, result.inputs, effort);
  if (totals.inputs.empty()) return;
  for (std::size_t k = 0; k < totals.inputs.size(); ++k) {
    result.whole.inputs[k].total = totals.inputs[k];
  }
  for (std::size_t g = 0; result.groups && g < totals.groups.size(); ++g) {
    result.groups->groups[g].effect.total = totals.groups[g];
  }
  result.total_trials = effort.trials;
}

}  // namespace

Sensitivity sensitivity_run(const RunStore& run, const SensitivityRequest& request,
                            const ShowTrials& show) {
  const SweepConfig& config = run.config();
  // Without --placement the placement is no uncertainty: the map is as wide as somebody made it.
  const auto aim = aim_of(request, config);
  const std::vector<TrialSample> samples = read_samples(run);
  Sensitivity result = analyse_sensitivity(config, samples, aim, request.confidence);
  result.title = run_title(config.name, run.file());
  const SweetSpot spot = answered_spot(config, samples, result.map);
  if (!aim && spot.found) {
    result.answer = AnsweredPlacement{run_of(run.file()), spot.x_mm, spot.y_mm,
                                      count_in_square(result.map, spot),
                                      config.robot && is_independent(*config.robot)};
  }
  const std::int64_t trials = request.halved_trials.value_or(config.uncertain.empty() ? 0 : 10'000);
  if (trials > 0) {
    add_simulated(config, {trials, request.confidence, request.threads, show}, result);
  }
  return result;
}

}  // namespace graspmap
