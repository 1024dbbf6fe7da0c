#include "lab/mcp/convex_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/mcp/interior_point_system.hpp"
#include "lab/mcp/scaled_qp.hpp"

namespace graspmap::mcp {
namespace {

/// delta of the proximal term delta dx, by which the slacks may differ from A v + b: it bounds the
/// entries of D, and with them the rounding errors, also where rows are redundant. It vanishes with
/// the steps, and hardly slows them.
constexpr double kProximal = 1e-12;

/// A point or a direction with the slacks s of A v + b.
struct InteriorPoint {
  ConvexQpPoint primal_dual;
  Eigen::VectorXd s;
};

bool is_finite(const ConvexQp& qp) {
  return qp.M.allFinite() && qp.c.allFinite() && qp.b.allFinite() && qp.e.allFinite() &&
         qp.A.coeffs().allFinite() && qp.E.coeffs().allFinite() &&
         (qp.M.size() == 0 || qp.M.minCoeff() > 0.0);
}

/// Mehrotra's predictor-corrector iteration on a scaled program with inequalities or equalities.
class InteriorPointMethod {
 public:
  explicit InteriorPointMethod(const ScaledQp& qp) : qp_(qp), system_(qp) {}

  /// False when the first system cannot be solved.
  [[nodiscard]] bool start();
  /// One step. False when the system cannot be solved or the step vanishes.
  [[nodiscard]] bool iterate();
  /// True when multipliers prove that the constraints contradict each other.
  [[nodiscard]] bool is_infeasible() const;

  [[nodiscard]] const ConvexQpPoint& point() const { return at_.primal_dual; }
  [[nodiscard]] double step_length() const { return step_length_; }
  [[nodiscard]] double merit() const;

 private:
  void find_residuals();
  [[nodiscard]] Eigen::VectorXd ratios() const {
    return at_.primal_dual.x.array() / (at_.s.array() + kProximal * at_.primal_dual.x.array());
  }
  void solve(const Eigen::VectorXd& target, InteriorPoint& step) const;
  [[nodiscard]] double longest_step(const InteriorPoint& step) const;
  void move(const InteriorPoint& step, double length);

