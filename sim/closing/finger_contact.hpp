#pragma once

#include "sim/closing/contact_set.hpp"
#include "sim/closing/fingers.hpp"

namespace graspmap {

/// The contact of a superellipse with an element of a finger of outlines in configuration q,
/// continued from `point`, which is updated: on a segment the point of the piece that is furthest
/// out, or the tracked one; at a corner or an arc the boundary point closest to its centre; in a
/// hollow the one furthest from it. Where that lies beyond the element, its neighbour takes over;
/// at a reflex corner the element continues.
ClosestPoints follow_on_finger(const BodyPiece& piece, const Configuration& q, const Finger& finger,
                               JawSide side, ContactPoint& point, bool carries);

/// True when the closest points of the piece and an element lie within the element, and the normal
/// within its range but for `slack` (a sine).
bool faces_finger(const BodyPiece& piece, const Configuration& q, const Finger& finger,
                  JawSide side, int element, double slack);

}  // namespace graspmap
