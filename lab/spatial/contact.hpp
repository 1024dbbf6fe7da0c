#pragma once

#include <array>
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

/// A contact of two bodies at the end of a step. Of a line or surface contact the points are the
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

}  // namespace graspmap
