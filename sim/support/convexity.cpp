#include "sim/support/convexity.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <array>
#include <optional>

#include "geometry/elementary/elementary.hpp"

namespace graspmap {
namespace {

constexpr double kLeastMargin = -1e-9;         ///< a form with a margin above this counts as convex
constexpr double kMarginGap = 1e-10;           ///< of the interior-point method
constexpr double kBarrierGrowth = 20.0;        ///< of the objective's weight, from round to round
constexpr int kBarrierIterations = 60;         ///< of Newton's method, in one round
constexpr double kLeastEllipsoidRatio = 1e-5;  ///< of the eigenvalues of the nearest ellipsoid

using Unknowns = Eigen::Matrix<double, 10, 1>;  ///< freedom of the Gram matrix, least eigenvalue

/// -log det of the Gram matrix minus t I, with its derivatives; empty where that is not positive
/// definite.
struct Barrier {
  double value = 0.0;
  Unknowns gradient;
  Eigen::Matrix<double, 10, 10> hessian;
};

GramMatrix slack(const GramMatrix& G, const Unknowns& u) {
  GramMatrix S = G - u[9] * GramMatrix::Identity();
  for (int k = 0; k < 9; ++k) S += u[k] * gram_freedom()[static_cast<std::size_t>(k)];
  return S;
}

/// A bound below all eigenvalues, by Gershgorin's circles.
double below_eigenvalues(const GramMatrix& G) {
  const Eigen::Matrix<double, 9, 1> sums = G.cwiseAbs().rowwise().sum();
  return (G.diagonal() - sums + G.diagonal().cwiseAbs()).minCoeff();
}

std::optional<double> barrier_value(const GramMatrix& G, const Unknowns& u) {
  const Eigen::LLT<GramMatrix> llt(slack(G, u));
  if (llt.info() != Eigen::Success) return {};
  double sum = 0.0;
  for (Eigen::Index k = 0; k < 9; ++k) sum += elementary::log(llt.matrixLLT()(k, k));
  return -2.0 * sum;
}

std::optional<Barrier> barrier(const GramMatrix& G, const Unknowns& u) {
  const std::optional<double> value = barrier_value(G, u);
  if (!value) return {};
  const GramMatrix inverse = slack(G, u).llt().solve(GramMatrix::Identity());
  std::array<GramMatrix, 10> products;
  for (std::size_t k = 0; k < 9; ++k) products[k] = inverse * gram_freedom()[k];
  products[9] = -inverse;
  Barrier b;
  b.value = *value;
  for (int k = 0; k < 10; ++k) {
    b.gradient[k] = -products[static_cast<std::size_t>(k)].trace();
    for (int l = 0; l < 10; ++l) {
      b.hessian(k, l) = products[static_cast<std::size_t>(k)]
                            .cwiseProduct(products[static_cast<std::size_t>(l)].transpose())
                            .sum();
    }
  }
  return b;
}

/// Newton's method on barrier - weight t, from a point where the barrier is finite.
void centre(const GramMatrix& G, double weight, Unknowns& u) {
  for (int k = 0; k < kBarrierIterations; ++k) {
    std::optional<Barrier> b = barrier(G, u);
    if (!b) return;
    b->gradient[9] -= weight;
    const Unknowns step = b->hessian.ldlt().solve(-b->gradient);
    const double decrement = -step.dot(b->gradient);
    if (!(decrement > 1e-10)) return;
    const double now = b->value - weight * u[9];
    double alpha = 1.0;
    while (alpha > 1e-12) {
      const Unknowns next = u + alpha * step;
      const std::optional<double> value = barrier_value(G, next);
      if (value && *value - weight * next[9] <= now - 0.25 * alpha * decrement) break;
      alpha *= 0.5;
    }
    if (!(alpha > 1e-12)) return;
    u += alpha * step;
  }
}

std::vector<GramMatrix> make_gram_freedom() {
  std::vector<GramMatrix> all;
  for (int i = 0; i < 3; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      for (int a = 0; a < 3; ++a) {
        for (int b = a + 1; b < 3; ++b) {
          GramMatrix N = GramMatrix::Zero();
          N(3 * i + a, 3 * j + b) = N(3 * j + b, 3 * i + a) = 1.0;
          N(3 * i + b, 3 * j + a) = N(3 * j + a, 3 * i + b) = -1.0;
          all.push_back(N);
        }
      }
    }
  }
  return all;
}

}  // namespace

const std::vector<GramMatrix>& gram_freedom() {
  static const std::vector<GramMatrix> all = make_gram_freedom();
  return all;
}

/// The Hessian is a quadratic form of f: H''_ab(f) = sum of f_i f_j times its second derivatives /
/// 2, of which the values at f = e_i and e_i + e_j tell all.
GramMatrix hessian_gram(const FourthOrderForm& form) {
  const auto at = [&](const Eigen::Vector3d& f) { return form.hessian(f); };
  GramMatrix G;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d e_i = Eigen::Vector3d::Unit(i);
    G.block<3, 3>(3 * i, 3 * i) = at(e_i);
    for (int j = 0; j < i; ++j) {
      const Eigen::Vector3d e_j = Eigen::Vector3d::Unit(j);
      const Eigen::Matrix3d mixed = 0.5 * (at(e_i + e_j) - at(e_i) - at(e_j));
      G.block<3, 3>(3 * i, 3 * j) = mixed;
      G.block<3, 3>(3 * j, 3 * i) = mixed;
    }
  }
  return G;
}

double convexity_margin(const FourthOrderForm& form) {
  GramMatrix G = hessian_gram(form);
  const double size = G.trace() / 9.0;
  if (!(size > 0.0)) return -1.0;
  G /= size;
  Unknowns u = Unknowns::Zero();
  u[9] = below_eigenvalues(G) - 1.0;
  for (double weight = 1.0; weight < 9.0 * kBarrierGrowth / kMarginGap; weight *= kBarrierGrowth) {
    centre(G, weight, u);
  }
  return u[9];
}

std::string limit_surface_fault(const FourthOrderForm& form) {
  if (convexity_margin(form) < kLeastMargin) return "is not convex";
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(form.nearest_ellipsoid(),
                                                             Eigen::EigenvaluesOnly);
  const double least = eigen.eigenvalues().minCoeff();
  if (!(least > kLeastEllipsoidRatio * eigen.eigenvalues().maxCoeff())) {
    return "is not positive in all directions";
  }
  return "";
}

}  // namespace graspmap
