#pragma once

#include <cstdint>

#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {

/// A function phi(a, b) that vanishes exactly where 0 <= a orthogonal to b >= 0.
enum class ComplementarityFunction : std::uint8_t {
  kNaturalMap,         ///< min(a, b)
  kFischerBurmeister,  ///< a + b - sqrt(a^2 + b^2), Mylapilli and Jain 2017, eq. (5), negated
  kPenalisedFischerBurmeister  ///< lambda (a + b - sqrt(a^2 + b^2)) + (1 - lambda) a+ b+, eq. (8);
                               ///< a+ = max(0, a)
};

/// phi(a, b). `penalty` is lambda, used by the penalised function only.
double value(ComplementarityFunction function, double a, double b, double penalty);

/// (d phi/da, d phi/db).
struct Slopes {
  double a = 0.0;
  double b = 0.0;
};
/// An element of the generalised gradient at (a, b): at the natural map's kink a = b that of a, at
/// a = b = 0 of the others the derivative along (1, 1).
Slopes slopes(ComplementarityFunction function, double a, double b, double penalty);

/// Phi(z): F_i for free rows, phi(z_i, F_i) for complementary ones (the paper's eq. (9) has -F_i in
/// free rows, with the same merit).
void reformulate(const Problem& problem, ComplementarityFunction function, double penalty,
                 const Eigen::VectorXd& z, const Eigen::VectorXd& F, Eigen::VectorXd& Phi);

/// An element of the generalised Jacobian of Phi at z, n x n; J is the Jacobian of F. At kinks
/// (a = b = 0 for the Fischer-Burmeister functions) the one-sided direction of
/// Mylapilli and Jain 2017, eq. (45), is taken, which needs the rows of J.
void reformulate_jacobian(const Problem& problem, ComplementarityFunction function, double penalty,
                          const Eigen::VectorXd& z, const Eigen::VectorXd& F,
                          const Eigen::MatrixXd& J, Eigen::MatrixXd& dPhi);

}  // namespace graspmap::mcp
