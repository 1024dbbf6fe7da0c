#include "grasp/decide/calibrate/stored_model.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

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

StoredModel::StoredModel(const CalibrationData& data, std::span<const EmulatorTrial> trials,
                         const Unknowns& unknowns, std::optional<EmulatorBandwidths> bandwidths)
    : data_(data), unknowns_(unknowns), emulator_(make_emulator(data, trials, bandwidths)) {
  for (const CalibrationCell& cell : data.cells) {
    const auto n = static_cast<double>(cell.stored_trials);
    floor_.push_back(0.5 / (n + 1));
    const double share =
        static_cast<double>(cell.stored_failed) / (n + static_cast<double>(cell.stored_failed));
    failed_squared_.push_back(share * share);
  }
}

std::vector<CellPrediction> StoredModel::predict(std::span<const double> point) const {
  const auto [jaw, support] = shares(point);
  std::vector<EmulatedProbability> emulated(data_.cells.size());
  emulator_.predict(jaw, support, emulated);
  std::vector<CellPrediction> cells;
  cells.reserve(emulated.size());
  for (std::size_t k = 0; k < emulated.size(); ++k) {
    const double p = std::clamp(emulated[k].value, floor_[k], 1 - floor_[k]);
    // A law that reaches where no trial is has none: its counts are as uncertain as can be.
    const double trials = std::max(emulated[k].effective_trials, 1e-6);
    cells.push_back({p, 1 / (1 / trials + failed_squared_[k])});
  }
  return cells;
}

double StoredModel::efficiency(std::span<const double> point) const {
  const auto [jaw, support] = shares(point);
  return emulator_.efficiency(jaw, support);
}

std::array<std::vector<double>, 2> StoredModel::shares(std::span<const double> point) const {
  return {bin_shares_of(data_.ranges[0], unknowns_.friction_law(point, 0), emulator_.bins_a()),
          bin_shares_of(data_.ranges[1], unknowns_.friction_law(point, 1), emulator_.bins_b())};
}

}  // namespace graspmap
