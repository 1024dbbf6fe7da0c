#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace graspmap {

/// One coordinate of the placement: `cells` equal cells on [min, max]. Its unit, mm or rad, is in
/// the name of what holds it. One cell with min == max is one value that all trials share.
struct Axis {
  double min = 0.0;
  double max = 0.0;
  int cells = 0;
  double period = 0.0;  ///< > 0: its length; the axis is a whole turn, whose ends are one place

  /// Whether it is one value, not a range of them.
  [[nodiscard]] bool is_fixed() const { return min == max; }
  [[nodiscard]] bool contains(double value) const { return value >= min && value <= max; }
  [[nodiscard]] double cell_size() const { return (max - min) / cells; }
  [[nodiscard]] double cell_min(int i) const { return min + i * cell_size(); }
  [[nodiscard]] double cell_max(int i) const { return i + 1 == cells ? max : cell_min(i + 1); }
  [[nodiscard]] double cell_center(int i) const { return min + (i + 0.5) * cell_size(); }
  /// A value or, on a whole turn, the one for the same place that is nearest to `place`.
  [[nodiscard]] double seen_from(double place, double value) const {
    return period > 0 ? value + period * std::round((place - value) / period) : value;
  }
  /// The cell that holds a value, outside of the axis the nearest one. Next to a bound between two
  /// cells, rounding may give the neighbour.
  [[nodiscard]] int nearest_cell(double value) const {
    if (cells == 1) return 0;
    return static_cast<int>(std::clamp((value - min) / cell_size(), 0.0, cells - 1.0));
  }
  /// The cell that holds a value; nothing when the value is not on the axis. A bound between two
  /// cells belongs to the upper one, the axis' upper end to the last.
  [[nodiscard]] std::optional<int> cell_at(double value) const {
    if (!contains(value)) return std::nullopt;
    int i = nearest_cell(value);
    while (i > 0 && value < cell_min(i)) --i;
    while (i + 1 < cells && value >= cell_min(i + 1)) ++i;
    return i;
  }
};

/// An axis of angles, with its period where it is a whole turn.
inline Axis angle_axis(Axis axis) {
  constexpr double kTyped_rad = 1e-3;  // of ends that are typed with few digits
  const double angles = axis.max - axis.min;
  if (std::abs(angles - 2.0 * std::numbers::pi) < kTyped_rad) axis.period = angles;
  return axis;
}

/// The axis of one angle.
inline Axis fixed_angle(double theta_rad) { return {theta_rad, theta_rad, 1}; }

}  // namespace graspmap
