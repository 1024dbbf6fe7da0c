#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <deque>

#include "lab/mcp/least_squares.hpp"
#include "lab/mcp/levenberg_marquardt.hpp"

namespace graspmap::mcp {
namespace {

/// The largest of the last merits: what the next ones are compared with.
class Reference {
 public:
  Reference(double merit, int memory) : memory_(memory), merits_{merit} {}
  void add(double merit) {
    merits_.push_back(merit);
    if (static_cast<int>(merits_.size()) > memory_) merits_.pop_front();
  }
  [[nodiscard]] double merit() const { return *std::max_element(merits_.begin(), merits_.end()); }

 private:
  int memory_;
  std::deque<double> merits_;
};

/// The reduction factor r of Mylapilli and Jain 2017, section 5.1: actual over predicted decrease,
/// the former from the reference's merit, the latter of q(dx) = 1/2 |Phi + dPhi dx|^2. Negative for
/// a trial that is not finite.
double reduction_factor(double merit, double trial_merit, double predicted) {
  if (!std::isfinite(trial_merit)) return -1.0;
  const double actual = merit - trial_merit;
  if (predicted > 0.0) return actual / predicted;
  return actual > 0.0 ? 1.0 : -1.0;  // both are rounding
}

/// lambda after a step of reduction factor r.
double adapted_damping(const RegularLmOptions& options, double damping, double r) {
  if (r < options.poor_ratio) return damping * options.damping_factor;
  if (r > options.good_ratio) {
    return std::max(damping / options.damping_factor, options.least_damping);
  }
  return damping;
}

/// dx of (dPhi^T dPhi + lambda I) dx = -dPhi^T Phi, and the decrease of q(dx) it predicts.
struct Step {
  Eigen::VectorXd dx;
  double predicted = 0.0;
};

Step find_step(const Eigen::MatrixXd& dPhi, const Eigen::VectorXd& Phi, double damping) {
  const Eigen::VectorXd gradient = dPhi.transpose() * Phi;
  Eigen::MatrixXd H = dPhi.transpose() * dPhi;
  H.diagonal().array() += damping;
  Step step;
  step.dx = -H.ldlt().solve(gradient);
  step.predicted = -gradient.dot(step.dx) - 0.5 * (dPhi * step.dx).squaredNorm();
  return step;
}

}  // namespace

Result solve_regular_lm(Problem& problem, const RegularLmOptions& options, Eigen::VectorXd& z) {
  LeastSquaresProblem least_squares(problem, options.function, options.penalty);
  LeastSquaresPoint point{z, {}, {}, 0.0};
  LeastSquaresPoint trial;
  Eigen::MatrixXd dPhi;
  Result result;
  least_squares.evaluate(point);
  double damping = options.initial_damping;
  LeastSquaresPoint best = point;
  Reference reference(point.merit, options.memory);
  bool has_moved = true;
  bool goes_on = std::isfinite(point.merit) && point.merit >= options.merit_tolerance;
  while (goes_on && result.iterations < options.max_iterations) {
    ++result.iterations;
    if (has_moved) least_squares.jacobian(point, dPhi);
    const Step step = find_step(dPhi, point.Phi, damping);
    trial.z = point.z + step.dx;
    least_squares.evaluate(trial);
    const double r = reduction_factor(reference.merit(), trial.merit, step.predicted);
    has_moved = r > 0.0;
    if (has_moved) {
      std::swap(point, trial);
      reference.add(point.merit);
      if (point.merit < best.merit) best = point;
    }
    if (options.keep_history) {
      result.history.push_back(
          {least_squares.residual(point), point.merit, has_moved ? 1.0 : 0.0, damping});
    }
    damping = adapted_damping(options, damping, r);
    goes_on = point.merit >= options.merit_tolerance &&
              !(step.dx.norm() <= options.relative_step * point.z.norm());
  }
  z = best.z;
  result.residual = least_squares.residual(best);
  result.status = final_status(result.residual, options.tolerance, !goes_on);
  return result;
}

}  // namespace graspmap::mcp
