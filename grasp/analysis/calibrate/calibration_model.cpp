#include "grasp/analysis/calibrate/calibration_model.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

/// log of the beta-binomial probability of s of n but for the binomial coefficient, which no law
/// changes: (p nu)_s ((1 - p) nu)_(n-s) / (nu)_n with rising factorials.
double log_beta_binomial(std::int64_t s, std::int64_t n, double p, double nu) {
  double log_sum = 0;
  double product = 1;
  const auto multiply = [&](double factor) {
    product *= factor;
    if (product > 1e-280) return;
    log_sum += std::log(product);
    product = 1;
  };
  for (std::int64_t k = 0; k < n; ++k) {
    const double drawn = static_cast<double>(k < s ? k : k - s);
    const double weight = k < s ? p * nu : (1 - p) * nu;
    multiply((weight + drawn) / (nu + static_cast<double>(k)));
  }
  return log_sum + std::log(product);
}

SuccessEmulator make_emulator(const CalibrationData& data, std::span<const EmulatorTrial> trials,
                              std::optional<EmulatorBandwidths> bandwidths) {
  constexpr int kBins = 32;
  EmulatorSettings settings;
  settings.bins_a = data.ranges[0].is_fixed() ? 1 : kBins;
  settings.bins_b = data.ranges[1].is_fixed() ? 1 : kBins;
  settings.bandwidths = bandwidths;
  return {data.cells.size(), trials, settings};
}

std::vector<double> bin_shares_of(const FrictionRange& range, const Distribution& law, int bins) {
  if (bins == 1) return {1.0};
  return bin_shares(
      bins, [&](double u) { return cumulative(law, range.low + u * (range.high - range.low)); });
}

}  // namespace

const char* name(LawFamily family) {
  switch (family) {
    case LawFamily::kUniform:
      return "uniform";
    case LawFamily::kNormal:
      return "normal";
  }
  return "";
}

Distribution law_at(LawFamily family, const FrictionRange& range, double u1, double u2) {
  if (range.is_fixed()) return {.kind = DistributionKind::kFixed, .mean = range.low};
  const double width = range.high - range.low;
  constexpr double kLeast = 1e-6;  // of the range: a law has a width
  switch (family) {
    case LawFamily::kUniform: {
      const double max = range.low + width * std::max(std::sqrt(u1), 2 * kLeast);
      const double min = range.low + (max - range.low) * std::min(u2, 1 - kLeast);
      return {.kind = DistributionKind::kUniform, .min = min, .max = max};
    }
    case LawFamily::kNormal:
      return {DistributionKind::kTruncatedNormal, range.low + width * u1,
              width * std::max(u2, kLeast) / 2, range.low, range.high};
  }
  return {};
}

/// Of a truncated normal with density f: mean + sigma^2 (f(min) - f(max)).
double mean_of_law(const Distribution& law) {
  if (law.kind == DistributionKind::kFixed) return law.mean;
  if (law.kind == DistributionKind::kUniform) return (law.min + law.max) / 2;
  return law.mean + law.sigma * law.sigma * (density(law, law.min) - density(law, law.max));
}

CalibrationModel::CalibrationModel(const CalibrationData& data,
                                   std::span<const EmulatorTrial> trials, LawFamily family,
                                   std::optional<EmulatorBandwidths> bandwidths)
    : data_(data), family_(family), emulator_(make_emulator(data, trials, bandwidths)) {
  for (const CalibrationCell& cell : data.cells) {
    const auto n = static_cast<double>(cell.stored_trials);
    floor_.push_back(0.5 / (n + 1));
    const double share =
        static_cast<double>(cell.stored_failed) / (n + static_cast<double>(cell.stored_failed));
    failed_squared_.push_back(share * share);
  }
}

int CalibrationModel::dimension() const {
  int free = 0;
  for (const FrictionRange& range : data_.ranges) free += range.is_fixed() ? 0 : 2;
  return free;
}

std::array<Distribution, 2> CalibrationModel::laws(std::span<const double> point) const {
  std::array<Distribution, 2> laws;
  std::size_t next = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const FrictionRange& range = data_.ranges[k];
    const bool fixed = range.is_fixed();
    laws[k] = law_at(family_, range, fixed ? 0 : point[next], fixed ? 0 : point[next + 1]);
    next += fixed ? 0 : 2;
  }
  return laws;
}

std::vector<CellPrediction> CalibrationModel::predict(std::span<const double> point) const {
  const auto [jaw, support] = shares(point);
  std::vector<EmulatedProbability> emulated(data_.cells.size());
  emulator_.predict(jaw, support, emulated);
  std::vector<CellPrediction> cells;
  cells.reserve(emulated.size());
  for (std::size_t k = 0; k < emulated.size(); ++k) {
    const double p = std::clamp(emulated[k].value, floor_[k], 1 - floor_[k]);
    cells.push_back({p, 1 / (1 / emulated[k].effective_trials + failed_squared_[k])});
  }
  return cells;
}

double CalibrationModel::efficiency(std::span<const double> point) const {
  const auto [jaw, support] = shares(point);
  return emulator_.efficiency(jaw, support);
}

double CalibrationModel::log_likelihood(std::span<const double> point) const {
  const std::vector<CellPrediction> expected = predict(point);
  double sum = 0;
  for (std::size_t k = 0; k < data_.cells.size(); ++k) {
    const ExperimentCell& cell = data_.cells[k].experiment;
    sum += log_beta_binomial(cell.successes, cell.trials, expected[k].probability,
                             expected[k].effective_trials);
  }
  return sum;
}

std::array<std::vector<double>, 2> CalibrationModel::shares(std::span<const double> point) const {
  const auto law = laws(point);
  return {bin_shares_of(data_.ranges[0], law[0], emulator_.bins_a()),
          bin_shares_of(data_.ranges[1], law[1], emulator_.bins_b())};
}

}  // namespace graspmap
