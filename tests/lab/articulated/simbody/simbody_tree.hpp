#pragma once

#include <Eigen/Core>
#include <memory>

#include "lab/articulated/system.hpp"

namespace graspmap::testing {

/// A tree at its start in Simbody. Velocities and accelerations are numbered as in graspmap; in
/// Simbody those of pins and sliders are about and along z, and angular ones of ball and free
/// joints are in the parent's axes.
class SimbodyTree {
 public:
  explicit SimbodyTree(const ArticulatedSystem& system);
  ~SimbodyTree();
  SimbodyTree(const SimbodyTree&) = delete;
  SimbodyTree& operator=(const SimbodyTree&) = delete;

  Eigen::VectorXd accelerations() const;
  /// M^-1 by columns, in graspmap's velocities.
  Eigen::MatrixXd inverse_mass_matrix() const;
  /// The Jacobian of the velocity of a point in a link's frame, in G's axes.
  Eigen::MatrixXd station_jacobian(int link, const Vec3& point_mm) const;
  double kinetic_energy() const;  ///< mN mm

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace graspmap::testing
