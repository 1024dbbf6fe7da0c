#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Where the robot was told to put the gripper: what the noise is added to.
struct IntendedPlacement {
  double x_mm = 0.0;
  double y_mm = 0.0;
  double theta_rad = 0.0;
};

/// A trial of a sweep: where it belongs and what it is run with.
struct SampledTrial {
  int cell_x = 0;
  int cell_y = 0;
  int cell_theta = 0;
  IntendedPlacement intended;
  TrialParameters parameters;          ///< with the noise
  std::vector<double> uncertain = {};  ///< the values of config.uncertain

  [[nodiscard]] CellIndex cell() const { return {cell_x, cell_y, cell_theta}; }
};

/// The trial with this index, 0 <= index < config.trials(): a pure function of seed and index.
/// Indices go round the cells (cell = index mod cells, x fastest, then y, then theta), so that a
/// prefix of the table covers the whole map evenly and more trials per cell only append.
///
/// With config.points = kSobol the trials of a cell are, in turn, the points of its nets: scrambled
/// Sobol sequences with a coordinate for each input (placement, angle, friction, noise, uncertain
/// numbers by key; beyond kSobolDimensions independent draws). The coordinate of a placement with
/// normal noise is that of their sum (divided_sum). Otherwise all inputs are independent draws.
/// Random numbers: Philox 4x32-10 (Random123), key = seed, counter = (index, draw).
SampledTrial sample_trial(const SweepConfig& config, std::int64_t index);

/// The dimension of an input in the nets; kSobolDimensions for one with independent draws. Inputs
/// of two sweeps with the same seed have the same random numbers where their dimensions are the
/// same.
std::uint32_t sobol_dimension(const SweepConfig& config, std::string_view key);

/// The parameters of a trial at an intended placement: the noise and the friction are drawn from
/// the configuration's distributions, as in a sweep. A pure function of its arguments; two trials
/// are independent when their seeds or indices differ.
TrialParameters sample_at(const SweepConfig& config, const IntendedPlacement& intended,
                          std::uint64_t seed, std::uint64_t index);

/// The values of config.uncertain in sample_trial(config, index).
std::vector<double> sample_uncertain(const SweepConfig& config, std::int64_t index);

/// The values of config.uncertain in a trial of sample_at: quantiles at levels from kLeastLevel to
/// 1 - kLeastLevel.
std::vector<double> sample_uncertain(const SweepConfig& config, std::uint64_t seed,
                                     std::uint64_t index);

/// A trial whose intended x, y and theta have these distributions, outside of any cell: point
/// `number` of a Sobol sequence with a coordinate for each input. An angle of the
/// configuration that is fixed must be fixed here too.
SampledTrial sample_evenly(const SweepConfig& config, const std::array<Distribution, 3>& placement,
                           std::uint64_t seed, std::uint32_t number);

/// A part and the lot from which it comes, by their numbers.
struct PartOfLot {
  std::uint64_t lot = 0;
  std::uint64_t part = 0;  ///< among the parts of all lots
};

/// The same for a part of a lot: what distributions with lot_sigma have in common within a lot is
/// drawn from (seed, lot), all else from (seed, part). Over lots and parts the values have the
/// distributions and the correlations of the configuration; in a sweep, each trial's part comes
/// from a lot of its own.
TrialParameters sample_at(const SweepConfig& config, const IntendedPlacement& intended,
                          std::uint64_t seed, const PartOfLot& part);
std::vector<double> sample_uncertain(const SweepConfig& config, std::uint64_t seed,
                                     const PartOfLot& part);

/// What the noise of a trial adds to its placement.
struct PlacementNoise {
  double x_mm = 0.0;
  double y_mm = 0.0;
  double theta_rad = 0.0;
};

/// The noise in sample_trial(config, index), as it was drawn: to the last bit, which the difference
/// of the placements is not.
PlacementNoise sample_noise(const SweepConfig& config, std::int64_t index);

/// The uncertain numbers of a sweep's trials as columns of a table: one for each, named by its key.
/// The configuration must live as long.
class UncertainColumns {
 public:
  explicit UncertainColumns(const SweepConfig& config) : config_(&config) {}

  [[nodiscard]] std::size_t size() const { return config_->uncertain.size(); }
  [[nodiscard]] const std::string& key(std::size_t k) const { return config_->uncertain[k].key; }
  [[nodiscard]] const SweepConfig& config() const { return *config_; }

  /// The values in trial `index`.
  [[nodiscard]] std::vector<double> of(std::int64_t index) const {
    if (size() == 0) return {};
    return sample_uncertain(*config_, index);
  }

 private:
  const SweepConfig* config_;
};

}  // namespace graspmap
