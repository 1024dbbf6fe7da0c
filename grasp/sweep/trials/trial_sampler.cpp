#include "grasp/sweep/trials/trial_sampler.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "geometry/assert.hpp"
#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/probability/even_points.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/config/distributions.hpp"

namespace graspmap {
namespace {

/// The trials of a cell alternate between its nets.
SobolPoint sobol_point(const CellGrid& grid, std::int64_t index) {
  const std::int64_t cells = grid.cell_count();
  const auto in_cell = static_cast<std::uint32_t>(index / cells);
  const auto cell = static_cast<std::uint32_t>(index % cells);
  return {cell * kNetsPerCell + in_cell % kNetsPerCell, in_cell / kNetsPerCell};
}

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

/// An input and its draw.
struct DrawnKey {
  std::string_view key;
  Draw draw;
};

constexpr DrawnKey kPlacementXKey{"placement.x_mm", Draw::kPlacementX};
constexpr DrawnKey kPlacementYKey{"placement.y_mm", Draw::kPlacementY};
constexpr DrawnKey kThetaKey{"placement.theta_rad", Draw::kTheta};
constexpr DrawnKey kMuJawKey{"friction.jaw", Draw::kMuJaw};
constexpr DrawnKey kMuSupportKey{"friction.support", Draw::kMuSupport};
constexpr DrawnKey kNoiseXKey{"placement.noise.x_mm", Draw::kNoiseX};
constexpr DrawnKey kNoiseYKey{"placement.noise.y_mm", Draw::kNoiseY};
constexpr DrawnKey kNoiseThetaKey{"placement.noise.theta_rad", Draw::kNoiseTheta};

/// The dimension of an input in a configuration's Sobol points, the most important first: where the
/// part lies, its angle if that varies, friction. An input that is fixed keeps its dimension, so
/// that designs have the same random numbers for all else: only the angle and uncertain numbers
/// move those after them.
std::uint32_t dimension_of(const SweepConfig& config, const DrawnKey& input) {
  constexpr std::uint32_t kAngle = 2;
  const bool is_one_angle = config.placement.theta_rad.is_fixed();
  const bool angle_varies = !is_one_angle || !config.placement.noise_theta_rad.is_fixed();
  const std::uint32_t after_placement = angle_varies ? kAngle + 1 : kAngle;
  switch (input.draw) {
    case Draw::kPlacementX:
      return 0;
    case Draw::kPlacementY:
      return 1;
    case Draw::kTheta:
      return kAngle;
    case Draw::kMuJaw:
      return after_placement;
    case Draw::kMuSupport:
      return after_placement + 1;
    case Draw::kNoiseTheta:
      return is_one_angle ? kAngle : after_placement + 2;
    case Draw::kNoiseX:
      return after_placement + 3;
    case Draw::kNoiseY:
      return after_placement + 4;
  }
  std::uint32_t dimension = after_placement + 5;
  for (const UncertainNumber& number : config.uncertain) {
    if (number.key == input.key) break;
    ++dimension;
  }
  return dimension;
}

/// The draw number of an uncertain number: of its key, so that others do not change it.
Draw draw_of(std::string_view key) {
  return static_cast<Draw>((1U << 31U) | XXH32(key.data(), key.size(), 0));
}

DrawnKey drawn_key(std::string_view key) {
  for (const DrawnKey& known : {kMuJawKey, kMuSupportKey, kNoiseXKey, kNoiseYKey, kNoiseThetaKey}) {
    if (known.key == key) return known;
  }
  return {key, draw_of(key)};
}

/// The draw number of what a lot has in common, of an input's key.
std::uint32_t lot_draw_of(std::string_view key) {
  return (1U << 31U) | XXH32(key.data(), key.size(), 1);
}

double within_levels(double u) { return std::clamp(u, kLeastLevel, 1.0 - kLeastLevel); }

/// A matrix B with B B' = A, for A that is positive semidefinite up to rounding.
Eigen::MatrixXd square_root(const Eigen::MatrixXd& A) {
  const SymmetricEigen eigen = symmetric_eigen(A);
  return eigen.vectors * eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

/// The levels in (0, 1) at which the quantile functions of a trial's distributions give its values.
class Levels {
 public:
  /// Of a trial of the sweep.
  Levels(const SweepConfig& config, std::int64_t index)
      : config_(config), seed_(config.seed), index_(static_cast<std::uint64_t>(index)) {
    if (config.points == SweepPoints::kSobol) point_ = sobol_point(config.placement, index);
    draw_correlated();
  }
  /// Of a trial at somebody's own point. Its part comes from a lot of its own, or from the lot with
  /// a number.
  Levels(const SweepConfig& config, std::uint64_t seed, std::uint64_t index,
         std::optional<std::uint64_t> lot = {})
      : config_(config), seed_(seed), index_(index), lot_(lot) {
    draw_correlated();
  }

  /// Of a point of somebody's own sequence.
  Levels(const SweepConfig& config, std::uint64_t seed, const SobolPoint& point)
      : config_(config), seed_(seed), index_(point.number), point_(point) {
    draw_correlated();
  }

  /// The input's own level, whatever its distribution has in common with others.
  [[nodiscard]] double uniform(const DrawnKey& input) const {
    if (point_) {
      const std::uint32_t dimension = dimension_of(config_, input);
      if (dimension < kSobolDimensions) return sobol_coordinate(seed_, *point_, dimension);
    }
    return uniform_open(seed_, index_, static_cast<std::uint32_t>(input.draw));
  }

  [[nodiscard]] double of(const Distribution& distribution, const DrawnKey& input) const {
    if (const auto score = correlated_score(input)) {
      return within_levels(normal_cumulative(*score));
    }
    const double u = uniform(input);
    const double share = distribution.lot_share();
    if (!lot_ || share == 0.0) return u;
    // The squares of both shares add up to 1: the score stays standard normal.
    const double own = std::sqrt(std::max(0.0, 1.0 - share * share));
    return normal_cumulative(share * lot_score(input.key) + own * normal_score(u));
  }

  /// Whether the input's level is a coordinate of a net, which it has in common with no other.
  [[nodiscard]] bool is_coordinate(const DrawnKey& input) const {
    return point_ && !correlated_score(input);
  }

  [[nodiscard]] double value(const Distribution& distribution, const DrawnKey& input) const {
    if (distribution.is_fixed()) return distribution.quantile(0.5);  // spares the level
    return distribution.quantile(of(distribution, input));
  }

 private:
  /// Correlated inputs and their normal scores.
  struct Group {
    const std::vector<std::string>& keys;
    Eigen::VectorXd scores;
  };

  void draw_correlated() {
    for (const CorrelatedInputs& inputs : config_.correlated) {
      groups_.push_back({inputs.keys, scores_of(inputs)});
    }
  }

  /// Nothing for an input that is not correlated with others.
  [[nodiscard]] std::optional<double> correlated_score(const DrawnKey& input) const {
    for (const Group& group : groups_) {
      const auto found = std::find(group.keys.begin(), group.keys.end(), input.key);
      if (found != group.keys.end()) return group.scores(found - group.keys.begin());
    }
    return std::nullopt;
  }

  [[nodiscard]] double lot_score(std::string_view key) const {
    return normal_score(uniform_open(seed_, *lot_, lot_draw_of(key)));
  }

  [[nodiscard]] Eigen::VectorXd scores_of(const CorrelatedInputs& inputs) const {
    const auto count = static_cast<Eigen::Index>(inputs.keys.size());
    Eigen::VectorXd scores(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      scores(k) = normal_score(uniform(drawn_key(inputs.keys[static_cast<std::size_t>(k)])));
    }
    if (!lot_) return cholesky_root_times(inputs.correlation, scores);
    Eigen::VectorXd of_lot(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      of_lot(k) = lot_score(inputs.keys[static_cast<std::size_t>(k)]);
    }
    const LotCovariances covariances = lot_covariances(config_, inputs);
    return square_root(covariances.lot) * of_lot + square_root(covariances.part) * scores;
  }

  const SweepConfig& config_;
  std::uint64_t seed_;
  std::uint64_t index_;
  std::optional<std::uint64_t> lot_;
  std::optional<SobolPoint> point_;  ///< nothing: independent draws
  std::vector<Group> groups_;
};

/// The point at fraction u of the way from low to high: strictly inside, although rounding can put
/// low + u (high - low) on an end for u next to 0 or 1.
double point_between(double low, double high, double u) {
  const double x = low + u * (high - low);
  if (x <= low) return std::nextafter(low, high);
  if (x >= high) return std::nextafter(high, low);
  return x;
}

/// Where a trial is aimed at along an axis, and what the noise adds.
struct Aim {
  double intended;
  double noise;
};

/// An aim from low to high. The outcome depends on the sum with the noise: even points are even in
/// the sum, where its quantiles are known.
Aim aim_between(double low, double high, const DrawnKey& place, const Distribution& noise,
                const DrawnKey& noise_key, const Levels& levels) {
  if (low == high) return {low, levels.value(noise, noise_key)};
  const double level = levels.uniform(place);
  const auto* normal = noise.as<Normal>();
  if (normal == nullptr || !levels.is_coordinate(noise_key)) {
    return {point_between(low, high, level), levels.value(noise, noise_key)};
  }
  const UniformAndNormal both =
      divided_sum((high - low) / normal->sigma, level, levels.uniform(noise_key));
  return {point_between(low, high, both.fraction),
          std::clamp(normal->mean + normal->sigma * both.score, normal->min, normal->max)};
}

/// Where a trial of a cell is aimed at, and its noise.
struct Placed {
  IntendedPlacement intended;
  PlacementNoise noise;
};

Placed placed_in(const CellIndex& cell, const PlacementSweep& sweep, const Levels& levels) {
  const Aim x = aim_between(sweep.x_mm.cell_min(cell.x), sweep.x_mm.cell_min(cell.x + 1),
                            kPlacementXKey, sweep.noise_x_mm, kNoiseXKey, levels);
  const Aim y = aim_between(sweep.y_mm.cell_min(cell.y), sweep.y_mm.cell_min(cell.y + 1),
                            kPlacementYKey, sweep.noise_y_mm, kNoiseYKey, levels);
  const Aim theta =
      aim_between(sweep.theta_rad.cell_min(cell.theta), sweep.theta_rad.cell_max(cell.theta),
                  kThetaKey, sweep.noise_theta_rad, kNoiseThetaKey, levels);
  return {{x.intended, y.intended, theta.intended}, {x.noise, y.noise, theta.noise}};
}

TrialParameters parameters_of(const SweepConfig& config, const Placed& placed,
                              const Levels& levels) {
  const auto& [intended, noise] = placed;
  TrialParameters parameters;
  parameters.placement_x_mm = intended.x_mm + noise.x_mm;
  parameters.placement_y_mm = intended.y_mm + noise.y_mm;
  parameters.theta_rad = intended.theta_rad + noise.theta_rad;
  parameters.mu_jaw = levels.value(config.mu_jaw, kMuJawKey);
  parameters.mu_support = levels.value(config.mu_support, kMuSupportKey);
  return parameters;
}

/// At somebody's own placement.
TrialParameters parameters_at(const SweepConfig& config, const IntendedPlacement& intended,
                              const Levels& levels) {
  const PlacementSweep& sweep = config.placement;
  return parameters_of(
      config,
      {intended,
       {levels.value(sweep.noise_x_mm, kNoiseXKey), levels.value(sweep.noise_y_mm, kNoiseYKey),
        levels.value(sweep.noise_theta_rad, kNoiseThetaKey)}},
      levels);
}

std::vector<double> uncertain_of(const SweepConfig& config, const Levels& levels) {
  std::vector<double> values;
  values.reserve(config.uncertain.size());
  for (const auto& [key, distribution, number] : config.uncertain) {
    values.push_back(
        distribution.quantile(within_levels(levels.of(distribution, {key, draw_of(key)}))));
  }
  return values;
}

}  // namespace

std::uint32_t sobol_dimension(const SweepConfig& config, std::string_view key) {
  if (config.points != SweepPoints::kSobol) return kSobolDimensions;
  return std::min(dimension_of(config, drawn_key(key)), kSobolDimensions);
}

PlacementNoise sample_noise(const SweepConfig& config, std::int64_t index) {
  return placed_in(cell_of_trial(config.placement, index), config.placement, Levels(config, index))
      .noise;
}

TrialParameters sample_at(const SweepConfig& config, const IntendedPlacement& intended,
                          std::uint64_t seed, std::uint64_t index) {
  return parameters_at(config, intended, Levels(config, seed, index));
}

std::vector<double> sample_uncertain(const SweepConfig& config, std::uint64_t seed,
                                     std::uint64_t index) {
  if (config.uncertain.empty()) return {};  // spares the scores of correlated inputs
  return uncertain_of(config, Levels(config, seed, index));
}

TrialParameters sample_at(const SweepConfig& config, const IntendedPlacement& intended,
                          std::uint64_t seed, const PartOfLot& part) {
  return parameters_at(config, intended, Levels(config, seed, part.part, part.lot));
}

std::vector<double> sample_uncertain(const SweepConfig& config, std::uint64_t seed,
                                     const PartOfLot& part) {
  return uncertain_of(config, Levels(config, seed, part.part, part.lot));
}

std::vector<double> sample_uncertain(const SweepConfig& config, std::int64_t index) {
  if (config.uncertain.empty()) return {};  // spares the scores of correlated inputs
  return uncertain_of(config, Levels(config, index));
}

SampledTrial sample_evenly(const SweepConfig& config, const std::array<Distribution, 3>& placement,
                           std::uint64_t seed, std::uint32_t number) {
  GRASPMAP_ASSERT(placement[2].is_fixed() || !config.placement.theta_rad.is_fixed());
  const Levels levels(config, seed, SobolPoint{0, number});
  SampledTrial trial;
  trial.intended = {placement[0].quantile(levels.uniform(kPlacementXKey)),
                    placement[1].quantile(levels.uniform(kPlacementYKey)),
                    placement[2].quantile(levels.uniform(kThetaKey))};
  trial.parameters = parameters_at(config, trial.intended, levels);
  trial.uncertain = uncertain_of(config, levels);
  return trial;
}

SampledTrial sample_trial(const SweepConfig& config, std::int64_t index) {
  GRASPMAP_ASSERT(index >= 0);
  const PlacementSweep& placement = config.placement;
  const CellIndex cell = cell_of_trial(placement, index);
  const Levels levels(config, index);

  SampledTrial trial;
  trial.cell_x = cell.x;
  trial.cell_y = cell.y;
  trial.cell_theta = cell.theta;
  const Placed placed = placed_in(cell, placement, levels);
  trial.intended = placed.intended;
  trial.parameters = parameters_of(config, placed, levels);
  trial.uncertain = uncertain_of(config, levels);
  return trial;
}

}  // namespace graspmap
