#include "lab/mcp/convex_qp.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/assert.hpp"

namespace graspmap::mcp {
namespace {

/// The scaled form of a convex program: minimise 1/2 |v|^2 - c^T v subject to A v + b >= 0 and
/// E v + e = 0, rows of A and E of length one (or zero), the largest entry of c, b and e one.
struct ScaledQp {
  /// Scales a program.
  explicit ScaledQp(const ConvexQp& qp);

  /// A point of the original program.
  [[nodiscard]] ConvexQpPoint unscaled(const ConvexQpPoint& point) const;

  /// The largest of |v - c - A^T x - E^T y|, |min(x, A v + b)| and |E v + e|.
  [[nodiscard]] double residual(const ConvexQpPoint& point) const;

  Eigen::VectorXd c;
  Eigen::SparseMatrix<double> A;
  Eigen::VectorXd b;
  Eigen::SparseMatrix<double> E;
  Eigen::VectorXd e;

 private:
  Eigen::VectorXd root_;       // M^(1/2)
  Eigen::VectorXd A_lengths_;  // of the rows of A M^(-1/2)
  Eigen::VectorXd E_lengths_;
  double unit_ = 1.0;
};

/// The systems of an interior-point iteration,
///   (I + A^T D A) dv - E^T dy = r,   E dv = s,
/// D diagonal and positive: by a sparse Cholesky factorisation, whose pattern is analysed once, and
/// a dense one of E (I + A^T D A)^-1 E^T. Refers to `qp`, which must outlive it.
class InteriorPointSystem {
 public:
  /// Analyses the pattern of I + A^T D A.
  explicit InteriorPointSystem(const ScaledQp& qp);

  /// Sets D. False when the matrix is not positive definite to working precision.
  [[nodiscard]] bool factorize(const Eigen::VectorXd& D);

  /// Solves for dv and dy with the last D.
  void solve(const Eigen::VectorXd& r, const Eigen::VectorXd& s, Eigen::VectorXd& dv,
             Eigen::VectorXd& dy) const;

 private:
  /// A product of two entries of a row of A, and where it adds to K.
  struct Product {
    int row;
    int place;
    double value;
  };

