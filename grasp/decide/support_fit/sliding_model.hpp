#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "sim/support/fourth_order.hpp"

namespace graspmap {

/// A part that slides on its table, all moments divided by a length and all rates of turn
/// multiplied by it, so that wrenches and twists are three numbers of one kind. The wrench is that
/// of the pusher: it points out of the limit surface along the twist.
class SlidingModel {
 public:
  virtual ~SlidingModel() = default;
  /// A wrench on the limit surface for a twist of any size.
  [[nodiscard]] virtual Eigen::Vector3d wrench_of(const Eigen::Vector3d& twist) const = 0;
  /// A twist, of any size, for a wrench of any size.
  [[nodiscard]] virtual Eigen::Vector3d twist_of(const Eigen::Vector3d& wrench) const = 0;
  /// The size of the wrench on the limit surface in a direction (a unit vector).
  [[nodiscard]] virtual double radius(const Eigen::Vector3d& direction) const = 0;
};

/// The limit surface y' A y = 1.
class EllipsoidSliding : public SlidingModel {
 public:
  explicit EllipsoidSliding(const Eigen::Matrix3d& matrix);
  [[nodiscard]] Eigen::Vector3d wrench_of(const Eigen::Vector3d& twist) const override;
  [[nodiscard]] Eigen::Vector3d twist_of(const Eigen::Vector3d& wrench) const override;
  [[nodiscard]] double radius(const Eigen::Vector3d& direction) const override;
  [[nodiscard]] const Eigen::Matrix3d& matrix() const { return matrix_; }

 private:
  Eigen::Matrix3d matrix_;
  Eigen::Matrix3d inverse_;
};

/// The limit surface H(y) = 1.
class FourthOrderSliding : public SlidingModel {
 public:
  explicit FourthOrderSliding(const FourthOrderCoefficients& coefficients)
      : coefficients_(coefficients), form_(coefficients) {}
  [[nodiscard]] Eigen::Vector3d wrench_of(const Eigen::Vector3d& twist) const override;
  [[nodiscard]] Eigen::Vector3d twist_of(const Eigen::Vector3d& wrench) const override;
  [[nodiscard]] double radius(const Eigen::Vector3d& direction) const override;
  [[nodiscard]] const FourthOrderCoefficients& coefficients() const { return coefficients_; }

 private:
  FourthOrderCoefficients coefficients_;
  FourthOrderForm form_;
};

/// Points with isotropic Coulomb friction. The twist for a wrench f minimises P(v)^2 / 2 - f . v, P
/// the power of friction, whose corners (a point that rests) are rounded at 1e-4 of the speed.
class PointsSliding : public SlidingModel {
 public:
  /// `points` about the centre of mass, divided by the length; `forces` of friction, >= 0.
  PointsSliding(std::vector<Eigen::Vector2d> points, std::vector<double> forces)
      : points_(std::move(points)), forces_(std::move(forces)) {}
  [[nodiscard]] Eigen::Vector3d wrench_of(const Eigen::Vector3d& twist) const override;
  [[nodiscard]] Eigen::Vector3d twist_of(const Eigen::Vector3d& wrench) const override;
  [[nodiscard]] double radius(const Eigen::Vector3d& direction) const override;
  [[nodiscard]] const std::vector<double>& forces() const { return forces_; }

 private:
  std::vector<Eigen::Vector2d> points_;
  std::vector<double> forces_;
};

/// The wrench of a unit force of friction at a point that slides with the part's twist.
Eigen::Vector3d point_wrench(const Eigen::Vector2d& point, const Eigen::Vector3d& twist);

/// The angle between two vectors, degrees.
double angle_deg(const Eigen::Vector3d& a, const Eigen::Vector3d& b);

}  // namespace graspmap
