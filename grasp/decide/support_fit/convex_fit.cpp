#include "grasp/decide/support_fit/convex_fit.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "grasp/base/algebra/dense.hpp"

namespace graspmap {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFirstBarrier = 1e-2;  ///< weights of the barrier, relative to the objective
constexpr double kLastBarrier = 1e-9;
constexpr double kBarrierDecrease = 0.1;
constexpr int kCentringIterations = 40;
constexpr double kCentringDecrement = 1e-9;

MatrixXd gram_sum(const std::vector<MatrixXd>& G, const VectorXd& u) {
  MatrixXd sum = MatrixXd::Zero(G[0].rows(), G[0].cols());
  for (std::size_t k = 0; k < G.size(); ++k) sum += u[static_cast<Eigen::Index>(k)] * G[k];
  return sum;
}

/// One objective with its barrier.
struct BarrierProblem {
  const MatrixXd& Q;
  const VectorXd& b;
  const std::vector<MatrixXd>& G;
  double weight;

  [[nodiscard]] double value(const VectorXd& u) const {
    const std::optional<MatrixXd> root = root_if_positive(gram_sum(G, u));
    if (!root) return std::numeric_limits<double>::infinity();
    const double log_det = 2.0 * root->diagonal().array().log().sum();
    return 0.5 * u.dot(Q * u) - b.dot(u) - weight * log_det;
  }

  /// Newton's method to the minimum.
  void centre(VectorXd& u) const {
    const auto count = static_cast<Eigen::Index>(G.size());
    std::vector<MatrixXd> products(G.size());
    for (int iteration = 0; iteration < kCentringIterations; ++iteration) {
      const MatrixXd inverse = inverse_positive(gram_sum(G, u));
      for (std::size_t k = 0; k < G.size(); ++k) products[k] = product(inverse, G[k]);
      VectorXd gradient = Q * u - b;
      MatrixXd hessian = Q;
      for (Eigen::Index k = 0; k < count; ++k) {
        const MatrixXd& first = products[static_cast<std::size_t>(k)];
        gradient[k] -= weight * first.trace();
        for (Eigen::Index l = 0; l <= k; ++l) {
          const MatrixXd& second = products[static_cast<std::size_t>(l)];
          const double entry = weight * first.cwiseProduct(second.transpose()).sum();
          hessian(k, l) += entry;
          if (l < k) hessian(l, k) += entry;
        }
      }
      const VectorXd step = -solve_semidefinite(hessian, gradient);
      const double decrement = -step.dot(gradient);
      if (!(decrement > kCentringDecrement * weight)) return;
      const double now = value(u);
      double alpha = 1.0;
      while (alpha > 1e-10 && !(value(u + alpha * step) <= now - 0.25 * alpha * decrement)) {
        alpha *= 0.5;
      }
      if (!(alpha > 1e-10)) return;
      u += alpha * step;
    }
  }
};

}  // namespace

VectorXd semidefinite_least_squares(const MatrixXd& Q, const VectorXd& b,
                                    const std::vector<MatrixXd>& G, const VectorXd& start) {
  VectorXd u = start;
  const double size = std::max(b.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
  for (double weight = kFirstBarrier; weight >= kLastBarrier; weight *= kBarrierDecrease) {
    BarrierProblem{Q, b, G, weight * size}.centre(u);
  }
  return u;
}

VectorXd non_negative_least_squares(const MatrixXd& AtA, const VectorXd& Atb) {
  const Eigen::Index n = Atb.size();
  const double tolerance = 1e-10 * Atb.lpNorm<Eigen::Infinity>();
  VectorXd w = VectorXd::Zero(n);
  std::vector<bool> free(static_cast<std::size_t>(n), false);
  for (Eigen::Index round = 0; round < 10 * n; ++round) {
    const VectorXd gain = Atb - AtA * w;
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (free[static_cast<std::size_t>(j)] || gain[j] <= tolerance) continue;
      if (best < 0 || gain[j] > gain[best]) best = j;
    }
    if (best < 0) break;
    free[static_cast<std::size_t>(best)] = true;
    for (;;) {
      std::vector<Eigen::Index> used;
      for (Eigen::Index j = 0; j < n; ++j) {
        if (free[static_cast<std::size_t>(j)]) used.push_back(j);
      }
      if (used.empty()) break;
      MatrixXd part = AtA(used, used);
      part.diagonal() *= 1.0 + 1e-12;
      const VectorXd target = solve_semidefinite(part, Atb(used));
      double share = 1.0;
      for (std::size_t k = 0; k < used.size(); ++k) {
        const double now = w[used[k]];
        const double next = target[static_cast<Eigen::Index>(k)];
        if (next <= 0.0) share = std::min(share, now / (now - next));
      }
      for (std::size_t k = 0; k < used.size(); ++k) {
        double& value = w[used[k]];
        value += share * (target[static_cast<Eigen::Index>(k)] - value);
        if (share < 1.0 && value <= 1e-14) {
          value = 0.0;
          free[static_cast<std::size_t>(used[k])] = false;
        }
      }
      if (share >= 1.0) break;
    }
  }
  return w;
}

}  // namespace graspmap
