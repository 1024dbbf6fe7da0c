#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lab/validation/validation_context.hpp"

namespace graspmap {

/// A whole run in space in which one body moves against fixed ones.
struct SpatialRun {
  std::size_t body = 0;                ///< the first that is not fixed
  std::vector<SpatialSnapshot> shown;  ///< the start and every step
  std::vector<double> computing_s;     ///< of each snapshot's step; 0 for the start
  SceneRun run;

  [[nodiscard]] const Pose3& pose(const SpatialSnapshot& at) const { return at.poses[body]; }
  [[nodiscard]] const Twist& velocity(const SpatialSnapshot& at) const {
    return at.velocities[body];
  }
  [[nodiscard]] Vec3 position_m(const SpatialSnapshot& at) const {
    return kMetresPerMillimetre * pose(at).position_mm;
  }
  [[nodiscard]] Vec3 velocity_m_s(const SpatialSnapshot& at) const {
    return kMetresPerMillimetre * velocity(at).head<3>();
  }
  /// The snapshot at a time, to half a step.
  [[nodiscard]] const SpatialSnapshot& at_s(double time_s) const;
  [[nodiscard]] const SpatialSnapshot& end() const { return shown.back(); }
};

/// Runs a scene to its end, or to the step that failed.
SpatialRun watch_spatial(const SpatialSceneFile& file);

/// The contact that carries the largest impulse on a body, seen from it; null: none does.
struct FeltContact {
  const SpatialContact* contact = nullptr;
  Vec3 arm_mm = Vec3::Zero();         ///< from the centre of mass to the (equivalent) contact point
  Vec3 friction_mn_s = Vec3::Zero();  ///< tangential impulse on the body
  int facets = 0;  ///< of the body's functions with multipliers that are not zero
};
FeltContact felt_contact(const SpatialSnapshot& at, std::size_t body);

/// A quantity of all snapshots over time, in a figure.
template <typename Value>
Curve curve_of(const SpatialRun& seen, const std::string& title, Value value,
               const std::string& style = {}) {
  Curve curve{title, {}, {}, style};
  for (const SpatialSnapshot& at : seen.shown) {
    curve.add(at.time_s, value(at));
  }
  return curve;
}

/// The largest of a quantity over all steps.
template <typename Value>
double largest_of(const SpatialRun& seen, Value value) {
  double largest = 0.0;
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    largest = std::max(largest, value(seen.shown[i]));
  }
  return largest;
}

/// The height of the lowest point of a body above z = 0, mm.
double lowest_point_mm(const SpatialSceneFile& file, const SpatialSnapshot& at, std::size_t body);

/// Adds the rows of Xie and Chakraborty 2020, section V: given the velocities at a step's end, the
/// equations of motion and the plane of contact determine the contact's impulses and the equivalent
/// contact point (eq. (20)-(28)), where p_n > 0. They are solved for the steps of a run in which
/// the body has one contact with a fixed half-space that carries 1 per cent of its weight or more,
/// and compared with what the time-stepper found together with the motion. `run` says which.
void add_contact_uniqueness(const std::string& run, const SpatialSceneFile& file,
                            const SpatialRun& seen, ExampleReport& report);

}  // namespace graspmap
