#include "lab/mcp/levenberg_marquardt.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <deque>

#include "geometry/assert.hpp"
#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {
namespace {

/// A point of the minimisation of 1/2 |Phi|^2, and what is known there.
struct LeastSquaresPoint {
  Eigen::VectorXd z;
  Eigen::VectorXd F;
  Eigen::VectorXd Phi;
  double merit = 0.0;  ///< not finite where F is not
};

/// A problem, how its rows are reformulated, and room for its Jacobian.
class LeastSquaresProblem {
 public:
  LeastSquaresProblem(Problem& problem, ComplementarityFunction function, double penalty)
      : problem_(problem), function_(function), penalty_(penalty) {}

  /// Computes F, Phi and the merit at point.z.
  void evaluate(LeastSquaresPoint& point) const {
    problem_.evaluate(point.z, point.F);
    reformulate(problem_, function_, penalty_, point.z, point.F, point.Phi);
    point.merit = 0.5 * point.Phi.squaredNorm();
  }
  /// An element of the generalised Jacobian of Phi at an evaluated point.
  void jacobian(const LeastSquaresPoint& point, Eigen::MatrixXd& dPhi) {
    problem_.jacobian(point.z, J_);
    reformulate_jacobian(problem_, function_, penalty_, point.z, point.F, J_, dPhi);
  }
  /// The natural residual at an evaluated point.
  [[nodiscard]] double residual(const LeastSquaresPoint& point) const {
    return natural_residual(problem_, point.z, point.F);
  }

 private:
  Problem& problem_;
  ComplementarityFunction function_;
  double penalty_;
  Eigen::MatrixXd J_;
};

/// The status of an iteration that ended at a point of natural residual `residual`; `has_stopped`:
/// by itself, before its limit of iterations.
inline Status final_status(double residual, double tolerance, bool has_stopped) {
  if (residual <= tolerance) return Status::kSolved;
  if (!std::isfinite(residual)) return Status::kNotFinite;
  return has_stopped ? Status::kStalled : Status::kIterationLimit;
}

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
  GRASPMAP_CHECK(z.size() == problem.size() && options.memory >= 1);
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
  while (goes_on && result.iterations < options.max_iterations &&
         !(options.is_stopped && options.is_stopped())) {
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

namespace {

/// The iteration's state: the present point, the best one, and the line search's memory.
class ProjectedLm {
 public:
  ProjectedLm(Problem& problem, const ProjectedLmOptions& options, const Eigen::VectorXd& start)
      : options_(options), least_squares_(problem, options.function, options.penalty) {
    point_.z = start;
    least_squares_.evaluate(point_);
    best_ = point_;
    merits_ = {point_.merit};
  }

  Result run();
  [[nodiscard]] const Eigen::VectorXd& best() const { return best_.z; }

 private:
  bool iterate(Result& result);
  double find_direction();
  double search_line(double slope);
  void remember();
  void return_to_best();

  const ProjectedLmOptions& options_;
  LeastSquaresProblem least_squares_;
  LeastSquaresPoint point_;
  LeastSquaresPoint trial_;
  LeastSquaresPoint best_;
  Eigen::MatrixXd dPhi_;
  Eigen::VectorXd dx_;
  std::deque<double> merits_;  // the last ones
  bool is_monotone_ = false;
  int without_progress_ = 0;
};

Result ProjectedLm::run() {
  Result result;
  bool goes_on = std::isfinite(point_.merit) && point_.merit >= options_.merit_tolerance;
  while (goes_on && result.iterations < options_.max_iterations) {
    ++result.iterations;
    goes_on = iterate(result);
  }
  result.residual = least_squares_.residual(best_);
  result.status = final_status(result.residual, options_.tolerance, !goes_on);
  return result;
}

/// One step; false when there is no reason for another.
bool ProjectedLm::iterate(Result& result) {
  least_squares_.jacobian(point_, dPhi_);
  const double slope = find_direction();
  const double length = search_line(slope);
  if (length > 0.0) std::swap(point_, trial_);
  if (options_.keep_history) {
    result.history.push_back(
        {least_squares_.residual(point_), point_.merit, length, options_.damping});
  }
  if (length == 0.0) {
    if (is_monotone_) return false;
    return_to_best();
    return true;
  }
  const bool is_small = length * dx_.norm() <= options_.relative_step * point_.z.norm();
  remember();
  return !is_small && point_.merit >= options_.merit_tolerance;
}

/// The least-squares solution of [dPhi; sqrt(lambda) I] dx = [-Phi; 0], or minus the gradient where
/// it does not descend. Returns the slope of the merit along it.
double ProjectedLm::find_direction() {
  constexpr double kLeastDescent = 1e-10;
  const auto n = dPhi_.cols();
  Eigen::MatrixXd H(2 * n, n);
  H << dPhi_, std::sqrt(options_.damping) * Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd B = Eigen::VectorXd::Zero(2 * n);
  B.head(n) = -point_.Phi;
  dx_ = H.householderQr().solve(B);
  const Eigen::VectorXd gradient = dPhi_.transpose() * point_.Phi;
  const double slope = gradient.dot(dx_);
  if (slope < -kLeastDescent * gradient.norm() * dx_.norm()) return slope;
  dx_ = -gradient;
  return -gradient.squaredNorm();
}

/// Halves the step until the merit is below the largest remembered one by enough; `trial_` is the
/// point there. Returns the length, 0 when no length will do.
double ProjectedLm::search_line(double slope) {
  const double reference =
      is_monotone_ ? point_.merit : *std::max_element(merits_.begin(), merits_.end());
  for (double t = 1.0; t >= options_.least_step; t *= 0.5) {
    trial_.z = point_.z + t * dx_;
    least_squares_.evaluate(trial_);
    if (trial_.merit <= reference + options_.armijo * t * slope) return t;
  }
  return 0.0;
}

/// Keeps the point's merit, and the best point; the watchdog counts the others.
void ProjectedLm::remember() {
  merits_.push_back(point_.merit);
  if (static_cast<int>(merits_.size()) > options_.memory) merits_.pop_front();
  if (point_.merit < best_.merit) {
    best_ = point_;
    without_progress_ = 0;
  } else if (++without_progress_ >= options_.watchdog && !is_monotone_) {
    return_to_best();
  }
}

void ProjectedLm::return_to_best() {
  point_ = best_;
  is_monotone_ = true;
}

}  // namespace

Result solve_projected_lm(Problem& problem, const ProjectedLmOptions& options, Eigen::VectorXd& z) {
  GRASPMAP_CHECK(z.size() == problem.size() && options.memory >= 1);
  ProjectedLm solver(problem, options, z);
  const Result result = solver.run();
  z = solver.best();
  return result;
}

}  // namespace graspmap::mcp