  const ScaledQp& qp_;
  Eigen::SparseMatrix<double> K_;  // lower triangle of I + A^T D A
  std::vector<Product> products_;
  std::vector<int> diagonal_;  // places of the diagonal in K's values
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> cholesky_;
  Eigen::MatrixXd K_inverse_Et_;
  Eigen::LDLT<Eigen::MatrixXd> schur_;
};

using Sparse = Eigen::SparseMatrix<double>;

double largest(const Eigen::VectorXd& vector) {
  return vector.size() == 0 ? 0.0 : vector.cwiseAbs().maxCoeff();
}

/// Divides the rows by their lengths, which it returns; 1 for rows of zeros.
Eigen::VectorXd normalise_rows(Sparse& matrix) {
  Eigen::VectorXd lengths = Eigen::VectorXd::Zero(matrix.rows());
  for (int j = 0; j < matrix.outerSize(); ++j) {
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
      lengths[entry.row()] += entry.value() * entry.value();
    }
  }
  lengths = (lengths.array() > 0.0).select(lengths.cwiseSqrt(), 1.0);
  matrix = Sparse(lengths.cwiseInverse().asDiagonal() * matrix);
  return lengths;
}

ScaledQp::ScaledQp(const ConvexQp& qp) : root_(qp.M.cwiseSqrt()) {
  const auto n = qp.M.size();
  const Eigen::VectorXd inverse_root = root_.cwiseInverse();
  A = qp.A.rows() > 0 ? Sparse(qp.A * inverse_root.asDiagonal()) : Sparse(0, n);
  E = qp.E.rows() > 0 ? Sparse(qp.E * inverse_root.asDiagonal()) : Sparse(0, n);
  A_lengths_ = normalise_rows(A);
  E_lengths_ = normalise_rows(E);
  c = inverse_root.cwiseProduct(qp.c);
  b = qp.b.cwiseQuotient(A_lengths_);
  e = qp.e.cwiseQuotient(E_lengths_);
  const double size = std::max({largest(c), largest(b), largest(e)});
  if (size > 0.0) unit_ = size;
  c /= unit_;
  b /= unit_;
  e /= unit_;
}

ConvexQpPoint ScaledQp::unscaled(const ConvexQpPoint& point) const {
  return {unit_ * point.v.cwiseQuotient(root_), unit_ * point.x.cwiseQuotient(A_lengths_),
          unit_ * point.y.cwiseQuotient(E_lengths_)};
}

double ScaledQp::residual(const ConvexQpPoint& point) const {
  const Eigen::VectorXd gradient = point.v - c - A.transpose() * point.x - E.transpose() * point.y;
  const Eigen::VectorXd slack = A * point.v + b;
  return std::max({largest(gradient), largest(slack.cwiseMin(point.x)), largest(E * point.v + e)});
}

using Sparse = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// The place of entry (i, j) in the values of a compressed matrix that has it.
int place_of(const Sparse& matrix, int i, int j) {
  const int* const begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[j];
  const int* const end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[j + 1];
  return static_cast<int>(std::lower_bound(begin, end, i) - matrix.innerIndexPtr());
}

/// The pattern of the lower triangle of I + A^T A.
Sparse lower_pattern(const SparseRows& rows) {
  const auto n = rows.cols();
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (int row = 0; row < rows.rows(); ++row) {
    for (SparseRows::InnerIterator first(rows, row); first; ++first) {
      for (SparseRows::InnerIterator second(rows, row); second; ++second) {
        if (second.col() <= first.col()) {
          entries.emplace_back(static_cast<int>(first.col()), static_cast<int>(second.col()), 1.0);
        }
      }
    }
  }
  Sparse pattern(n, n);
  pattern.setFromTriplets(entries.begin(), entries.end());
  return pattern;
}

InteriorPointSystem::InteriorPointSystem(const ScaledQp& qp) : qp_(qp) {
  const SparseRows rows = qp.A;
  const auto n = static_cast<int>(qp.c.size());
  K_ = lower_pattern(rows);
  for (int i = 0; i < n; ++i) diagonal_.push_back(place_of(K_, i, i));
  for (int row = 0; row < rows.rows(); ++row) {
    for (SparseRows::InnerIterator first(rows, row); first; ++first) {
      for (SparseRows::InnerIterator second(rows, row); second; ++second) {
        if (second.col() > first.col()) continue;
        const int place =
            place_of(K_, static_cast<int>(first.col()), static_cast<int>(second.col()));
        products_.push_back({row, place, first.value() * second.value()});
      }
    }
  }
  cholesky_.analyzePattern(K_);
}

bool InteriorPointSystem::factorize(const Eigen::VectorXd& D) {
  double* const values = K_.valuePtr();
  std::fill(values, values + K_.nonZeros(), 0.0);
  for (const int place : diagonal_) values[place] = 1.0;
  for (const Product& product : products_) values[product.place] += D[product.row] * product.value;
  cholesky_.factorize(K_);
  if (cholesky_.info() != Eigen::Success) return false;
  if (qp_.E.rows() == 0) return true;
  K_inverse_Et_ = cholesky_.solve(Eigen::MatrixXd(qp_.E.transpose()));
  Eigen::MatrixXd schur = qp_.E * K_inverse_Et_;
  // Redundant equalities make it singular. The added term slows the multipliers a little, and does
  // not change their limit.
  constexpr double kRegularization = 1e-12;
  schur.diagonal().array() += kRegularization * schur.diagonal().maxCoeff();
  schur_.compute(schur);
  return schur_.info() == Eigen::Success;
}

void InteriorPointSystem::solve(const Eigen::VectorXd& r, const Eigen::VectorXd& s,
                                Eigen::VectorXd& dv, Eigen::VectorXd& dy) const {
  dv = cholesky_.solve(r);
  dy.resize(qp_.E.rows());
  if (qp_.E.rows() == 0) return;
  dy = schur_.solve(s - qp_.E * dv);
  dv += K_inverse_Et_ * dy;
}

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
  GRASPMAP_CHECK(qp.c.size() == qp.M.size() && qp.b.size() == qp.A.rows() &&
                 qp.e.size() == qp.E.rows());
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
