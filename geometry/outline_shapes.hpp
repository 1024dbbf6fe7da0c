#pragma once

#include <optional>
#include <vector>

#include "geometry/outline.hpp"

namespace graspmap {

/// The closed polygon through the points, in their order.
OutlineLoop polygon_loop(const std::vector<Vec2>& points_mm);

/// A circle, counter-clockwise: two half circles, the first from the rightmost point.
OutlineLoop circle_loop(const Vec2& center_mm, double radius_mm);

/// A rectangle with sides along the axes, counter-clockwise from its lower left corner.
OutlineLoop rectangle_loop(double width_mm, double height_mm, const Vec2& center_mm = {0, 0});

/// A regular polygon of an even number of sides, at least 4, counter-clockwise. Element 0 is the
/// right one of the vertical sides; `across_flats_mm` is the distance of opposite sides.
OutlineLoop regular_polygon_loop(int sides, double across_flats_mm, const Vec2& center_mm = {0, 0});

/// The loop the other way round, from the same point. Its elements keep their names, numbers
/// included: what was edge 7 is called that.
OutlineLoop reversed(const OutlineLoop& loop);

/// The outline with its outer chain counter-clockwise and its holes clockwise, see `reversed`.
Outline oriented(Outline outline);

/// The loop with an arc of the given radius, tangent to both, between the segments that meet at the
/// begin of element `corner`; the arc becomes element `corner`. A segment that is used up goes.
/// Nothing when one of the two is an arc, when they are parallel, or too short.
std::optional<OutlineLoop> filleted(const OutlineLoop& loop, std::size_t corner, double radius_mm);

/// The same with a segment that cuts `length_mm` off either one.
std::optional<OutlineLoop> chamfered(const OutlineLoop& loop, std::size_t corner, double length_mm);

/// The loop with a fillet at each corner between two segments, inner corners included. Nothing when
/// one does not fit.
std::optional<OutlineLoop> rounded(const OutlineLoop& loop, double radius_mm);

}  // namespace graspmap
