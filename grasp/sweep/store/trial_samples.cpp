#include "grasp/sweep/store/trial_samples.hpp"

namespace graspmap {
namespace {

bool is_zero(const Distribution& noise) {
  return noise.kind == DistributionKind::kFixed && noise.mean == 0;
}

std::vector<double> uncertain_of(const SweepConfig& config, std::int64_t index) {
  if (config.uncertain.empty()) return {};
  return sample_uncertain(config, config.seed, static_cast<std::uint64_t>(index));
}

}  // namespace

bool has_placement_noise(const PlacementSweep& placement) {
  return !(is_zero(placement.noise_x_mm) && is_zero(placement.noise_y_mm) &&
           is_zero(placement.noise_theta_rad));
}

void for_each_trial_sample(const RunStore& store,
                           const std::function<void(const TrialSample&)>& visit) {
  const SweepConfig& config = store.config();
  const bool noise = has_placement_noise(config.placement);
  store.for_each([&](const TrialRow& row) {
    const TrialParameters& ran = row.parameters;
    const IntendedPlacement intended =
        noise ? sample_trial(config, row.index).intended
              : IntendedPlacement{ran.placement_x_mm, ran.placement_y_mm, ran.theta_rad};
    const auto cell = static_cast<std::size_t>(row.index % config.placement.cell_count());
    visit({cell, row.outcome, intended, ran, uncertain_of(config, row.index)});
  });
}

std::vector<TrialSample> read_trial_samples(const RunStore& store) {
  std::vector<TrialSample> samples;
  samples.reserve(static_cast<std::size_t>(count_trials(store.stored())));
  for_each_trial_sample(store, [&](const TrialSample& sample) { samples.push_back(sample); });
  return samples;
}

}  // namespace graspmap
