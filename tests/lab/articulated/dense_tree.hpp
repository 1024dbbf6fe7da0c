#pragma once

#include <Eigen/Dense>
#include <functional>
#include <vector>

#include "lab/articulated/link_kinematics.hpp"
#include "lab/articulated/system.hpp"

namespace graspmap::testing {

/// The dynamics of a tree by what the library does not use: Jacobians of every link column by
/// column, the mass matrix itself, and rates of Jacobians by finite differences.
class DenseTree {
 public:
  explicit DenseTree(const ArticulatedSystem& system)
      : system_(system), layout_(coordinate_layout(system)) {}

  void place(const Eigen::VectorXd& q) {
    R_.clear();
    origin_.clear();
    q_ = q;
    for (std::size_t k = 0; k < system_.links.size(); ++k) {
      const Link& link = system_.links[k];
      const int i = layout_.q_begin[k];
      Eigen::Isometry3d X = parent_frame(link);
      X.translate(link.joint.at_mm);
      if (link.joint.kind == JointKind::kFree) X.translate(Vec3(q.segment<3>(i)));
      if (link.joint.kind == JointKind::kSlider) X.translate(q[i] * link.joint.axis);
      if (link.joint.kind == JointKind::kPin) X.rotate(Eigen::AngleAxisd(q[i], link.joint.axis));
      const int turn = i + (link.joint.kind == JointKind::kFree ? 3 : 0);
      if (position_size(link.joint.kind) >= 4) {
        X.rotate(Eigen::Quaterniond(q[turn], q[turn + 1], q[turn + 2], q[turn + 3]));
      }
      R_.push_back(X.linear());
      origin_.push_back(X.translation());
    }
  }

  /// The Jacobian of a link's angular velocity.
  Eigen::MatrixXd turning(int link) const { return jacobian(link, Vec3::Zero(), true); }
  /// The same for a point of the link at `arm_mm` (G's axes) from its origin.
  Eigen::MatrixXd moving(int link, const Vec3& arm_mm) const {
    return jacobian(link, origin_[at(link)] + arm_mm, false);
  }

  Eigen::MatrixXd mass_matrix() const {
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(layout_.nu_size, layout_.nu_size);
    for (int k = 0; k < links(); ++k) {
      const Eigen::MatrixXd J = moving(k, centre(k));
      const Eigen::MatrixXd W = turning(k);
      M += system_.links[at(k)].mass_kg * J.transpose() * J + W.transpose() * inertia(k) * W;
    }
    return M;
  }

  Eigen::MatrixXd jacobian_of(const std::vector<NodePair>& pairs) const {
    Eigen::MatrixXd J(3 * pairs.size(), layout_.nu_size);
    Eigen::Index row = 0;
    for (const NodePair& pair : pairs) {
      Eigen::MatrixXd rows = moving(pair.link_a, pair.arm_a_mm);
      if (pair.link_b >= 0) rows -= moving(pair.link_b, pair.arm_b_mm);
      J.middleRows<3>(row) = pair.axes * rows;
      row += 3;
    }
    return J;
  }

  /// d/dt [J(q) nu] at constant nu, the point fixed to its link.
  Vec3 moving_bias(int link, const Vec3& point_mm, const Eigen::VectorXd& nu) {
    return rate(nu, [&] { return Vec3(moving(link, R_[at(link)] * point_mm) * nu); });
  }
  Vec3 turning_bias(int link, const Eigen::VectorXd& nu) {
    return rate(nu, [&] { return Vec3(turning(link) * nu); });
  }

  Eigen::VectorXd accelerations(const Eigen::VectorXd& nu) {
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(layout_.nu_size);
    for (int k = 0; k < links(); ++k) {
      const Link& link = system_.links[at(k)];
      const Vec3 w = turning(k) * nu;
      const Vec3 a = moving_bias(k, link.centre_of_mass_mm, nu) - system_.gravity_mm_s2;
      tau -= link.mass_kg * moving(k, centre(k)).transpose() * a;
      tau -= turning(k).transpose() *
             (inertia(k) * turning_bias(k, nu) + w.cross(Vec3(inertia(k) * w)));
    }
    return mass_matrix().ldlt().solve(tau);
  }

 private:
  static std::size_t at(int link) { return static_cast<std::size_t>(link); }
  int links() const { return static_cast<int>(system_.links.size()); }
  Vec3 centre(int k) const { return R_[at(k)] * system_.links[at(k)].centre_of_mass_mm; }
  Mat3 inertia(int k) const {
    return R_[at(k)] * system_.links[at(k)].inertia_kg_mm2 * R_[at(k)].transpose();
  }
  Eigen::Isometry3d parent_frame(const Link& link) const {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    if (link.parent >= 0) {
      X.linear() = R_[at(link.parent)];
      X.translation() = origin_[at(link.parent)];
    }
    return X;
  }

  Eigen::MatrixXd jacobian(int link, const Vec3& point, bool is_turning) const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, layout_.nu_size);
    for (int k = link; k >= 0; k = system_.links[at(k)].parent) {
      const Joint& joint = system_.links[at(k)].joint;
      int column = layout_.nu_begin[at(k)];
      const auto turn_about = [&](const Vec3& axis) {
        J.col(column++) = is_turning ? axis : axis.cross(point - origin_[at(k)]);
      };
      const auto move_along = [&](const Vec3& axis) {
        J.col(column++) = is_turning ? Vec3::Zero() : axis;
      };
      if (joint.kind == JointKind::kPin) turn_about(R_[at(k)] * joint.axis);
      if (joint.kind == JointKind::kSlider) move_along(R_[at(k)] * joint.axis);
      if (joint.kind == JointKind::kFree) {
        const Mat3 axes = parent_frame(system_.links[at(k)]).linear();
        for (int i = 0; i < 3; ++i) move_along(axes.col(i));
      }
      if (velocity_size(joint.kind) >= 3) {
        for (int i = 0; i < 3; ++i) turn_about(R_[at(k)].col(i));
      }
    }
    return J;
  }

  /// Central differences, extrapolated once.
  Vec3 rate(const Eigen::VectorXd& nu, const std::function<Vec3()>& value) {
    const Eigen::VectorXd here = q_;
    const auto at_time = [&](double t) {
      Eigen::VectorXd q;
      advance_coordinates(system_, layout_, here, nu, t, q);
      place(q);
      return value();
    };
    const auto slope = [&](double t) { return Vec3((at_time(t) - at_time(-t)) / (2.0 * t)); };
    constexpr double kTime = 4e-4;
    const Vec3 extrapolated = (4.0 * slope(0.5 * kTime) - slope(kTime)) / 3.0;
    place(here);
    return extrapolated;
  }

  const ArticulatedSystem& system_;
  CoordinateLayout layout_;
  Eigen::VectorXd q_;
  std::vector<Mat3> R_;
  std::vector<Vec3> origin_;
};

}  // namespace graspmap::testing
