#include "lab/mcp/lemke.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/assert.hpp"
#include "lab/mcp/minimum_norm.hpp"
#include "lab/mcp/without_free.hpp"

namespace graspmap::mcp {
namespace {

/// The tableau of Lemke's method for w - M z - d z0 = q, w, z, z0 >= 0, n rows; d > 0 is the
/// covering vector. Variables are labelled w_i: i, z_i: n + i, z0: 2n. Data should be scaled to be
/// of order one: what is below about 1e-11 counts as zero. After every `pivots_to_recompute` pivots
/// the tableau is recomputed from its basis, against rounding errors; that costs as much as some
/// 3 n pivots. Refers to M, q and d, which must outlive it.
class LemkeTableau {
 public:
  enum class End { kComplementary, kRay, kPivotLimit };

  /// Pivot entries below `pivot_tolerance`, relative to their column's largest, count as zero.
  LemkeTableau(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const Eigen::VectorXd& d,
               double pivot_tolerance, int pivots_to_recompute);

  /// The first pivot, z0 for the most negative w (q has a negative entry).
  void start();

  /// One complementary pivot. False when the method ended; `end` says how.
  [[nodiscard]] bool step();
  [[nodiscard]] End end() const { return end_; }

  /// z of the present basis; zero where not basic.
  [[nodiscard]] Eigen::VectorXd z() const;
  [[nodiscard]] bool is_basic(int label) const { return row_of_[index(label)] >= 0; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] int complement(int label) const { return label < n_ ? label + n_ : label - n_; }
  void find_candidates(int column);
  [[nodiscard]] int leaving_row(int column);
  void keep_ties(int column, int unit_column);
  void pivot(int row, int column);
  void recompute();
  [[nodiscard]] Eigen::VectorXd original_column(int label) const;

