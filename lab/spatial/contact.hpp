#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "lab/solids/pose3.hpp"

namespace graspmap {

/// Friction of a contact: the impulses lie in the ellipsoid
/// (p_t/e_t)^2 + (p_o/e_o)^2 + (p_r/e_r)^2 <= (mu p_n)^2, Chakraborty et al. 2014, eq. (5) and (7).
struct EllipticFriction {
  double mu = 0.0;
  double e_t = 1.0;
  double e_o = 1.0;
  double e_r_mm = 0.0;  ///< 0: no torsional friction
};

/// What two bodies in contact share. A contact that carries no impulse is open.
enum class PatchKind : std::uint8_t { kOpen, kPoint, kLine, kSurface };
const char* name(PatchKind kind);

/// A contact of two bodies at the end of a step. The points of a line or surface contact are its
/// equivalent contact point (ECP, Xie and Chakraborty 2020).
struct SpatialContact {
  int body_a = 0;  ///< body_a < body_b; the normal points out of B into A
  int body_b = 0;
  EllipticFriction friction;
  Vec3 on_a_mm = Vec3::Zero();
  Vec3 on_b_mm = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  Vec3 t = Vec3::UnitX();  ///< n, t, o are right-handed
  Vec3 o = Vec3::UnitY();
  double gap_mm = 0.0;
  double p_n = 0.0;                ///< mN s, on A along n, >= 0
  double p_t = 0.0;                ///< mN s, on A along t
  double p_o = 0.0;                ///< mN s, on A along o
  double p_r = 0.0;                ///< mN s mm, on A about n
  std::array<double, 2> p_core{};  ///< of p_n, what the cores of A's and B's soft layers carry
  double v_t_mm_s =
      0.0;  ///< velocity of A on B at the points; of soft layers that of their surfaces
  double v_o_mm_s = 0.0;
  double w_r_rad_s = 0.0;   ///< spin of A on B about n
  double sigma_mm_s = 0.0;  ///< sqrt(e_t^2 v_t^2 + e_o^2 v_o^2 + e_r^2 w_r^2); 0 when open
  PatchKind patch = PatchKind::kOpen;
  int facets_a = 0;  ///< multipliers of A's functions that are not zero; 0 where not computed
  int facets_b = 0;
};

/// n, t, o: right-handed, t in the plane of n and an axis.
struct ContactFrame {
  Vec3 n;
  Vec3 t;
  Vec3 o;
  Vec3 axis;
};

/// The axis for a normal: x, or z where the normal is near x.
inline Vec3 frame_axis(const Vec3& n) {
  return std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
}

/// With the given axis; where the normal is along it, with `frame_axis` of the normal.
inline ContactFrame contact_frame(const Vec3& n, const Vec3& wanted) {
  constexpr double kAlong = 0.999;
  const bool is_along = std::abs(n.dot(wanted)) > kAlong * n.norm();
  const Vec3 axis = is_along ? frame_axis(n.normalized()) : wanted;
  const Vec3 t = (axis - n * n.dot(axis)).normalized();
  return {n, t, n.cross(t), axis};
}

/// How t and o turn with n, at the same axis.
struct ContactFrameTurns {
  Mat3 dt_dn;
  Mat3 do_dn;
};
inline ContactFrameTurns frame_turns(const ContactFrame& frame) {
  const double along = frame.n.dot(frame.axis);
  const double length = (frame.axis - frame.n * along).norm();
  const Mat3 turned = -along * Mat3::Identity() - frame.n * frame.axis.transpose();
  const Mat3 dt_dn = (turned - frame.t * (frame.t.transpose() * turned)) / length;
  return {dt_dn, cross_matrix(frame.n) * dt_dn - cross_matrix(frame.t)};
}

}  // namespace graspmap
