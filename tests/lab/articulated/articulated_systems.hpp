#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/articulated/link_kinematics.hpp"
#include "lab/articulated/simulate_articulated.hpp"
#include "tests/support/keep_largest.hpp"

namespace graspmap::testing {

/// The largest distance |closure_gap| at a system's start, mm; 0 without closures.
inline double worst_start_gap_mm(const ArticulatedSystem& system) {
  std::vector<LinkKinematics> links;
  place_links(system, coordinate_layout(system), start_state(system).q, links);
  double worst = 0.0;
  for (const Closure& closure : system.closures) {
    keep_largest(worst, closure_gap(closure, links).norm());
  }
  return worst;
}

inline const std::vector<ContactSolver> kContactSolvers{
    ContactSolver::kMlcpLemke, ContactSolver::kMlcpPfbRlm, ContactSolver::kMlcpPfbPlm,
    ContactSolver::kMncpRlm, ContactSolver::kMncpPlm};

/// A uniform sphere of 1 kg and 1 m radius that slides on a plane at 2 m/s: example B1,
/// Mylapilli and Jain 2017, section 6.1.
inline ArticulatedSystem sliding_sphere() {
  ArticulatedSystem system;
  Link sphere;
  sphere.name = "sphere";
  sphere.joint.kind = JointKind::kFree;
  sphere.mass_kg = 1.0;
  sphere.inertia_kg_mm2 = 0.4e6 * Mat3::Identity();
  sphere.ball = LinkBall{Vec3::Zero(), 1000.0};
  sphere.position.resize(7);
  sphere.position << 0.0, 0.0, 1000.0, 1.0, 0.0, 0.0, 0.0;
  sphere.velocity.resize(6);
  sphere.velocity << 2000.0, 0.0, 0.0, 0.0, 0.0, 0.0;
  system.links = {sphere};
  system.obstacles = {{"plane", Vec3::Zero(), Vec3::UnitZ()}};
  system.mu = 0.2;
  return system;
}

/// Spheres of 1 kg and half a metre across at the ends of massless links of 1 m with pins about x,
/// the first at G's origin, straight at 45 degrees to the left (-y): example B2, section 6.2. Floor
/// 10 m below, wall 4 m to the right. The first pin turns at `speed_rad_s`, to the right when > 0.
inline ArticulatedSystem pendulum_chain(int count, double speed_rad_s) {
  ArticulatedSystem system;
  for (int i = 0; i < count; ++i) {
    Link link;
    link.parent = i - 1;
    link.joint.at_mm = i == 0 ? Vec3(Vec3::Zero()) : Vec3(0.0, 0.0, -1000.0);
    link.mass_kg = 1.0;
    link.centre_of_mass_mm = {0.0, 0.0, -1000.0};
    link.inertia_kg_mm2 = 0.4 * 250.0 * 250.0 * Mat3::Identity();
    link.ball = LinkBall{link.centre_of_mass_mm, 250.0};
    link.position = Eigen::VectorXd::Constant(1, i == 0 ? -0.25 * M_PI : 0.0);
    link.velocity = Eigen::VectorXd::Constant(1, i == 0 ? speed_rad_s : 0.0);
    system.links.push_back(link);
  }
  system.obstacles = {{"floor", {0.0, 0.0, -10000.0}, Vec3::UnitZ()},
                      {"wall", {0.0, 4000.0, 0.0}, -Vec3::UnitY()}};
  system.mu = 0.5;
  system.restitution = 0.7;
  return system;
}

}  // namespace graspmap::testing
