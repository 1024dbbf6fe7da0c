#include "sim/support/fourth_order.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/elementary/elementary.hpp"

namespace graspmap {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr std::array<std::array<int, 2>, 6> kPairs{
    {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
/// How often a pair occurs among all (i, j).
constexpr std::array<double, 6> kTimes{1.0, 2.0, 2.0, 1.0, 2.0, 1.0};
/// Of the matrix of the nearest ellipsoid. It need not be exact: it only makes the surface round.
constexpr int kEllipsoidIterations = 15;
constexpr double kEllipsoidError = 1e-14;

Eigen::Matrix3d symmetric(const Vector6& v) {
  Eigen::Matrix3d S;
  S << v[0], v[1], v[2], v[1], v[3], v[4], v[2], v[4], v[5];
  return S;
}

/// The entries of a symmetric matrix by pairs, each as often as it occurs.
Vector6 repeated(const Eigen::Matrix3d& S) {
  return {S(0, 0), 2.0 * S(0, 1), 2.0 * S(0, 2), S(1, 1), 2.0 * S(1, 2), S(2, 2)};
}

/// The term of the coordinates in two pairs.
std::size_t term_of(std::size_t p, std::size_t q) {
  std::array<int, 3> powers{};
  for (const int k : kPairs[p]) ++powers[static_cast<std::size_t>(k)];
  for (const int k : kPairs[q]) ++powers[static_cast<std::size_t>(k)];
  std::size_t term = 0;
  while (kFourthOrderPowers[term] != powers) ++term;
  return term;
}

/// How often the same term occurs among the entries of the tensor: 4! / (a! b! c!).
double repetitions(const std::array<int, 3>& powers) {
  constexpr std::array<double, 5> kFactorial{1.0, 1.0, 2.0, 6.0, 24.0};
  double times = 24.0;
  for (const int power : powers) times /= kFactorial[static_cast<std::size_t>(power)];
  return times;
}

}  // namespace

FourthOrderForm::FourthOrderForm(const FourthOrderCoefficients& coefficients) {
  for (std::size_t p = 0; p < 6; ++p) {
    for (std::size_t q = 0; q < 6; ++q) {
      const std::size_t term = term_of(p, q);
      tensor_(static_cast<int>(p), static_cast<int>(q)) =
          coefficients[term] / repetitions(kFourthOrderPowers[term]);
    }
  }
}

FourthOrderCoefficients FourthOrderForm::coefficients() const {
  FourthOrderCoefficients coefficients{};
  for (std::size_t p = 0; p < 6; ++p) {
    for (std::size_t q = p; q < 6; ++q) {
      const std::size_t term = term_of(p, q);
      coefficients[term] =
          tensor_(static_cast<int>(p), static_cast<int>(q)) * repetitions(kFourthOrderPowers[term]);
    }
  }
  return coefficients;
}

Eigen::Matrix3d FourthOrderForm::hessian(const Eigen::Vector3d& y) const {
  const Vector6 monomials(y[0] * y[0], 2.0 * y[0] * y[1], 2.0 * y[0] * y[2], y[1] * y[1],
                          2.0 * y[1] * y[2], y[2] * y[2]);
  return symmetric(12.0 * (tensor_ * monomials));
}

/// With the pairs of M's rows and columns: t' = Q' W t W Q, Q the symmetric square of M.
FourthOrderForm FourthOrderForm::in_coordinates(const Eigen::Matrix3d& M) const {
  Matrix6 WQ;
  for (std::size_t p = 0; p < 6; ++p) {
    const auto [i, j] = kPairs[p];
    for (std::size_t q = 0; q < 6; ++q) {
      const auto [a, b] = kPairs[q];
      WQ(static_cast<int>(p), static_cast<int>(q)) =
          kTimes[p] * 0.5 * (M(i, a) * M(j, b) + M(i, b) * M(j, a));
    }
  }
  return FourthOrderForm(Matrix6(WQ.transpose() * tensor_ * WQ));
}

/// With T : S the contraction of H's tensor, and A scaled so that it fits in the mean. Near the
/// square of a quadratic form the weights make the iteration converge quadratically.
Eigen::Matrix3d FourthOrderForm::nearest_ellipsoid() const {
  const auto image = [&](const Eigen::Matrix3d& inverse) {
    return Eigen::Matrix3d(symmetric(0.6 * (tensor_ * repeated(inverse))));
  };
  Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  for (int k = 0; k < kEllipsoidIterations; ++k) {
    Eigen::Matrix3d inverse = A.inverse();
    Eigen::Matrix3d image_of_inverse = image(inverse);
    const double scale2 = inverse.cwiseProduct(image_of_inverse).sum() / 3.0;
    const double scale = std::sqrt(std::abs(scale2));
    const Eigen::Matrix3d next = (2.0 * scale * A + 5.0 / scale * image_of_inverse) / 7.0;
    const bool same = (next - A).norm() <= kEllipsoidError * next.norm();
    A = next;
    if (same) break;
  }
  return A;
}

namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

/// Flat spots of the surface seen from afar take some 30; the line search halves at most 40 times.
constexpr int kProjectionIterations = 100;
constexpr int kProjectionHalvings = 40;
/// Newton steps below this length (the surface's size is about 1) need no line search, whose
/// distances rounding errors would decide; they continue while each is much shorter than the last.
constexpr double kSmallProjectionStep = 1e-5;
constexpr double kLeastProjectionGain = 0.9;
constexpr double kLastProjectionStep = 1e-16;
constexpr double kProjectionDecrease = 1e-4;

Vector3d on_surface(const FourthOrderForm& form, const Vector3d& y) {
  return y / std::sqrt(std::sqrt(form.value(y)));
}

/// The surface at one of its points: H's gradient g, two tangents, and the tangents' part of
/// I + lambda H'' with g's multiple lambda that is nearest to z - y.
struct LocalSurface {
  Vector3d gradient;
  Eigen::Matrix<double, 3, 2> tangents;
  double multiplier = 0.0;
  Matrix2d curvature_inverse;

