#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

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

/// What a step needs to know of a convex set { H <= 1 } near a point z.
struct LimitSurfacePoint {
  bool inside = false;      ///< z is in the set, or on its surface
  Eigen::Vector3d nearest;  ///< the point of the set that is nearest to z: its projection
  /// A point of the surface H = 1: the nearest one where z is outside, else z scaled to it.
  Eigen::Vector3d boundary;
  /// The derivative of the nearest point of the surface by z, symmetric, eigenvalues in [0, 1];
  /// where z is inside, the projector onto the surface's tangent plane.
  Eigen::Matrix3d derivative;
};

/// The projection of z onto the set H <= 1 of a convex, positive form: Newton's method on the
/// surface, with the exact derivative of the result. H should be near |y|^4, which is what
/// FourthOrderForm::nearest_ellipsoid is for. Allocates nothing.
LimitSurfacePoint limit_surface_point(const FourthOrderForm& form, const Eigen::Vector3d& z);

using GramMatrix = Eigen::Matrix<double, 9, 9>;

/// A Gram matrix of z' H''(f) z in the nine products f_i z_a (at 3 i + a): z' H''(f) z = b' G b.
GramMatrix hessian_gram(const FourthOrderForm& form);

/// The matrices that may be added to a Gram matrix without a change of z' H''(f) z: nine, from
/// (f_i z_a)(f_j z_b) = (f_i z_b)(f_j z_a).
const std::vector<GramMatrix>& gram_freedom();

/// How convex a form is: the largest least eigenvalue of a Gram matrix of z' H''(f) z, divided by
/// the mean of its diagonal. H is convex exactly where it is not negative: for quartic forms in
/// three variables convex and sos-convex are the same (Ahmadi and Parrilo 2013). Found by an
/// interior-point method, off by at most 1e-10. -1 for a form whose diagonal is not positive.
double convexity_margin(const FourthOrderForm& form);

/// What keeps H = 1 from being a limit surface, in words that follow "H "; "" when it is one: H is
/// convex, and positive in all directions.
std::string limit_surface_fault(const FourthOrderForm& form);

}  // namespace graspmap
