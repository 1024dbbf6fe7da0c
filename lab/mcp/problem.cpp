#include "lab/mcp/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace graspmap::mcp