  LocalSurface(const FourthOrderForm& form, const Vector3d& y, const Vector3d& z) {
    const Matrix3d hessian = form.hessian(y);
    gradient = FourthOrderForm::gradient(hessian, y);
    const Vector3d normal = gradient.normalized();
    int least = 0;
    normal.cwiseAbs().minCoeff(&least);
    tangents.col(0) = normal.cross(Vector3d::Unit(least)).normalized();
    tangents.col(1) = normal.cross(tangents.col(0));
    multiplier = std::max((z - y).dot(gradient) / gradient.squaredNorm(), 0.0);
    const Matrix2d M =
        Matrix2d::Identity() + multiplier * (tangents.transpose() * hessian * tangents);
    const double determinant = M(0, 0) * M(1, 1) - M(0, 1) * M(0, 1);
    curvature_inverse << M(1, 1), -M(0, 1), -M(0, 1), M(0, 0);
    curvature_inverse /= determinant;
  }

  [[nodiscard]] Vector3d newton_step(const Vector3d& y, const Vector3d& z) const {
    const Vector2d along = tangents.transpose() * (z - y);
    return tangents * (curvature_inverse * along);
  }
};

/// The next point of the iteration: nearer to z, and on the side of the surface that z sees, where
/// the nearest point is the only one at which the distance is stationary.
Vector3d next_point(const FourthOrderForm& form, const Vector3d& y, const Vector3d& z,
                    const Vector3d& step) {
  const double distance2 = (z - y).squaredNorm();
  const double slope = 2.0 * step.dot(z - y);
  double alpha = 1.0;
  for (int k = 0; k < kProjectionHalvings; ++k, alpha *= 0.5) {
    const Vector3d next = on_surface(form, y + alpha * step);
    const Vector3d rest = z - next;
    if (rest.squaredNorm() <= distance2 - kProjectionDecrease * alpha * slope &&
        rest.dot(form.gradient(next)) > 0.0) {
      return next;
    }
  }
  return y;
}

}  // namespace

LimitSurfacePoint limit_surface_point(const FourthOrderForm& form, const Vector3d& z) {
  LimitSurfacePoint found;
  const double value = form.value(z);
  found.inside = !(value > 1.0);
  found.nearest = z;
  found.derivative.setZero();
  found.boundary.setZero();
  if (!(value > 0.0)) return found;  // z = 0, or not finite
  Vector3d y = z / std::sqrt(std::sqrt(value));
  double last_length = std::numeric_limits<double>::infinity();
  for (int k = 0; !found.inside && k < kProjectionIterations; ++k) {
    const Vector3d step = LocalSurface(form, y, z).newton_step(y, z);
    const double length = step.norm();
    if (length > kSmallProjectionStep) {
      y = next_point(form, y, z, step);
      continue;
    }
    if (length <= kLastProjectionStep || length > kLeastProjectionGain * last_length) break;
    y = on_surface(form, y + step);
    last_length = length;
  }
  const LocalSurface local(form, y, found.inside ? y : z);
  found.boundary = y;
  if (!found.inside) found.nearest = y;
  found.derivative = local.tangents * local.curvature_inverse * local.tangents.transpose();
  return found;
}

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
/// 2, which its values at f = e_i and e_i + e_j determine.
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
