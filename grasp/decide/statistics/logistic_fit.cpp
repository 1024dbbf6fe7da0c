#include "grasp/decide/statistics/logistic_fit.hpp"

#include "grasp/base/algebra/dense.hpp"

namespace graspmap {
namespace {

/// The intercept is all but free.
Eigen::VectorXd penalties(Eigen::Index coefficients, double ridge) {
  Eigen::VectorXd penalty = Eigen::VectorXd::Constant(coefficients, ridge);
  penalty[0] = 1e-6 * ridge;
  return penalty;
}

/// What is minimised, where the linear predictor is `eta`: log(1 + e^eta) without overflow.
double objective(const LogisticData& data, const Eigen::VectorXd& penalty, const Eigen::VectorXd& b,
                 const Eigen::VectorXd& eta) {
  const Eigen::ArrayXd e = eta.array();
  const Eigen::ArrayXd loss = e.max(0.0) + (-e.abs()).exp().log1p() - data.labels.array() * e;
  return (data.weights.array() * loss).sum() + 0.5 * (penalty.array() * b.array().square()).sum();
}

Eigen::VectorXd newton_step(const LogisticData& data, const Eigen::VectorXd& penalty,
                            const Eigen::VectorXd& b, const Eigen::VectorXd& eta) {
  const Eigen::ArrayXd p = 1.0 / (1.0 + (-eta.array()).exp());
  const Eigen::VectorXd residual = (data.weights.array() * (p - data.labels.array())).matrix();
  const Eigen::VectorXd curvature = (data.weights.array() * p * (1.0 - p)).matrix();
  const Eigen::VectorXd gradient = data.features.transpose() * residual + penalty.cwiseProduct(b);
  Eigen::MatrixXd hessian = weighted_gram(data.features, curvature);
  hessian.diagonal() += penalty;
  return solve_semidefinite(hessian, gradient);
}

}  // namespace

Eigen::VectorXd fit_logistic(const LogisticData& data, double ridge, Eigen::VectorXd start) {
  constexpr int kMostSteps = 40;
  constexpr double kLeastHalving = 1.0 / 1024;
  constexpr double kTolerance = 1e-5;
  const Eigen::VectorXd penalty = penalties(start.size(), ridge);
  Eigen::VectorXd b = std::move(start);
  Eigen::VectorXd eta = data.features * b;
  double value = objective(data, penalty, b, eta);
  for (int k = 0; k < kMostSteps; ++k) {
    const Eigen::VectorXd step = newton_step(data, penalty, b, eta);
    const Eigen::VectorXd eta_step = data.features * step;
    double length = 1.0;
    double next = objective(data, penalty, b - step, eta - eta_step);
    while (!(next <= value) && length > kLeastHalving) {
      length /= 2;
      next = objective(data, penalty, b - length * step, eta - length * eta_step);
    }
    if (!(next < value)) return b;
    b -= length * step;
    eta -= length * eta_step;
    if (value - next <= kTolerance * value) return b;
    value = next;
  }
  return b;
}

}  // namespace graspmap
