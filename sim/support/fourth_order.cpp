#include "sim/support/fourth_order.hpp"

#include <Eigen/LU>
#include <cmath>

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

}  // namespace graspmap
