#pragma once

#include <span>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/step_data.hpp"

namespace graspmap {

/// A direction in which a contact can push the part: its force, and its moment over a length; then
/// the same of what gives way on a mount. Motions v, (mm/s, mm/s, rad/s times the length), of the
/// part and of G on its mount, give way to it where push . v >= least.
struct ContactPush {
  Eigen::Matrix<double, 6, 1> push = Eigen::Matrix<double, 6, 1>::Zero();
  double least_mm_s = 0.0;
};

/// True when no velocities up to `fastest_mm_s` give way to all pushes: some of them, weighed by
/// numbers that are not negative, balance each other while what pushes moves on (Farkas' lemma).
bool excludes_all_motions(std::span<const ContactPush> pushes, double fastest_mm_s);

/// The obstacle against which a gripper that moves jams the part in a state, or -1: the friction
/// cones of the contacts of both hold the part however large the forces are. Jaws that a drive
/// moves give way, and so does a mount.
int jamming_obstacle(const TrialData& trial, BroadPhase& part, const State& state);

}  // namespace graspmap
