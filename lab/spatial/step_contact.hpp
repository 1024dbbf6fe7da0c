#pragma once

#include <vector>

#include "lab/solids/surface.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// A contact of two solids among the equations of an implicit step, and where its unknowns stand.
///
/// All closest points, condensed: p_n, u_t, u_o, u_r, sigma. In full: a_1 (3), a_2 (3), s, l_i of
/// A's functions, l_j of B's, and those five. u is the friction impulse over its limit:
/// p_t = e_t mu p_n u_t and so on. A contact with soft layers has the impulses of their cores last.
struct StepContact {
  int body_a = 0;  ///< body_a < body_b
  int body_b = 0;
  EllipticFriction friction;
  bool is_condensed = false;
  Vec3 axis = Vec3::UnitX();  ///< t is across n, in their plane: see `contact_frame`
  std::vector<Surface> surfaces_a;
  std::vector<Surface> surfaces_b;
  int first = 0;  ///< index of the first unknown
  std::optional<SoftContactStep> soft;
  std::array<double, 2> pressed_before_mm{};  ///< delta_n^l of the layers of A and B
  std::array<Vec3, 2> shifted_before_mm{Vec3::Zero(), Vec3::Zero()};  ///< delta_t^l t + delta_o^l o

  [[nodiscard]] int size() const { return impulse() + 5 + (soft ? 2 : 0); }
  /// Offsets from `first`, of the full form: a_1 at 0, a_2 at 3, s at 6.
  [[nodiscard]] int multiplier_a() const { return 7; }
  [[nodiscard]] int multiplier_b() const { return 7 + static_cast<int>(surfaces_a.size()); }
  /// Of p_n, which u and sigma follow.
  [[nodiscard]] int impulse() const {
    return is_condensed ? 0 : multiplier_b() + static_cast<int>(surfaces_b.size());
  }
};

/// True for solids whose closest points are unique and known in closed form: two spheres, a sphere
/// or an ellipsoid and a half-space.
bool has_unique_closest_points(const Solid& a, const Solid& b);

/// The units of the unknowns and rows of a step.
struct SpatialScales {
  double length_mm = 1.0;      ///< the largest bounding radius of a moving body
  double velocity_mm_s = 1.0;  ///< the fastest point at the start, plus what the impulses add
  double impulse_mn_s = 1.0;   ///< of the heaviest moving body at that speed
  double gap_mm = 1.0;         ///< what that speed covers in the step; not less than 1e-4 of the
                               ///< length, where rounding would count
};
SpatialScales spatial_scales(const SpatialScene& scene, const SpatialState& start, double h);

}  // namespace graspmap
