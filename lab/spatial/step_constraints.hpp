#pragma once

#include <vector>

#include "lab/solids/pose3.hpp"
#include "lab/solids/solid.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// A body at the end of a step.
struct BodyAtEnd {
  Vec3 centre_mm;
  Mat3 R;        ///< body axes to G's
  Vec3 v;        ///< mm/s
  Vec3 w;        ///< rad/s
  Mat3 turn;     ///< C, the rotation of the step
  Mat3 dphi_dw;  ///< how much further it is turned (about G's axes) for more w
};

/// By `moved`: C turns by 2 atan(|b|) about b = h w / 2 (Cayley's map),
///   C = 1 + 2 ([b] + [b]^2) / (1 + b^2),   dphi = 2 (1 + [b]) db / (1 + b^2).
inline BodyAtEnd body_at_end(const Pose3& start, const Vec3& v, const Vec3& w, double h) {
  const Vec3 b = 0.5 * h * w;
  const double scale = 2.0 / (1.0 + b.squaredNorm());
  const Mat3 B = cross_matrix(b);
  BodyAtEnd body;
  body.v = v;
  body.w = w;
  body.centre_mm = start.position_mm + h * v;
  body.turn = Mat3::Identity() + scale * (B + B * B);
  body.R = body.turn * start.orientation.toRotationMatrix();
  body.dphi_dw = 0.5 * h * scale * (Mat3::Identity() + B);
  return body;
}

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
  /// The place of p_n, which u and sigma follow.
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

/// The joints among the equations of an implicit step: rows Theta = 0 at the end of the step, and
/// impulses along their gradients there. Their unknowns lambda stand together, by joint, in units
/// of the scales. Refers to its arguments.
class StepJoints {
 public:
  StepJoints(const SpatialScene& scene, double h, const SpatialScales& scales);

  /// The number of unknowns, and of rows.
  [[nodiscard]] int size() const { return size_; }

  /// The places of the first unknown and, by body, of its velocity (-1: fixed).
  struct Layout {
    int first = 0;
    const std::vector<int>& bodies;
  };

  /// Sets the joints' rows of F at unknowns z and bodies at the end; takes their impulses from the
  /// rows of the momenta.
  void add_rows(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                const Eigen::VectorXd& z, Eigen::VectorXd& F) const;

  /// The derivatives of that.
  void add_jacobian(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                    const Eigen::VectorXd& z, Eigen::MatrixXd& J) const;

  /// By joint, see `SpatialState::joint_impulses`.
  [[nodiscard]] std::vector<Twist> loads(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                                         const Eigen::VectorXd& z) const;

 private:
  template <typename Visit>
  void for_joints(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                  const Eigen::VectorXd& z, Visit visit) const;

  const SpatialScene& scene_;
  double h_;
  const SpatialScales& scales_;
  int size_ = 0;
};

}  // namespace graspmap
