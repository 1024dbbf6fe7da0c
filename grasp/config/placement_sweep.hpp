#pragma once

#include <cstdint>

#include "grasp/statistics/distribution.hpp"

namespace graspmap {

/// One axis of the map: `cells` equal cells on [min, max].
struct GridAxis {
  double min_mm = 0.0;
  double max_mm = 0.0;
  int cells = 0;

  [[nodiscard]] double cell_size_mm() const { return (max_mm - min_mm) / cells; }
  [[nodiscard]] double cell_min_mm(int i) const { return min_mm + i * cell_size_mm(); }
  [[nodiscard]] double cell_max_mm(int i) const {
    return i + 1 == cells ? max_mm : cell_min_mm(i + 1);
  }
  [[nodiscard]] double cell_center_mm(int i) const { return min_mm + (i + 0.5) * cell_size_mm(); }
};

/// The angle's axis of the map: `cells` equal cells on [min, max]. With one cell and min == max it
/// is one fixed angle.
struct AngleAxis {
  double min_rad = 0.0;
  double max_rad = 0.0;
  int cells = 1;

  [[nodiscard]] double cell_size_rad() const { return (max_rad - min_rad) / cells; }
  [[nodiscard]] double cell_min_rad(int k) const { return min_rad + k * cell_size_rad(); }
  [[nodiscard]] double cell_max_rad(int k) const {
    return k + 1 == cells ? max_rad : cell_min_rad(k + 1);
  }
  [[nodiscard]] double cell_center_rad(int k) const {
    return is_fixed() ? min_rad : min_rad + (k + 0.5) * cell_size_rad();
  }
  /// Whether it is one angle, not a range of them.
  [[nodiscard]] bool is_fixed() const { return cells == 1 && min_rad == max_rad; }
};

/// The axis of one angle.
inline AngleAxis fixed_angle(double theta_rad) { return {theta_rad, theta_rad, 1}; }

/// A cell of the map, counted from 0 along each axis.
struct CellIndex {
  int x = 0;
  int y = 0;
  int theta = 0;
  friend bool operator==(const CellIndex&, const CellIndex&) = default;
};

/// The placements of a sweep: uniform in each cell, plus noise of the robot.
struct PlacementSweep {
  GridAxis x;
  GridAxis y;
  AngleAxis theta;  ///< the part's angle in the gripper's frame at the start
  Distribution noise_x_mm;
  Distribution noise_y_mm;
  Distribution noise_theta_rad;

  [[nodiscard]] int cells() const { return x.cells * y.cells * theta.cells; }
};

/// The cell of the trial with this index: indices go round the cells, x fastest, then y, then
/// theta.
CellIndex cell_of_trial(const PlacementSweep& placement, std::int64_t index);

}  // namespace graspmap
