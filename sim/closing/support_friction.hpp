#pragma once

#include <Eigen/Core>
#include <array>

#include "geometry/pose2.hpp"
#include "geometry/types.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// One friction element of the support: an impulse p_s (on the part) in a ball |p_s| <= bound that
/// opposes the slip u = B v of the part by maximum power dissipation, Chakraborty et al. 2014,
/// eq. (4)-(5): p_s = Proj(p_s - r u) for any r > 0. The wrench on the part is B^T p_s.
/// The ellipsoid limit surface is one element of dimension 3 with B = diag(e_t, e_o, e_r), which
/// makes a ball of it; a point of the tripod is one of dimension 2 with B = [I, perp(r_j)].
struct SupportElement {
  int dimension = 3;
  double share = 1.0;                                  ///< of the weight
  Eigen::Matrix3d slip_map = Eigen::Matrix3d::Zero();  ///< B; rows beyond `dimension` are zero
  Vec2 arm_B_mm = Vec2::Zero();  ///< tripod: the point in B's axes; ellipsoid: zero
  Vec2 arm_G_mm = Vec2::Zero();  ///< tripod: the point in G's axes, at the pose last set
};

inline constexpr int kMaxSupportElements = 3;

/// The support of a part: its friction elements.
struct Support {
  int size = 0;
  std::array<SupportElement, kMaxSupportElements> elements{};
};

/// The elements of a support model, at the angle zero.
Support make_support(const SupportModel& model);

/// Turns the elements with the part: sets B at the angle theta.
void set_angle(Support& support, const Rotation2& R_GB);

/// The projection of z onto the ball |z| <= radius.
inline Vec3 project_to_ball(const Vec3& z, double radius) {
  const double norm = z.norm();
  return norm <= radius ? z : Vec3(z * (radius / norm));
}

}  // namespace graspmap
