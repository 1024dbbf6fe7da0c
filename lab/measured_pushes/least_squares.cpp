#include "lab/measured_pushes/least_squares.hpp"

#include <cmath>
#include <numbers>
#include <unsupported/Eigen/LevenbergMarquardt>

namespace graspmap {
namespace {

constexpr double kDifference = 0.01;  // of an unknown, for slopes
constexpr int kMostEvaluations = 12;  // without those for slopes
constexpr double kEnough = 1e-3;      // relative: of misfit and unknowns

struct SimulatedResiduals : Eigen::DenseFunctor<double> {
  SimulatedResiduals(Eigen::Index unknowns, Eigen::Index count, const Residuals& of)
      : DenseFunctor(static_cast<int>(unknowns), static_cast<int>(count)), residuals(of) {}

  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& found) const {
    residuals(x, found);
    return 0;
  }

  int df(const Eigen::VectorXd& x, Eigen::MatrixXd& slopes) const {
    Eigen::VectorXd here(values());
    Eigen::VectorXd there(values());
    residuals(x, here);
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      Eigen::VectorXd moved = x;
      moved[k] += kDifference;
      residuals(moved, there);
      slopes.col(k) = (there - here) / kDifference;
    }
    return 0;
  }

  const Residuals& residuals;
};

}  // namespace

double wrapped_angle(double angle_rad) { return std::remainder(angle_rad, 2.0 * std::numbers::pi); }

Vec3 difference(const Pose2& a, const Pose2& b) {
  Vec3 d;
  d << a.position_mm - b.position_mm, wrapped_angle(a.angle_rad - b.angle_rad);
  return d;
}

Pose2 moved(const Pose2& pose, const Vec3& by) {
  return {pose.position_mm + by.head<2>(), pose.angle_rad + by[2]};
}

Vec3 end_residual(const Pose2& simulated, const Pose2& measured, double length_mm) {
  Vec3 r = difference(simulated, measured);
  r[2] *= kAngleWeight * length_mm;
  const double r2 = r.squaredNorm();
  const double rho = 2.0 * (std::sqrt(1.0 + r2) - 1.0);
  return r2 > 0.0 ? Vec3(std::sqrt(rho / r2) * r) : Vec3::Zero();
}

Eigen::VectorXd least_squares(const Eigen::VectorXd& start, Eigen::Index values,
                              const Residuals& residuals) {
  SimulatedResiduals functor(start.size(), values, residuals);
  Eigen::LevenbergMarquardt<SimulatedResiduals> solver(functor);
  solver.setMaxfev(kMostEvaluations);
  solver.setFtol(kEnough);
  solver.setXtol(kEnough);
  Eigen::VectorXd x = start;
  solver.minimize(x);
  return x;
}

}  // namespace graspmap
