#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "grasp/base/probability/stratified.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// A placement as three numbers: x (mm), y (mm), theta (rad).
using PlacementVector = std::array<double, 3>;

/// Success over the intended placement, estimated from trials: the trials of each cell with where
/// they were intended, uniform in the cell. Cells are numbered as in SuccessMap::cells: x fastest,
/// then y, then theta.
class SuccessField {
 public:
  struct Trial {
    PlacementVector at{};  ///< intended, without the noise
    Outcome outcome = Outcome::kFailed;
    std::size_t source = 0;  ///< its place in the samples that the field was made of
  };

  /// `samples` in the order of their index.
  SuccessField(const std::array<Axis, 3>& axes, const std::vector<TrialSample>& samples,
               SweepPoints points = SweepPoints::kIndependent);

  /// That of angles has a period where it is a whole turn.
  [[nodiscard]] const std::array<Axis, 3>& axes() const { return axes_; }
  [[nodiscard]] std::size_t cells() const { return map_.cells.size(); }
  [[nodiscard]] std::size_t cell(int i, int j, int k) const { return map_.index(i, j, k); }
  /// The trials of a cell, in the order of their index: [begin, end).
  [[nodiscard]] const Trial* begin(std::size_t cell) const { return trials_.data() + first_[cell]; }
  [[nodiscard]] const Trial* end(std::size_t cell) const { return begin(cell + 1); }
  [[nodiscard]] const CellCounts& counts(std::size_t cell) const { return map_.cells[cell]; }
  /// How the outcome of a trial in a cell varies: as its trials did; where they all came out alike,
  /// as its neighbours let one believe (grasp/sweep/adaptive/cell_beliefs.hpp).
  [[nodiscard]] const StratumSpread& spread(std::size_t cell) const { return spreads_[cell]; }
  [[nodiscard]] std::size_t trials() const { return trials_.size(); }
  /// The trials of a cell belong in turn to two nets that are independent of each other.
  [[nodiscard]] bool has_nets() const { return has_nets_; }

  /// The field of every second trial of each cell: 0 the first, third, ...; 1 the others. Where
  /// the trials are two nets it is one of them.
  [[nodiscard]] SuccessField half(int which) const;

 private:
  using CellTrials = std::vector<std::vector<Trial>>;
  SuccessField(const std::array<Axis, 3>& axes, const CellTrials& of_cell);
  static CellTrials by_cell(const std::array<Axis, 3>& axes,
                            const std::vector<TrialSample>& samples);

  std::array<Axis, 3> axes_;
  SuccessMap map_;
  std::vector<Trial> trials_;       ///< cell by cell
  std::vector<std::size_t> first_;  ///< of each cell; one more for the end
  std::vector<StratumSpread> spreads_;
  bool has_nets_ = false;
};

}  // namespace graspmap
