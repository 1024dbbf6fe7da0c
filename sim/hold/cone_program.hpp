#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace graspmap {

/// A small convex program over second-order cones of three components:
///
///   maximise g' x   such that   A x = b,   x = (x_1, ..., x_n),   x_i in Q,
///   Q = { (u_0, u_1, u_2) : u_0 >= sqrt(u_1^2 + u_2^2) }.
///
/// A number >= 0 is a cone of which only the first column of A is not zero.
inline constexpr int kMostConeRows = 8;

struct ConeProgram {
  using Block = Eigen::Matrix<double, kMostConeRows, 3>;
  using Rows = Eigen::Matrix<double, kMostConeRows, 1>;

  std::vector<Block> a;            ///< by cone; unused rows are zero
  std::vector<Eigen::Vector3d> g;  ///< by cone
  Rows b = Rows::Zero();
};

enum class ConeStatus : std::uint8_t {
  kOptimal,
  kInfeasible,  ///< there is y with A' y in Q and b' y < 0
  kUnbounded,   ///< there is x in Q with A x = 0 and g' x > 0
  kUnsolved     ///< neither was found to tolerance
};

struct ConeSolution {
  ConeStatus status = ConeStatus::kUnsolved;
  std::vector<Eigen::Vector3d> x;  ///< of kOptimal
  double value = 0.0;              ///< g' x
  double bound = 0.0;     ///< b' y of the dual, minimise b' y with A' y - g in Q: no x has more
  double residual = 0.0;  ///< the largest of those of A x = b and of the dual, relative
  int iterations = 0;
};

/// Solves by a primal-dual interior-point method: the homogeneous self-dual model with the scaling
/// of Nesterov and Todd (Andersen, Roos and Terlaky 2003) and Mehrotra's predictor and corrector.
/// Rows that depend on others are left out first. Residuals and the gap |value - bound| of kOptimal
/// are at most kConeTolerance, relative to 1 or the sizes of b, g and the value if these are
/// larger, and so is what is left of the other certificates; 100 times that where a program has no
/// interior. Only + - * / and square roots: the same bits on every machine.
ConeSolution solve(const ConeProgram& program);

inline constexpr double kConeTolerance = 1e-9;

}  // namespace graspmap