  const ScaledQp& qp_;
  InteriorPointSystem system_;
  InteriorPoint at_;
  Eigen::VectorXd r_v_;  // v - c - A^T x - E^T y
  Eigen::VectorXd r_s_;  // A v + b - s
  Eigen::VectorXd r_e_;  // E v + e
  double step_length_ = 0.0;
};

/// The minimiser of 1/2 |v|^2 - c^T v + 1/2 |A v + b|^2 on the equalities, and s and x about as
/// large as what it leaves of the inequalities.
bool InteriorPointMethod::start() {
  const auto m = qp_.b.size();
  ConvexQpPoint& point = at_.primal_dual;
  if (!system_.factorize(Eigen::VectorXd::Ones(m))) return false;
  system_.solve(qp_.c - qp_.A.transpose() * qp_.b, -qp_.e, point.v, point.y);
  at_.s = qp_.A * point.v + qp_.b;
  point.x = -at_.s;
  if (m > 0) {
    const double largest = std::max(at_.s.cwiseAbs().maxCoeff(), 1e-3);
    at_.s = at_.s.cwiseMax(largest);
    point.x = point.x.cwiseMax(largest);
  }
  find_residuals();
  return point.v.allFinite() && point.y.allFinite();
}

void InteriorPointMethod::find_residuals() {
  const ConvexQpPoint& point = at_.primal_dual;
  r_v_ = point.v - qp_.c - qp_.A.transpose() * point.x - qp_.E.transpose() * point.y;
  r_s_ = qp_.A * point.v + qp_.b - at_.s;
  r_e_ = qp_.E * point.v + qp_.e;
}

/// Newton's step to zero residuals and s dx + x ds = target:
///   ds = A dv + r_s + delta dx,   dx = D (target / x - A dv - r_s),   D = x / (s + delta x),
///   (I + A^T D A) dv - E^T dy = -r_v + A^T D (target / x - r_s),   E dv = -r_e.
void InteriorPointMethod::solve(const Eigen::VectorXd& target, InteriorPoint& step) const {
  const Eigen::VectorXd& x = at_.primal_dual.x;
  const Eigen::VectorXd D = ratios();
  const Eigen::VectorXd wanted = target.cwiseQuotient(x) - r_s_;
  ConvexQpPoint& to = step.primal_dual;
  system_.solve(qp_.A.transpose() * D.cwiseProduct(wanted) - r_v_, -r_e_, to.v, to.y);
  const Eigen::VectorXd change = qp_.A * to.v;
  to.x = D.cwiseProduct(wanted - change);
  step.s = change + r_s_ + kProximal * to.x;
}

/// The longest step, up to 2, that keeps s and x nonnegative.
double InteriorPointMethod::longest_step(const InteriorPoint& step) const {
  double length = 2.0;
  const ConvexQpPoint& point = at_.primal_dual;
  for (Eigen::Index i = 0; i < at_.s.size(); ++i) {
    if (step.s[i] < 0.0) length = std::min(length, -at_.s[i] / step.s[i]);
    const double dx = step.primal_dual.x[i];
    if (dx < 0.0) length = std::min(length, -point.x[i] / dx);
  }
  return length;
}

void InteriorPointMethod::move(const InteriorPoint& step, double length) {
  ConvexQpPoint& point = at_.primal_dual;
  point.v += length * step.primal_dual.v;
  point.x += length * step.primal_dual.x;
  point.y += length * step.primal_dual.y;
  at_.s += length * step.s;
}

bool InteriorPointMethod::iterate() {
  const ConvexQpPoint& point = at_.primal_dual;
  const auto m = static_cast<double>(at_.s.size());
  if (!system_.factorize(ratios())) return false;
  const Eigen::VectorXd products = point.x.cwiseProduct(at_.s);
  InteriorPoint step;
  solve(-products, step);
  double length = std::min(1.0, longest_step(step));
  if (m > 0) {
    const double gap = products.sum();
    const double predicted_gap =
        (point.x + length * step.primal_dual.x).dot(at_.s + length * step.s);
    const double centring = std::pow(predicted_gap / gap, 3);
    const Eigen::VectorXd target = Eigen::VectorXd::Constant(at_.s.size(), centring * gap / m) -
                                   products - step.primal_dual.x.cwiseProduct(step.s);
    solve(target, step);
    // Nearer to the boundary at the end, for superlinear convergence, but never on it.
    const double fraction = std::clamp(1.0 - gap / m, 0.995, 1.0 - 1e-8);
    length = std::min(1.0, fraction * longest_step(step));
  }
  if (!step.primal_dual.v.allFinite() || !step.primal_dual.x.allFinite()) return false;
  move(step, length);
  step_length_ = length;
  find_residuals();
  return length > 0.0;
}

/// Multipliers x >= 0 and y with A^T x + E^T y = 0 and b.x + e.y < 0 would prove it (Farkas's
/// lemma). Those found prove it for |v|_1 < 1e8.
bool InteriorPointMethod::is_infeasible() const {
  constexpr double kLargest = 1e8;
  const ConvexQpPoint& point = at_.primal_dual;
  const Eigen::VectorXd combination = qp_.A.transpose() * point.x + qp_.E.transpose() * point.y;
  const double value = qp_.b.dot(point.x) + qp_.e.dot(point.y);
  return combination.size() > 0 && combination.cwiseAbs().maxCoeff() * kLargest < -value;
}

/// Half the squared residuals, and the products x s.
double InteriorPointMethod::merit() const {
  return 0.5 * (r_v_.squaredNorm() + r_s_.squaredNorm() + r_e_.squaredNorm()) +
         at_.primal_dual.x.dot(at_.s);
}

/// The best point of an iteration, and the number of iterations since.
struct Best {
  ConvexQpPoint point;
  double residual = std::numeric_limits<double>::infinity();
  int iterations_ago = 0;

  /// Keeps the point of another iteration if it is better.
  void improve(const ScaledQp& qp, const ConvexQpPoint& candidate) {
    const double its_residual = qp.residual(candidate);
    ++iterations_ago;
    if (!(its_residual < residual)) return;
    point = candidate;
    residual = its_residual;
    iterations_ago = 0;
  }
};

/// Iterates on the scaled program; the result is that of `best`.
Result iterate_to_solution(const ScaledQp& scaled, const ConvexQpOptions& options, Best& best) {
  constexpr int kPatience = 15;  // iterations without an improvement
  Result result;
  result.status = Status::kStalled;
  InteriorPointMethod method(scaled);
  bool goes_on = method.start();
  if (!goes_on) return result;
  best.improve(scaled, method.point());
  while (best.residual > options.tolerance) {
    if (method.is_infeasible()) {
      result.status = Status::kInfeasible;
      return result;
    }
    if (!goes_on || best.iterations_ago > kPatience) return result;
    if (result.iterations == options.max_iterations) {
      result.status = Status::kIterationLimit;
      return result;
    }
    goes_on = method.iterate();
    ++result.iterations;
    best.improve(scaled, method.point());
    if (options.keep_history) {
      result.history.push_back({best.residual, method.merit(), method.step_length(), 0.0});
    }
  }
  result.status = Status::kSolved;
  return result;
}

}  // namespace

Result solve_convex_qp(const ConvexQp& qp, const ConvexQpOptions& options, ConvexQpPoint& point) {
  Result result;
  result.status = Status::kNotFinite;
  result.residual = std::numeric_limits<double>::infinity();
  if (!is_finite(qp)) return result;
  const ScaledQp scaled(qp);
  Best best;
  result = iterate_to_solution(scaled, options, best);
  result.residual = best.residual;
  point = scaled.unscaled(best.point);
  return result;
}

}  // namespace graspmap::mcp
