#pragma once

#include <Eigen/Core>
#include <array>

namespace graspmap {

/// The 15 coefficients of a homogeneous polynomial of degree 4 in (x, y, z), by falling powers of
/// x, then of y: x^4, x^3 y, x^3 z, x^2 y^2, x^2 y z, x^2 z^2, x y^3, x y^2 z, x y z^2, x z^3, y^4,
/// y^3 z, y^2 z^2, y z^3, z^4.
inline constexpr int kFourthOrderTerms = 15;
using FourthOrderCoefficients = std::array<double, kFourthOrderTerms>;

/// The powers of (x, y, z) in each term.
inline constexpr std::array<std::array<int, 3>, kFourthOrderTerms> kFourthOrderPowers{{{4, 0, 0},
                                                                                       {3, 1, 0},
                                                                                       {3, 0, 1},
                                                                                       {2, 2, 0},
                                                                                       {2, 1, 1},
                                                                                       {2, 0, 2},
                                                                                       {1, 3, 0},
                                                                                       {1, 2, 1},
                                                                                       {1, 1, 2},
                                                                                       {1, 0, 3},
                                                                                       {0, 4, 0},
                                                                                       {0, 3, 1},
                                                                                       {0, 2, 2},
                                                                                       {0, 1, 3},
                                                                                       {0, 0, 4}}};

/// A homogeneous polynomial H of degree 4 in three variables. Where it is convex and positive, the
/// set H <= 1 is a limit surface: Zhou, Paolini, Bagnell and Mason 2016.
class FourthOrderForm {
 public:
  explicit FourthOrderForm(const FourthOrderCoefficients& coefficients);

  [[nodiscard]] FourthOrderCoefficients coefficients() const;

  [[nodiscard]] Eigen::Matrix3d hessian(const Eigen::Vector3d& y) const;
  /// The gradient from the Hessian at the same y, and the value from the gradient: Euler's
  /// relation.
  [[nodiscard]] static Eigen::Vector3d gradient(const Eigen::Matrix3d& hessian,
                                                const Eigen::Vector3d& y) {
    return hessian * y / 3.0;
  }
  [[nodiscard]] Eigen::Vector3d gradient(const Eigen::Vector3d& y) const {
    return gradient(hessian(y), y);
  }
  [[nodiscard]] double value(const Eigen::Vector3d& y) const { return y.dot(gradient(y)) / 4.0; }

  /// The form in other coordinates: w -> H(M w).
  [[nodiscard]] FourthOrderForm in_coordinates(const Eigen::Matrix3d& M) const;

  /// A positive definite A for which H is near (y' A y)^2, and equal to it where H is the square of
  /// a quadratic form: the fixed point of A = (3/5) T : A^-1, with T the symmetric tensor of H. For
  /// a convex H that is positive; one that vanishes on a line gives a nearly singular matrix.
  [[nodiscard]] Eigen::Matrix3d nearest_ellipsoid() const;

 private:
  using Matrix6 = Eigen::Matrix<double, 6, 6>;

  explicit FourthOrderForm(const Matrix6& tensor) : tensor_(tensor) {}

  /// The symmetric tensor t_ijkl, H = sum t_ijkl y_i y_j y_k y_l, by pairs (i, j) and (k, l) with
  /// i <= j: (0,0), (0,1), (0,2), (1,1), (1,2), (2,2).
  Matrix6 tensor_;
};

}  // namespace graspmap
