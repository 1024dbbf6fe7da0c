#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

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

/// The equations of one contact at the end of a step, and their derivatives. They depend on what
/// moves (of A, then of B: the centre and the rotation of the end, 3 + 3 columns each; then the
/// velocities, 3 + 3 each) and on the contact's unknowns.
class ContactEquations {
 public:
  static constexpr int kPose = 6;              ///< columns of a body's pose, or of its velocity
  static constexpr int kOfBodies = 4 * kPose;  ///< poses of A and B, velocities of A and B
  static constexpr int kMostUnknowns = 28;     ///< two soft boxes have 26
  static constexpr int kMostColumns = kOfBodies + kMostUnknowns;

  using Row = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, kMostColumns>;
  using Rows3 = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, kMostColumns>;
  using Rows6 = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, kMostColumns>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostUnknowns,
                             kMostColumns>;

  /// Closest points, gap (mm) and normal (out of B into A).
  struct Points {
    Vec3 a1, a2, n;
    double gap = 0.0;
  };

  /// Refers to its arguments, `z` the contact's unknowns.
  ContactEquations(const SpatialScene& scene, const StepContact& contact,
                   const SpatialScales& scales, const Vec3& origin_mm, const BodyAtEnd& A,
                   const BodyAtEnd& B, const double* z);

  [[nodiscard]] const Points& at() const { return at_; }
  [[nodiscard]] const ContactFrame& frame() const { return frame_; }
  /// The velocity of A on B along t and o, and A's spin about n on B; of soft layers that of their
  /// surfaces, W^T nu + (delta - delta^l) / h.
  [[nodiscard]] const Vec3& slip() const { return velocity_; }
  /// Where the surfaces of A and B are under the layers' deflections: in contact the same point.
  [[nodiscard]] const Vec3& point(int side) const { return point_[static_cast<std::size_t>(side)]; }
  /// The deflections (n, t, o) of the layers, mm.
  [[nodiscard]] const std::array<Vec3, 2>& deflections_mm() const { return deflections_; }
  /// The rows' values: contact.size().
  [[nodiscard]] const std::array<double, kMostUnknowns>& rows() const { return rows_; }
  /// The impulse on A over the scale of impulses, and about n also over that of lengths.
  [[nodiscard]] const Vec3& impulse() const { return impulse_; }
  [[nodiscard]] double spin() const { return spin_; }
  /// What the contact gives a body, (linear, angular) over the scales: side 0 is A, 1 is B.
  [[nodiscard]] Twist wrench(int side) const;

  /// The derivatives; `wrench_by` of `wrench`.
  void differentiate();
  [[nodiscard]] const Rows& rows_by() const { return rows_by_; }
  [[nodiscard]] const Rows6& wrench_by(int side) const {
    return wrench_by_[static_cast<std::size_t>(side)];
  }

 private:
  void find_points();
  void condensed_points();
  void deflect();
  void friction();
  void condensed_derivatives();
  void full_derivatives();
  void friction_derivatives();
  struct LayerRows {
    Rows3 by, rate_by;
  };
  [[nodiscard]] LayerRows layer_derivatives(std::size_t i, const Rows3& t_by,
                                            const Rows3& o_by) const;

  [[nodiscard]] const Solid& solid(int body) const {
    return scene_.bodies[static_cast<std::size_t>(body)].solid;
  }
  [[nodiscard]] const BodyAtEnd& body(int side) const { return side == 0 ? A_ : B_; }
  /// The first column of a side's centre (its rotation follows), or of its velocity.
  [[nodiscard]] static int pose_column(int side) { return kPose * side; }
  [[nodiscard]] static int velocity_column(int side) { return kPose * (2 + side); }
  [[nodiscard]] static int unknown_column(int offset) { return kOfBodies + offset; }

  const SpatialScene& scene_;
  const StepContact& contact_;
  const SpatialScales& scales_;
  const Vec3& origin_mm_;
  const BodyAtEnd& A_;
  const BodyAtEnd& B_;
  const double* z_;
  std::array<double, kMostUnknowns> rows_{};
  Points at_;
  std::array<Vec3, 2> y_;  // sum l grad f of A and B, in G
  ContactFrame frame_;
  std::array<Vec3, 2> point_;
  std::array<Vec3, 2> deflections_{Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 2> before_{Vec3::Zero(),
                              Vec3::Zero()};  // deflections at the start, along n, t, o
  Vec3 slip_ = Vec3::Zero();                  // of the points, as rigid bodies
  Vec3 velocity_ = Vec3::Zero();
  Vec3 direction_ = Vec3::Zero();  // impulse over p_n
  Vec3 impulse_ = Vec3::Zero();
  double spin_ = 0.0;

  Rows3 a1_by_, a2_by_, n_by_;
  Row gap_by_;
  Rows rows_by_;
  std::array<Rows6, 2> wrench_by_;
};

}  // namespace graspmap
