#pragma once

#include <Eigen/Core>
#include <array>

#include "lab/spatial/contact.hpp"
#include "lab/spatial/step_constraints.hpp"

namespace graspmap {

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
