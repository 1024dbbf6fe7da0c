#pragma once

#include <Eigen/Core>
#include <vector>

#include "sim/mcp/problem.hpp"

namespace graspmap {

using Vec3d = Eigen::Vector3d;
using Twist = Eigen::Matrix<double, 6, 1>;

/// A sphere that moves in contact with fixed spheres, each with elliptic friction
/// (e_t, e_o along the surface, e_r about the normal): example 2 of 000_14f00f4ae61b7d54.txt,
/// section 6.2. Units are the caller's, as long as they fit together; the paper prints none.
struct SphereOnSpheres {
  double radius = 1.0;
  double mass = 1.0;
  double inertia = 0.4;
  Twist applied = Twist::Zero();  ///< force and moment
  struct Fixed {
    Vec3d centre = Vec3d::Zero();
    double radius = 1.0;
  };
  std::vector<Fixed> fixed;
  double mu = 0.0;
  double e_t = 1.0;
  double e_o = 1.0;
  double e_r = 0.0;
};

struct SphereState {
  double time = 0.0;
  Vec3d centre = Vec3d::Zero();
  Twist velocity = Twist::Zero();  ///< of the centre, and angular
};

/// A contact with a fixed sphere at the end of a step, impulses divided by h.
struct SphereContact {
  double normal_force = 0.0;
  double friction_force = 0.0;  ///< |(lambda_t, lambda_o)|
  double sigma = 0.0;  ///< sqrt(e_t^2 v_t^2 + e_o^2 v_o^2 + e_r^2 v_r^2); 0 without a force
};

struct SphereStep {
  mcp::Status status = mcp::Status::kIterationLimit;
  double residual = 0.0;
  SphereState end;
  std::vector<SphereContact> contacts;  ///< as the fixed spheres
};

/// One geometrically implicit step, eq. (21)-(22) with the closest points in closed form: 6 + 5 n_c
/// unknowns (nu; p_n, p_t, p_o, p_r over mu p_n, sigma), gaps and contact frames at the end of the
/// step. A pure function of its arguments.
SphereStep step_sphere(const SphereOnSpheres& system, const SphereState& start, double h);

}  // namespace graspmap
