#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "geometry/types.hpp"
#include "sim/support/fourth_order.hpp"

namespace graspmap {

/// How the slip map B of a support element changes as the part turns.
enum class SupportFrame : std::uint8_t {
  kGripper,  ///< not at all: fixed in G
  kPoint,    ///< a point of the part: B = [I, perp(arm)]
  kPart      ///< fixed in the part: B = B_B R^T, R from the part's axes to G's
};

/// One friction element of the support: an impulse p_s (on the part) in a convex set that opposes
/// the slip u = B v of the part by maximum power dissipation, Chakraborty et al. 2014, eq. (4)-(5):
/// p_s = Proj(p_s - r u) for any r > 0. The wrench on the part is B^T p_s. The set is the ball
/// |p_s| <= bound, or, in a support with a `surface`, H(p_s / bound) <= 1.
/// The ellipsoid limit surface is one element of dimension 3 with B = diag(e_t, e_o, e_r), which
/// makes a ball of it; a point is one of dimension 2 with B = [I, perp(arm)].
struct SupportElement {
  int dimension = 3;
  SupportFrame frame = SupportFrame::kGripper;
  double share = 1.0;  ///< of the weight, times the point's factor of friction
  Eigen::Matrix3d slip_map = Eigen::Matrix3d::Zero();    ///< B; rows beyond `dimension` are zero
  Eigen::Matrix3d slip_map_B = Eigen::Matrix3d::Zero();  ///< kPart: B_B, of velocities in B's axes
  Vec2 arm_B_mm = Vec2::Zero();  ///< kPoint: the point in B's axes; else zero
  Vec2 arm_G_mm = Vec2::Zero();  ///< kPoint: the point in G's axes, at the pose last set

  /// B is diagonal and the same at all poses.
  [[nodiscard]] bool is_diagonal() const { return frame == SupportFrame::kGripper; }

  /// u = B v, mm/s.
  [[nodiscard]] Vec3 slip(const Vec3& v) const {
    if (is_diagonal()) return slip_map.diagonal().cwiseProduct(v);
    return slip_map * v;
  }

  /// B^T p_s: mN s, mN s, mN s mm.
  [[nodiscard]] Vec3 wrench(const Vec3& p_s) const {
    if (is_diagonal()) return slip_map.diagonal().cwiseProduct(p_s);
    return slip_map.transpose() * p_s;
  }
};

inline constexpr int kMaxSupportElements = 16;

/// One value of a kind for each support element.
template <typename Value>
std::array<Value, kMaxSupportElements> for_each_element(const Value& value) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<Value, kMaxSupportElements>{((void)K, value)...};
  }
  (std::make_index_sequence<kMaxSupportElements>{});
}

/// The support of a part: its friction elements.
struct Support {
  int size = 0;
  std::array<SupportElement, kMaxSupportElements> elements{};
  /// The form whose set { H <= 1 } takes the place of the ball; then there is one element.
  std::optional<FourthOrderForm> surface = {};

  [[nodiscard]] std::span<const SupportElement> in_use() const {
    return std::span(elements).first(static_cast<std::size_t>(size));
  }

  /// Adds an element of dimension 3, fixed in G, whose slip map is still zero.
  SupportElement& add_element();
  /// Adds a point of the part, in B's axes.
  void add_point(const Vec2& arm_B_mm, double share);
  /// Adds an element that turns with the part: the ellipsoid |L' y| <= 1 with y = (f_x, f_y,
  /// m / length) over the bound; L is `root`.
  void add_in_part(const Eigen::Matrix3d& root, double length_mm);
};

}  // namespace graspmap
