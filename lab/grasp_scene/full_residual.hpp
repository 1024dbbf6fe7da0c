#pragma once

#include "lab/grasp_scene/grasp_scene.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {

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
