#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "grasp/decide/calibrate/outcome_model.hpp"

namespace graspmap {

/// Standard deviations, in bins, of the Gaussian kernel with which stored trials are averaged.
struct KernelWidths {
  double jaw = 0.0;
  double support = 0.0;
};

/// What the stored trials of a run say of each cell under other distributions of friction: p =
/// sum_b v_b g_b, with v_b the shares of the bins of both coefficients under the distributions.
///
/// g is the average of the cell's trials (Nadaraya 1964, Watson 1964) over bins with a Gaussian
/// kernel. Its widths have the least squared error (Brier 1950) of each trial predicted from all
/// others of its cell. A width is 0 or at least two bins: a distribution sums over bins, which
/// lessens the noise as well, but what the kernel smears looks like a broader distribution. Where
/// success depends little on a coefficient, a wide kernel keeps noise from looking as if it did.
///
/// Effective trials: those of the cell times 1 / sum_b u_b^2 / q_b for each coefficient (Kish
/// 1965), with u the shares v after the kernel and q the shares of the trials.
class StoredModel final : public OutcomeModel {
 public:
  /// Learned from `trials`, some of those in `data`; without widths with those of least error.
  /// `data` and `unknowns` must live as long as the model.
  StoredModel(const CalibrationData& data, std::span<const StoredTrial> trials,
              const Unknowns& unknowns, std::optional<KernelWidths> widths = {});

  [[nodiscard]] const KernelWidths& widths() const { return widths_; }
  [[nodiscard]] std::vector<CellPrediction> predict(std::span<const double> point) const override;
  /// The share of the stored trials that is effective under the distributions at a point, without
  /// the kernel: 1 / sum_b v_b^2 / q_b; 0 when a bin has no trials.
  [[nodiscard]] double efficiency(std::span<const double> point) const;

 private:
  void count(std::span<const StoredTrial> trials);
  [[nodiscard]] double squared_error(const KernelWidths& widths) const;
  [[nodiscard]] KernelWidths best_widths() const;
  void fit();
  [[nodiscard]] std::size_t bins() const { return share_[0].size() * share_[1].size(); }
  /// The shares of the bins of both coefficients under the distributions at a point.
  [[nodiscard]] std::array<std::vector<double>, 2> shares(std::span<const double> point) const;

  const CalibrationData& data_;
  const Unknowns& unknowns_;
  KernelWidths widths_;
  std::vector<double> trials_;  ///< by cell and bin: cell by cell, then jaw, support fastest
  std::vector<double> successes_;
  std::array<std::vector<double>, 2> share_;  ///< of all trials in the bins of jaw and support
  std::vector<double> cell_trials_;
  std::vector<float> value_;  ///< by cell and bin; in single precision, for it is read very often
  std::vector<bool> is_constant_;  ///< of each cell: one value in all bins
};

}  // namespace graspmap
