#pragma once

#include <numbers>
#include <optional>
#include <vector>

#include "geometry/outline.hpp"

namespace graspmap {

/// The loop the other way round, from the same point. Its elements keep their names, numbers
/// included: what was edge 7 is called that.
OutlineLoop reversed(const OutlineLoop& loop);

/// The outline with its outer chain counter-clockwise and its holes clockwise, see `reversed`.
Outline oriented(Outline outline);

/// How far a finger without a width, and every finger's shaft, reaches.
inline constexpr double kFingerReach_mm = 10'000.0;

/// A finger of a common form: a rectangle that reaches down from the fingertips' top edge, with a
/// tip, a step and a groove. Lengths of 0 leave a feature out.
///
///        x = 0            width_mm
///          |                 |
///   y = 0  .    (tip)________   top
///          .   /             |       step_depth_mm: from x = 0 to the set back tip
///          .  |              |       step_height_mm: from the ledge to y = 0
///          |--' ledge        |
///   inside |                 |
///           \ groove_upper   |
///            >               |       groove_position_mm: y of its bottom, groove_depth_mm: x of it
///           / groove_lower   |       groove_angle_rad: between its sides
///          |                 | outside
///
/// A pad is the end of a finger that comes from above: finite, its middle at y = 0, both corners of
/// its inside with the tip's arc or chamfer. A groove may be round instead of a V.
struct FingerShape {
  double width_mm = kFingerReach_mm;              ///< > 0
  double tip_radius_mm = 0.0;                     ///< of the arc in place of the fingertip's corner
  double tip_chamfer_mm = 0.0;                    ///< length of top that a chamfer takes
  double tip_chamfer_rad = std::numbers::pi / 4;  ///< between chamfer and inside, in (0, pi/2)
  double step_depth_mm = 0.0;
  double step_height_mm = 0.0;
  double groove_depth_mm = 0.0;
  double groove_angle_rad = std::numbers::pi / 2;  ///< in (0, pi)
  double groove_position_mm = 0.0;
  double groove_radius_mm = 0.0;  ///< > 0: of a round groove, at least its depth
  double pad_width_mm = 0.0;      ///< > 0: a pad, its length along y
  double pad_depth_mm = 0.0;      ///< of a pad, in place of width_mm

  [[nodiscard]] bool is_pad() const { return pad_width_mm > 0.0; }
  /// From the inside edge to the outside.
  [[nodiscard]] double depth_mm() const { return is_pad() ? pad_depth_mm : width_mm; }
  /// The y of the top edge, and of the inside edge's lower end.
  [[nodiscard]] double top_mm() const { return 0.5 * pad_width_mm; }
  [[nodiscard]] double inside_end_mm() const;
  /// Length of the inside that tip radius or chamfer take.
  [[nodiscard]] double tip_height_mm() const;
  /// Half the height of the groove's mouth.
  [[nodiscard]] double groove_half_height_mm() const;
};

/// True when the lengths are no less than 0, the angles in their ranges, and the features fit into
/// the finger without an overlap.
bool fits(const FingerShape& shape);

/// The shape as an outline in the right finger's frame. Its elements are named "top", "tip" (the
/// arc), "chamfer", "set_back" (the inside above a step), "ledge", "inside", "groove_upper",
/// "groove_lower", "groove" (a round one), "base" and "outside"; the lower corner of a pad is
/// "tip_lower" or "chamfer_lower". It must fit.
Outline finger_outline(const FingerShape& shape);

}  // namespace graspmap
