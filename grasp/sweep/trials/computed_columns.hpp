#pragma once

#include <span>
#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// What no store has of its trials, as columns of a table of them:
/// - how each phase of the configuration's program ends: phase_1_end_time_s, phase_1_part_x_mm,
///   phase_1_part_y_mm, phase_1_part_theta_rad (the part's frame in the gripper's),
///   phase_1_opening_mm, and so on; found by simulating again, which gives the same bits;
/// - with [hold], hold_factor of the trials in which both jaws hold the part.
/// The configuration must live as long.
class ComputedColumns {
 public:
  explicit ComputedColumns(const SweepConfig& config) : config_(config) {}

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::string key(std::size_t k) const;

  /// The values in some trials, size() for each; NaN where a trial has no value. In parallel.
  [[nodiscard]] std::vector<double> of(const std::vector<TrialRow>& trials) const;

  /// The same of a trial that was just simulated, in its own scenario.
  [[nodiscard]] std::vector<double> of(const Scenario& scenario, const TrialRow& row,
                                       const std::vector<PhaseEnd>& phase_ends) const;

 private:
  const SweepConfig& config_;
};

/// The hold factor of a trial of a sweep by [hold]; NaN where the jaws do not hold the part, or it
/// could not be found.
double held_factor(const SweepConfig& config, const TrialRow& row);

/// Passes rows on with the values of these columns, in blocks where there are any.
class RowsWithColumns {
 public:
  explicit RowsWithColumns(const ComputedColumns& columns) : columns_(columns) {}

  [[nodiscard]] const ComputedColumns& columns() const { return columns_; }

  /// Calls write(row, values) for this row and those before it that have not been passed on, or
  /// keeps it.
  template <typename Write>
  void add(const TrialRow& row, const Write& write) {
    if (columns_.size() == 0) return write(row, std::span<const double>());
    rows_.push_back(row);
    if (rows_.size() == kBlock) pass_on(write);
  }

  /// Passes on all that were kept.
  template <typename Write>
  void pass_on(const Write& write) {
    const std::vector<double> values = columns_.of(rows_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      write(rows_[i], std::span(values).subspan(i * columns_.size(), columns_.size()));
    }
    rows_.clear();
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  ComputedColumns columns_;
  std::vector<TrialRow> rows_;
};

}  // namespace graspmap
