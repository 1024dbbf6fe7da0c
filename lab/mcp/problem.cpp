#include "lab/mcp/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/assert.hpp"

namespace graspmap::mcp {

const char* name(Status status) {
  switch (status) {
    case Status::kSolved:
      return "solved";
    case Status::kIterationLimit:
      return "iteration limit";
    case Status::kStalled:
      return "stalled";
    case Status::kRay:
      return "ray";
    case Status::kInfeasible:
      return "infeasible";
    case Status::kNotFinite:
      return "not finite";
  }
  return "";
}

double natural_residual(const Problem& problem, const Eigen::VectorXd& z,
                        const Eigen::VectorXd& F) {
  GRASPMAP_CHECK(z.size() == problem.size() && F.size() == problem.size());
  double largest = 0.0;
  for (int i = 0; i < problem.size(); ++i) {
    if (!std::isfinite(z[i]) || !std::isfinite(F[i])) {
      return std::numeric_limits<double>::infinity();
    }
    const double row = problem.kind(i) == Kind::kFree ? F[i] : std::min(z[i], F[i]);
    largest = std::max(largest, std::abs(row));
  }
  return largest;
}

namespace {

/// a + b - sqrt(a^2 + b^2), without cancellation where both are positive.
double fischer_burmeister(double a, double b) {
  const double norm = std::sqrt(a * a + b * b);
  if (a > 0.0 && b > 0.0) return 2.0 * a * (b / (a + b + norm));
  return a + b - norm;
}

/// Slopes of the Fischer-Burmeister function away from its kink.
Slopes fischer_burmeister_slopes(double a, double b, double norm) {
  return {1.0 - a / norm, 1.0 - b / norm};
}

bool is_kink(const Problem& problem, int i, const Eigen::VectorXd& z, const Eigen::VectorXd& F) {
  return problem.kind(i) == Kind::kNonnegative && z[i] * z[i] + F[i] * F[i] == 0.0;
}

/// Slopes at a = b = 0 in the direction (1, g), Mylapilli and Jain 2017, eq. (45): there the
/// penalty's term has none.
Slopes kink_slopes(ComplementarityFunction function, double g, double penalty) {
  const Slopes slope = fischer_burmeister_slopes(1.0, g, std::sqrt(1.0 + g * g));
  const bool is_penalised = function == ComplementarityFunction::kPenalisedFischerBurmeister;
  const double factor = is_penalised ? penalty : 1.0;
  return {factor * slope.a, factor * slope.b};
}

}  // namespace

double value(ComplementarityFunction function, double a, double b, double penalty) {
  switch (function) {
    case ComplementarityFunction::kNaturalMap:
      return std::min(a, b);
    case ComplementarityFunction::kFischerBurmeister:
      return fischer_burmeister(a, b);
    case ComplementarityFunction::kPenalisedFischerBurmeister:
      return penalty * fischer_burmeister(a, b) +
             (1.0 - penalty) * std::max(0.0, a) * std::max(0.0, b);
  }
  return 0.0;
}

Slopes slopes(ComplementarityFunction function, double a, double b, double penalty) {
  if (function == ComplementarityFunction::kNaturalMap) {
    return a <= b ? Slopes{1.0, 0.0} : Slopes{0.0, 1.0};
  }
  const bool is_penalised = function == ComplementarityFunction::kPenalisedFischerBurmeister;
  const double norm = std::sqrt(a * a + b * b);
  if (norm == 0.0) return kink_slopes(function, 1.0, penalty);
  Slopes slope = fischer_burmeister_slopes(a, b, norm);
  if (!is_penalised) return slope;
  // Mylapilli and Jain 2017, eq. (46), (47)
  slope.a *= penalty;
  slope.b *= penalty;
  if (a > 0.0 && b > 0.0) {
    slope.a += (1.0 - penalty) * b;
    slope.b += (1.0 - penalty) * a;
  }
  return slope;
}

void reformulate(const Problem& problem, ComplementarityFunction function, double penalty,
                 const Eigen::VectorXd& z, const Eigen::VectorXd& F, Eigen::VectorXd& Phi) {
  Phi.resize(F.size());
  for (int i = 0; i < problem.size(); ++i) {
    Phi[i] = problem.kind(i) == Kind::kFree ? F[i] : value(function, z[i], F[i], penalty);
  }
}

void reformulate_jacobian(const Problem& problem, ComplementarityFunction function, double penalty,
                          const Eigen::VectorXd& z, const Eigen::VectorXd& F,
                          const Eigen::MatrixXd& J, Eigen::MatrixXd& dPhi) {
  const int n = problem.size();
  const bool has_kinks = function != ComplementarityFunction::kNaturalMap;
  // Mylapilli and Jain 2017, eq. (45): y_i = 1 on S1, the rows at their kink; g = F'(z) y.
  Eigen::VectorXd g;
  for (int j = 0; j < n && has_kinks; ++j) {
    if (!is_kink(problem, j, z, F)) continue;
    if (g.size() == 0) g = Eigen::VectorXd::Zero(n);
    g += J.col(j);
  }
  dPhi = J;
  for (int i = 0; i < n; ++i) {
    if (problem.kind(i) == Kind::kFree) continue;
    const bool is_on_S1 = has_kinks && is_kink(problem, i, z, F);
    const Slopes slope =
        is_on_S1 ? kink_slopes(function, g[i], penalty) : slopes(function, z[i], F[i], penalty);
    dPhi.row(i) *= slope.b;
    dPhi(i, i) += slope.a;
  }
}

}  // namespace graspmap::mcp
