#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// How each phase of a configuration's program ends, as columns of a table of its trials:
/// phase_1_end_time_s, phase_1_part_x_mm, phase_1_part_y_mm, phase_1_part_theta_rad (the part's
/// frame in the gripper's), phase_1_opening_mm, and so on. The trials are simulated again, which
/// gives the same bits. The configuration must live as long.
class PhaseColumns {
 public:
  /// None where there is no configuration, or it has no program.
  explicit PhaseColumns(const SweepConfig* config = nullptr) : config_(config) {}

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::string key(std::size_t k) const;

  /// The values in some trials, size() for each; NaN in phases that were not reached. In parallel.
  [[nodiscard]] std::vector<double> of(const std::vector<std::int64_t>& trials) const;

 private:
  const SweepConfig* config_;
};

/// The values of the columns at the ends of a trial's phases.
std::vector<double> phase_values(const Scenario& scenario, const std::vector<PhaseEnd>& ends);

/// Passes rows on with the values of these columns, in blocks where there are any.
class RowsWithPhases {
 public:
  explicit RowsWithPhases(const PhaseColumns& columns) : columns_(columns) {}

  [[nodiscard]] const PhaseColumns& columns() const { return columns_; }

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
    std::vector<std::int64_t> trials;
    for (const TrialRow& row : rows_) trials.push_back(row.index);
    const std::vector<double> values = columns_.of(trials);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      write(rows_[i], std::span(values).subspan(i * columns_.size(), columns_.size()));
    }
    rows_.clear();
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  PhaseColumns columns_;
  std::vector<TrialRow> rows_;
};

}  // namespace graspmap
