#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <deque>

#include "lab/mcp/least_squares.hpp"
#include "lab/mcp/levenberg_marquardt.hpp"

namespace graspmap::mcp {
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
/// point there. Returns the length, 0 when there is none.
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
  ProjectedLm solver(problem, options, z);
  const Result result = solver.run();
  z = solver.best();
  return result;
}

}  // namespace graspmap::mcp
