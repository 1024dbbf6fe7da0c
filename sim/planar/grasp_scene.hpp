#pragma once

#include "geometry/closest_points.hpp"
#include "sim/model.hpp"
#include "sim/planar/scene.hpp"

namespace graspmap {

/// The bodies of a grasp as a planar scene.
inline constexpr int kPartBody = 0;  ///< its shapes are the part's pieces, in their order
inline constexpr int kRightJawBody = 1;
inline constexpr int kLeftJawBody = 2;

/// A piece as the scene's part has it, about the centre of mass: itself, or its inscribed polygon
/// where the scenario says so.
PlacedShape piece_shape(const Scenario& scenario, const Piece& piece);

/// A jaw about its fingertip's vertex: two half-planes, 000_14f00f4ae61b7d54.txt eq. (58)-(61).
RoundedPolygon jaw_shape(JawSide side);

/// The grasp of a trial as a planar scene in the gripper's frame: the part with its pieces (as
/// polygons, where the scenario says so) on the table, and two jaws that slide along x under the
/// closing law F - c v, 000_14f00f4ae61b7d54.txt eq. (56)-(61). The generalised velocities are
/// those of the part and of the jaws: one for both with the symmetric coupling, else two. The
/// support must be an ellipsoid.
PlanarScene grasp_scene(const Scenario& scenario, const TrialParameters& trial);

/// A grasp's state as one of its scene, and back.
PlanarState planar_state(const PlanarScene& scene, const State& state);
State grasp_state(const PlanarScene& scene, const PlanarState& state);

}  // namespace graspmap
