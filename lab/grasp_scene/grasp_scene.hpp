#pragma once

#include "lab/planar/scene.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/trial_result.hpp"

namespace graspmap {

/// The bodies of a grasp as a planar scene.
inline constexpr int kPartBody = 0;  ///< its shapes are the part's pieces, in their order
inline constexpr int kRightJawBody = 1;
inline constexpr int kLeftJawBody = 2;

/// The smallest gap of the polygon inscribed in a piece to a jaw, mm.
double polygon_gap_mm(const Scenario& scenario, const Piece& piece, int polygon_vertices,
                      const Configuration& q, JawSide side);

/// The grasp of a trial as a planar scene in the gripper's frame: the part with its pieces, or with
/// inscribed polygons of `polygon_vertices` > 0 vertices in place of them, on the table, and two
/// jaws that slide along x under the closing law F - c v, Chakraborty et al. 2014, eq. (56)-(61).
/// The generalised velocities are those of the part and of the jaws: one for both with the
/// symmetric coupling, else two. The support must be an ellipsoid.
PlanarScene grasp_scene(const Scenario& scenario, const TrialParameters& trial,
                        int polygon_vertices = 0);

/// A grasp's state as one of its scene, and back.
PlanarState planar_state(const PlanarScene& scene, const State& state);
State grasp_state(const PlanarScene& scene, const PlanarState& state);

/// A step of a simulated grasp, kept from an observer.
struct RecordedGraspStep {
  State start;
  State end;
  double h = 0.0;
  std::vector<ContactRecord> contacts;
  Vec3 support_impulse = Vec3::Zero();  ///< on the part
};

/// The scaled natural residual of the full problem (FullMncp) at the velocities and impulses of a
/// recorded step: how well a condensed step solves the full one. Friction between a part that the
/// table holds and a jaw that slides past it may have any of several values; steps like that have
/// several solutions, all with a small residual.
double full_residual(const PlanarScene& scene, const RecordedGraspStep& step);

}  // namespace graspmap