  const Eigen::MatrixXd& M_;
  const Eigen::VectorXd& q_;
  const Eigen::VectorXd& d_;
  int n_;
  double pivot_tolerance_;
  int pivots_to_recompute_;
  Eigen::MatrixXd T_;          // basic = rhs - T nonbasic: n columns, that of z0, and rhs
  std::vector<int> basic_;     // label of a row
  std::vector<int> nonbasic_;  // label of a column
  std::vector<int> row_of_;    // of a label, -1 when it is nonbasic
  std::vector<int> column_of_;
  std::vector<int> candidates_;  // rows of positive pivots
  int entering_ = 0;
  int pivots_since_recompute_ = 0;
  End end_ = End::kPivotLimit;
};

/// Differences below this are rounding: the tableau's data are of order one.
constexpr double kTie = 1e-11;

LemkeTableau::LemkeTableau(const Eigen::MatrixXd& M, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& d, double pivot_tolerance,
                           int pivots_to_recompute)
    : M_(M),
      q_(q),
      d_(d),
      n_(static_cast<int>(q.size())),
      pivot_tolerance_(pivot_tolerance),
      pivots_to_recompute_(pivots_to_recompute),
      T_(n_, n_ + 2),
      row_of_(index(2 * n_ + 1), -1),
      column_of_(index(2 * n_ + 1), -1) {
  T_ << -M, -d, q;
  for (int i = 0; i < n_; ++i) {
    basic_.push_back(i);
    row_of_[index(i)] = i;
  }
  for (int j = 0; j <= n_; ++j) {
    nonbasic_.push_back(n_ + j);
    column_of_[index(n_ + j)] = j;
  }
  candidates_.reserve(index(n_));
}

void LemkeTableau::start() {
  // The last of ties: only then the rows (q, B^-1) are lexicographically positive afterwards.
  int row = 0;
  for (int i = 1; i < n_; ++i) {
    if (q_[i] / d_[i] <= q_[row] / d_[row]) row = i;
  }
  entering_ = complement(basic_[index(row)]);
  pivot(row, column_of_[index(2 * n_)]);
}

bool LemkeTableau::step() {
  if (pivots_since_recompute_ >= pivots_to_recompute_) recompute();
  find_candidates(column_of_[index(entering_)]);
  if (candidates_.empty() && pivots_since_recompute_ > 0) {
    recompute();  // a ray should not be one of rounding
    find_candidates(column_of_[index(entering_)]);
  }
  if (candidates_.empty()) {
    end_ = End::kRay;
    return false;
  }
  const int column = column_of_[index(entering_)];
  const int row = leaving_row(column);
  const int leaving = basic_[index(row)];
  pivot(row, column);
  if (leaving == 2 * n_) {
    end_ = End::kComplementary;
    return false;
  }
  entering_ = complement(leaving);
  return true;
}

Eigen::VectorXd LemkeTableau::z() const {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
  for (int i = 0; i < n_; ++i) {
    const int row = row_of_[index(n_ + i)];
    if (row >= 0) z[i] = T_(row, n_ + 1);
  }
  return z;
}

void LemkeTableau::find_candidates(int column) {
  const double least = pivot_tolerance_ * T_.col(column).cwiseAbs().maxCoeff();
  candidates_.clear();
  for (int i = 0; i < n_; ++i) {
    if (T_(i, column) > least) candidates_.push_back(i);
  }
}

/// Lexicographic ratio test: the least row (rhs, B^-1) divided by its entry of the pivot column.
int LemkeTableau::leaving_row(int column) {
  keep_ties(column, n_ + 1);
  const int artificial = row_of_[index(2 * n_)];
  if (std::find(candidates_.begin(), candidates_.end(), artificial) != candidates_.end()) {
    return artificial;  // it may as well leave now: z0 = 0 solves the problem
  }
  for (int j = 0; j < n_ && candidates_.size() > 1; ++j) {
    const int basic_row = row_of_[index(j)];
    if (basic_row < 0) {
      keep_ties(column, column_of_[index(j)]);
    } else {
      // The column of B^-1 is the unit vector of w_j's row: that row is the greatest.
      std::erase(candidates_, basic_row);
    }
  }
  return candidates_.front();
}

/// Keeps the candidates of least T(i, compared) / T(i, column).
void LemkeTableau::keep_ties(int column, int compared) {
  double least = std::numeric_limits<double>::infinity();
  for (const int i : candidates_) least = std::min(least, T_(i, compared) / T_(i, column));
  std::erase_if(candidates_, [&](int i) {
    const double entry = T_(i, compared);
    return entry - least * T_(i, column) > kTie * std::max(1.0, std::abs(entry));
  });
}

/// Exchanges the basic variable of a row with the nonbasic one of a column.
void LemkeTableau::pivot(int row, int column) {
  const double inverse = 1.0 / T_(row, column);
  Eigen::VectorXd factors = T_.col(column) * inverse;
  factors[row] = 0.0;
  for (int j = 0; j < n_ + 2; ++j) {
    const double entry = T_(row, j);
    if (j == column || entry == 0.0) continue;
    T_.col(j).noalias() -= entry * factors;
    T_(row, j) = entry * inverse;
  }
  T_.col(column) = -factors;
  T_(row, column) = inverse;
  auto rhs = T_.col(n_ + 1);
  rhs = (rhs.array().abs() <= kTie).select(0.0, rhs);  // so that ties stay ties
  std::swap(basic_[index(row)], nonbasic_[index(column)]);
  row_of_[index(basic_[index(row)])] = row;
  column_of_[index(basic_[index(row)])] = -1;
  row_of_[index(nonbasic_[index(column)])] = -1;
  column_of_[index(nonbasic_[index(column)])] = column;
  ++pivots_since_recompute_;
}

/// The tableau of the present basis B from the data: B^-1 [N, q].
void LemkeTableau::recompute() {
  pivots_since_recompute_ = 0;
  Eigen::MatrixXd B(n_, n_);
  Eigen::MatrixXd N(n_, n_ + 2);
  for (int i = 0; i < n_; ++i) B.col(i) = original_column(basic_[index(i)]);
  for (int j = 0; j <= n_; ++j) N.col(j) = original_column(nonbasic_[index(j)]);
  N.col(n_ + 1) = q_;
  const Eigen::MatrixXd T = B.partialPivLu().solve(N);
  if (!T.allFinite()) return;  // better inexact than nothing; the caller checks the solution
  T_ = T;
  auto rhs = T_.col(n_ + 1);
  rhs = (rhs.array().abs() <= kTie).select(0.0, rhs);
}

/// Column of [I, -M, -d].
Eigen::VectorXd LemkeTableau::original_column(int label) const {
  if (label < n_) return Eigen::VectorXd::Unit(n_, label);
  if (label < 2 * n_) return -M_.col(label - n_);
  return -d_;
}

double residual_of(const LinearProblem& linear, const Eigen::VectorXd& z) {
  const Eigen::VectorXd F = linear.M * z + linear.q;
  return natural_residual(LinearProblemView(linear), z, F);
}

bool is_solved(const LinearProblem& linear, double tolerance, double residual) {
  const double scale = linear.q.size() == 0 ? 1.0 : std::max(1.0, linear.q.cwiseAbs().maxCoeff());
  return residual <= tolerance * scale;
}

/// Keeps the better of z and `candidate`, whose negative complementary entries are set to zero.
void keep_better(const LinearProblem& linear, Eigen::VectorXd candidate, Eigen::VectorXd& z,
                 double& residual) {
  for (int i = 0; i < candidate.size(); ++i) {
    const bool is_free = linear.kinds[static_cast<std::size_t>(i)] == Kind::kFree;
    if (!is_free && candidate[i] < 0.0) candidate[i] = 0.0;
  }
  const double its_residual = residual_of(linear, candidate);
  if (its_residual < residual) {
    z = candidate;
    residual = its_residual;
  }
}

/// The solution of M z + q = 0 in the rows `basic`, z = 0 in the others, with one step of
/// iterative refinement.
Eigen::VectorXd solve_basis(const LinearProblem& linear, const std::vector<int>& basic) {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(linear.q.size());
  if (basic.empty()) return z;
  const Eigen::MatrixXd M = linear.M(basic, basic);
  const Eigen::VectorXd q = linear.q(basic);
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(M);
  Eigen::VectorXd x = -lu.solve(q);
  x -= lu.solve(M * x + q);
  z(basic) = x;
  return z;
}

/// z with the rows `basic` of M z + q brought nearer to zero by the least change of z in them;
/// their block of M may be singular.
Eigen::VectorXd refine_basis(const LinearProblem& linear, const std::vector<int>& basic,
                             Eigen::VectorXd z) {
  constexpr int kRefinements = 2;
  const Eigen::MatrixXd M = linear.M(basic, basic);
  const MinimumNorm minimum_norm(M);
  for (int i = 0; i < kRefinements; ++i) {
    const Eigen::VectorXd F = linear.M * z + linear.q;
    z(basic) -= minimum_norm.solve(F(basic));
  }
  return z;
}

/// Scales s of rows and columns: a diagonal of one where it is positive, else a largest entry of
/// the row and column of one (the rows of slip multipliers have no diagonal).
Eigen::VectorXd symmetric_scales(const Eigen::MatrixXd& M) {
  constexpr double kRounding = 1e-12;
  const auto n = M.rows();
  Eigen::VectorXd s = Eigen::VectorXd::Ones(n);
  std::vector<int> without_diagonal;
  for (int i = 0; i < n; ++i) {
    if (M(i, i) > kRounding * M.row(i).cwiseAbs().maxCoeff()) {
      s[i] = 1.0 / std::sqrt(M(i, i));
    } else {
      without_diagonal.push_back(i);
    }
  }
  const Eigen::VectorXd known = s;
  for (const int i : without_diagonal) {
    const double in_row = M.row(i).transpose().cwiseAbs().cwiseProduct(known).maxCoeff();
    const double in_column = M.col(i).cwiseAbs().cwiseProduct(known).maxCoeff();
    const double largest = std::max(in_row, in_column);
    if (largest > 0.0) s[i] = 1.0 / largest;
  }
  return s;
}

/// Attempts at a problem: the first is the fastest, and mostly enough; the second keeps rounding
/// errors small, which masses of a ratio of 1e6 need; the others have other covering vectors.
constexpr int kAttempts = 4;

int pivots_to_recompute(int attempt) {
  constexpr int kOften = 100;
  return attempt == 0 ? std::numeric_limits<int>::max() : kOften;
}

/// Ones in the first two attempts, then other positive numbers.
Eigen::VectorXd covering_vector(int attempt, int n) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  Eigen::VectorXd d = Eigen::VectorXd::Ones(n);
  for (int i = 0; attempt > 1 && i < n; ++i) {
    d[i] = 0.5 + std::fmod((i + 1) * (attempt - 1) * kGoldenRatio, 1.0);
  }
  return d;
}

/// A problem of complementary rows only, scaled: z = unit * scales * (scaled z).
struct Scaled {
  Eigen::VectorXd scales;
  double unit = 1.0;
  Eigen::MatrixXd M;
  Eigen::VectorXd q;
};

Scaled scale(const LinearProblem& linear) {
  Scaled scaled;
  scaled.scales = symmetric_scales(linear.M);
  scaled.M = scaled.scales.asDiagonal() * linear.M * scaled.scales.asDiagonal();
  scaled.q = scaled.scales.cwiseProduct(linear.q);
  scaled.unit = scaled.q.cwiseAbs().maxCoeff();
  scaled.q /= scaled.unit;
  return scaled;
}

void record(const LinearProblem& linear, const Scaled& scaled, const LemkeTableau& tableau,
            Result& result) {
  const Eigen::VectorXd z = scaled.unit * scaled.scales.cwiseProduct(tableau.z());
  result.history.push_back({residual_of(linear, z), 0.0, 1.0, 0.0});
}

/// One attempt; improves z and the residual where it can.
LemkeTableau::End attempt(const LinearProblem& linear, const Scaled& scaled, int number,
                          const LemkeOptions& options, Eigen::VectorXd& z, Result& result) {
  const int n = static_cast<int>(linear.q.size());
  const int max_pivots = options.max_pivots > 0 ? options.max_pivots : 50 + 20 * n;
  const Eigen::VectorXd d = covering_vector(number, n);
  LemkeTableau tableau(scaled.M, scaled.q, d, options.pivot_tolerance, pivots_to_recompute(number));
  tableau.start();
  bool goes_on = true;
  for (int pivots = 1; goes_on && pivots < max_pivots; ++pivots) {
    ++result.iterations;
    if (options.keep_history) record(linear, scaled, tableau, result);
    goes_on = tableau.step();
  }
  ++result.iterations;
  if (options.keep_history) record(linear, scaled, tableau, result);
  keep_better(linear, scaled.unit * scaled.scales.cwiseProduct(tableau.z()), z, result.residual);
  std::vector<int> basic;
  for (int i = 0; i < n; ++i) {
    if (tableau.is_basic(n + i)) basic.push_back(i);
  }
  keep_better(linear, solve_basis(linear, basic), z, result.residual);
  return goes_on ? LemkeTableau::End::kPivotLimit : tableau.end();
}

Status status_of(LemkeTableau::End end) {
  switch (end) {
    case LemkeTableau::End::kComplementary:
      return Status::kStalled;
    case LemkeTableau::End::kRay:
      return Status::kRay;
    case LemkeTableau::End::kPivotLimit:
      return Status::kIterationLimit;
  }
  return Status::kStalled;
}

Result solve_complementary(const LinearProblem& linear, const LemkeOptions& options,
                           Eigen::VectorXd& z) {
  Result result;
  z = Eigen::VectorXd::Zero(linear.q.size());
  result.residual = residual_of(linear, z);
  result.status = Status::kSolved;
  if (linear.q.size() == 0 || linear.q.minCoeff() >= 0.0) return result;
  const Scaled scaled = scale(linear);
  for (int number = 0; number < kAttempts; ++number) {
    const LemkeTableau::End end = attempt(linear, scaled, number, options, z, result);
    const bool solved = is_solved(linear, options.tolerance, result.residual);
    result.status = solved ? Status::kSolved : status_of(end);
    if (solved) break;
  }
  return result;
}

/// Lemke's method on a problem without its free unknowns; improves z and the residual where it can.
Result solve_reduced(const LinearProblem& problem, const WithoutFree& reduced,
                     const LemkeOptions& options, Eigen::VectorXd& z, double& residual) {
  Eigen::VectorXd x;
  Result result = solve_complementary(reduced.problem(), options, x);
  Eigen::VectorXd candidate = reduced.unknowns(x);
  keep_better(problem, candidate, z, residual);
  // Rows that are to be zero: by the basis, or by what is nearer to zero, the unknown or its row.
  const Eigen::VectorXd F = problem.M * z + problem.q;
  std::vector<int> basic;
  std::vector<int> nearer;
  for (int i = 0; i < z.size(); ++i) {
    const bool is_free = problem.kinds[static_cast<std::size_t>(i)] == Kind::kFree;
    if (is_free || candidate[i] > 0.0) basic.push_back(i);
    if (is_free || z[i] > F[i]) nearer.push_back(i);
  }
  if (reduced.is_regular()) {
    keep_better(problem, solve_basis(problem, basic), z, residual);
  } else {
    keep_better(problem, refine_basis(problem, basic, candidate), z, residual);
    keep_better(problem, refine_basis(problem, nearer, z), z, residual);
  }
  const bool solved = is_solved(problem, options.tolerance, residual);
  if (solved) result.status = Status::kSolved;
  if (result.status == Status::kSolved && !solved) result.status = Status::kStalled;
  return result;
}

}  // namespace

