#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "grasp/decide/calibrate/outcome_model.hpp"
#include "grasp/decide/calibrate/unknowns.hpp"

namespace graspmap {

/// What the stored trials of a run say of each cell under other laws of friction. `data` and
/// `unknowns` must live as long as the model.
class StoredModel final : public OutcomeModel {
 public:
  /// Learned from `trials`, some of those in `data`.
  StoredModel(const CalibrationData& data, std::span<const EmulatorTrial> trials,
              const Unknowns& unknowns, std::optional<EmulatorBandwidths> bandwidths = {});

  [[nodiscard]] const EmulatorBandwidths& bandwidths() const { return emulator_.bandwidths(); }
  [[nodiscard]] std::vector<CellPrediction> predict(std::span<const double> point) const override;
  [[nodiscard]] double log_likelihood(std::span<const double> point) const override {
    return graspmap::log_likelihood(data_.cells, predict(point));
  }
  /// The share of the stored trials that is effective under the laws at a point.
  [[nodiscard]] double efficiency(std::span<const double> point) const;

 private:
  /// The shares of the emulator's bins of both inputs.
  [[nodiscard]] std::array<std::vector<double>, 2> shares(std::span<const double> point) const;

  const CalibrationData& data_;
  const Unknowns& unknowns_;
  SuccessEmulator emulator_;
  /// Half a trial: the probability that is taken for certain failure, 1 minus it for success.
  std::vector<double> floor_;
  std::vector<double> failed_squared_;
};

}  // namespace graspmap
