#include "grasp/trials/trial_sampler.hpp"

#include <xxhash.h>

#include <cmath>
#include <string_view>

#include "grasp/statistics/random.hpp"

namespace graspmap {
namespace {

/// Each random input has its own draw number, for good: a new input takes a new number, so that it
/// does not change the others.
enum class Draw : std::uint32_t {
  kPlacementX = 0,
  kPlacementY = 1,
  kMuJaw = 2,
  kMuSupport = 3,
  kNoiseX = 4,
  kNoiseY = 5,
  kNoiseTheta = 6,
  kTheta = 7,
};

/// The draw number of an uncertain number: of its key, so that others do not change it.
std::uint32_t draw_of(std::string_view key) {
  return (1U << 31U) | XXH32(key.data(), key.size(), 0);
}

/// The random numbers of one trial.
struct TrialDraws {
  std::uint64_t seed;
  std::uint64_t index;

  [[nodiscard]] double uniform(Draw draw) const {
    return uniform_open(seed, index, static_cast<std::uint32_t>(draw));
  }
  [[nodiscard]] double from(const Distribution& distribution, Draw draw) const {
    return quantile(distribution, uniform(draw));
  }
};

/// The point at fraction u of the way from low to high: strictly inside, although rounding can put
/// low + u (high - low) on an end for u next to 0 or 1.
double point_between(double low, double high, double u) {
  const double x = low + u * (high - low);
  if (x <= low) return std::nextafter(low, high);
  if (x >= high) return std::nextafter(high, low);
  return x;
}

/// The point of cell i at fraction u of its width, in mm.
double point_in_cell(const Axis& axis, int i, double u) {
  return point_between(axis.cell_min(i), axis.cell_min(i + 1), u);
}

/// The angle of cell k at fraction u of its width: the one angle that there is, or strictly inside.
double angle_in_cell(const Axis& axis, int k, double u) {
  if (axis.is_fixed()) return axis.min;
  return point_between(axis.cell_min(k), axis.cell_max(k), u);
}

/// The noise of a trial.
PlacementNoise noise_of(const PlacementSweep& placement, const TrialDraws& draws) {
  return {draws.from(placement.noise_x_mm, Draw::kNoiseX),
          draws.from(placement.noise_y_mm, Draw::kNoiseY),
          draws.from(placement.noise_theta_rad, Draw::kNoiseTheta)};
}

}  // namespace

PlacementNoise sample_noise(const SweepConfig& config, std::int64_t index) {
  return noise_of(config.placement, {config.seed, static_cast<std::uint64_t>(index)});
}

TrialParameters sample_at(const SweepConfig& config, const IntendedPlacement& intended,
                          std::uint64_t seed, std::uint64_t index) {
  const TrialDraws draws{seed, index};
  const PlacementNoise noise = noise_of(config.placement, draws);
  TrialParameters parameters;
  parameters.placement_x_mm = intended.x_mm + noise.x_mm;
  parameters.placement_y_mm = intended.y_mm + noise.y_mm;
  parameters.theta_rad = intended.theta_rad + noise.theta_rad;
  parameters.mu_jaw = draws.from(config.mu_jaw, Draw::kMuJaw);
  parameters.mu_support = draws.from(config.mu_support, Draw::kMuSupport);
  return parameters;
}

std::vector<double> sample_uncertain(const SweepConfig& config, std::uint64_t seed,
                                     std::uint64_t index) {
  std::vector<double> values;
  values.reserve(config.uncertain.size());
  for (const UncertainNumber& number : config.uncertain) {
    values.push_back(quantile(number.law, uniform_open(seed, index, draw_of(number.key))));
  }
  return values;
}

SampledTrial sample_trial(const SweepConfig& config, std::int64_t index) {
  const PlacementSweep& placement = config.placement;
  const CellIndex cell = cell_of_trial(placement, index);
  const TrialDraws draws{config.seed, static_cast<std::uint64_t>(index)};

  SampledTrial trial;
  trial.cell_x = cell.x;
  trial.cell_y = cell.y;
  trial.cell_theta = cell.theta;
  trial.intended.x_mm =
      point_in_cell(placement.x_mm, trial.cell_x, draws.uniform(Draw::kPlacementX));
  trial.intended.y_mm =
      point_in_cell(placement.y_mm, trial.cell_y, draws.uniform(Draw::kPlacementY));
  trial.intended.theta_rad =
      angle_in_cell(placement.theta_rad, trial.cell_theta, draws.uniform(Draw::kTheta));
  trial.parameters =
      sample_at(config, trial.intended, config.seed, static_cast<std::uint64_t>(index));
  trial.uncertain = sample_uncertain(config, config.seed, static_cast<std::uint64_t>(index));
  return trial;
}

}  // namespace graspmap