Result lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const LemkeOptions& options,
             Eigen::VectorXd& z) {
  const auto n = static_cast<std::size_t>(q.size());
  return lemke({M, q, std::vector<Kind>(n, Kind::kNonnegative)}, options, z);
}

Result lemke(const LinearProblem& problem, const LemkeOptions& options, Eigen::VectorXd& z) {
  GRASPMAP_CHECK(problem.M.rows() == problem.q.size() && problem.M.cols() == problem.q.size());
  GRASPMAP_CHECK(problem.kinds.size() == static_cast<std::size_t>(problem.q.size()));
  Result result{Status::kNotFinite, std::numeric_limits<double>::infinity(), 0, {}};
  z = Eigen::VectorXd::Zero(problem.q.size());
  if (!problem.M.allFinite() || !problem.q.allFinite()) return result;
  if (std::count(problem.kinds.begin(), problem.kinds.end(), Kind::kFree) == 0) {
    return solve_complementary(problem, options, z);
  }
  result.residual = residual_of(problem, z);
  bool has_ended = false;
  bool has_regular_ray = false;
  for (const auto how : {WithoutFree::How::kAsTheyAre, WithoutFree::How::kByRank,
                         WithoutFree::How::kByDifferences}) {
    const WithoutFree reduced(problem, how);
    if (reduced.has_contradiction()) result.status = Status::kRay;
    if (reduced.has_contradiction()) break;
    if (!reduced.is_possible()) continue;
    const Result found = solve_reduced(problem, reduced, options, z, result.residual);
    result.iterations += found.iterations;
    result.history.insert(result.history.end(), found.history.begin(), found.history.end());
    if (!has_ended || found.status == Status::kSolved) result.status = found.status;
    has_ended = true;
    const bool is_over = found.status == Status::kSolved || found.status == Status::kIterationLimit;
    const bool is_ray_again = found.status == Status::kRay && has_regular_ray;
    if (is_over || is_ray_again) break;
    has_regular_ray = reduced.is_regular() && found.status == Status::kRay;
  }
  return result;
}

}  // namespace graspmap::mcp
