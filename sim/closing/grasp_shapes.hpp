#pragma once

#include "geometry/closest_points.hpp"
#include "geometry/convex_shape.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// A piece as a convex shape about the part's centre of mass: itself, or its inscribed polygon
/// where the scenario says so.
PlacedShape piece_shape(const Scenario& scenario, const Piece& piece);

/// A jaw about its fingertip's vertex: two half-planes, Chakraborty et al. 2014, eq. (58)-(61).
RoundedPolygon jaw_shape(JawSide side);

/// The smallest gap of the polygon in place of a piece to a jaw, mm.
double polygon_gap_mm(const Scenario& scenario, const Piece& piece, const Configuration& q,
                      JawSide side);

}  // namespace graspmap
