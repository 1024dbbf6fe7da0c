#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "grasp/store/trial_samples.hpp"
#include "grasp/trials/success_map.hpp"

namespace graspmap {

/// A placement as three numbers: x (mm), y (mm), theta (rad).
using PlacementVector = std::array<double, 3>;

/// One coordinate of the placement with its cells, in mm or rad. One cell with min == max is one
/// value that all trials share.
struct FieldAxis {
  double min = 0.0;
  double max = 0.0;
  int cells = 1;

  [[nodiscard]] bool is_fixed() const { return min == max; }
  [[nodiscard]] double cell_size() const { return (max - min) / cells; }
  [[nodiscard]] double cell_min(int i) const { return min + i * cell_size(); }
  [[nodiscard]] double cell_max(int i) const { return i + 1 == cells ? max : cell_min(i + 1); }
  [[nodiscard]] double cell_center(int i) const { return min + (i + 0.5) * cell_size(); }
  /// The cell that holds a value; of a value outside of the axis the nearest one.
  [[nodiscard]] int cell_of(double value) const;
  [[nodiscard]] bool contains(double value) const { return value >= min && value <= max; }
};

/// Success over the intended placement as the trials tell it: the trials of each cell with where
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
  SuccessField(const std::array<FieldAxis, 3>& axes, const std::vector<TrialSample>& samples);

  [[nodiscard]] const std::array<FieldAxis, 3>& axes() const { return axes_; }
  [[nodiscard]] std::size_t cells() const { return counts_.size(); }
  [[nodiscard]] std::size_t cell(int i, int j, int k) const {
    return static_cast<std::size_t>((k * axes_[1].cells + j) * axes_[0].cells + i);
  }
  /// The trials of a cell, in the order of their index: [begin, end).
  [[nodiscard]] const Trial* begin(std::size_t cell) const { return &trials_[0] + first_[cell]; }
  [[nodiscard]] const Trial* end(std::size_t cell) const { return &trials_[0] + first_[cell + 1]; }
  [[nodiscard]] const CellCounts& counts(std::size_t cell) const { return counts_[cell]; }
  [[nodiscard]] std::size_t trials() const { return trials_.size(); }

  /// The field of every second trial of each cell: 0 the first, third, ...; 1 the others.
  [[nodiscard]] SuccessField half(int which) const;

 private:
  SuccessField() = default;

  std::array<FieldAxis, 3> axes_;
  std::vector<Trial> trials_;  ///< cell by cell
  std::vector<std::size_t> first_;
  std::vector<CellCounts> counts_;
};

/// The axes of a sweep; that of the angle has one value when the sweep has.
std::array<FieldAxis, 3> field_axes(const PlacementSweep& placement);

}  // namespace graspmap
