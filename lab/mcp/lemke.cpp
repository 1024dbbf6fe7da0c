#include "lab/mcp/lemke.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/mcp/lemke_tableau.hpp"
#include "lab/mcp/minimum_norm.hpp"
#include "lab/mcp/without_free.hpp"

namespace graspmap::mcp {
namespace {

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
