#include "grasp/decide/calibrate/outcome_model.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numeric>

namespace graspmap {
namespace {

/// log of the rising factorial (a)_n = a (a + 1) ... (a + n - 1).
double log_rising(double a, std::int64_t n) {
  using boost::math::lgamma;
  return n == 0 ? 0.0 : lgamma(a + static_cast<double>(n)) - lgamma(a);
}

/// log of the beta-binomial probability of s of n but for the binomial coefficient:
/// (p nu)_s ((1 - p) nu)_(n-s) / (nu)_n with rising factorials.
double log_beta_binomial(std::int64_t s, std::int64_t n, double p, double nu) {
  constexpr std::int64_t kMostFactors = 10'000;
  if (n > kMostFactors) {
    return log_rising(p * nu, s) + log_rising((1 - p) * nu, n - s) - log_rising(nu, n);
  }
  double log_sum = 0;
  double product = 1;
  const auto multiply = [&](double factor) {
    product *= factor;
    if (product > 1e-280) return;
    log_sum += std::log(product);
    product = 1;
  };
  for (std::int64_t k = 0; k < n; ++k) {
    const double drawn = static_cast<double>(k < s ? k : k - s);
    const double weight = k < s ? p * nu : (1 - p) * nu;
    multiply((weight + drawn) / (nu + static_cast<double>(k)));
  }
  return log_sum + std::log(product);
}

}  // namespace

double log_likelihood(const std::vector<CalibrationCell>& cells,
                      const std::vector<CellPrediction>& expected,
                      std::span<const std::size_t> some) {
  double sum = 0;
  for (const std::size_t k : some) {
    const ExperimentCell& cell = cells[k].experiment;
    sum += log_beta_binomial(cell.successes, cell.trials, expected[k].probability,
                             expected[k].effective_trials);
  }
  return sum;
}

double log_likelihood(const std::vector<CalibrationCell>& cells,
                      const std::vector<CellPrediction>& expected) {
  std::vector<std::size_t> all(cells.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return log_likelihood(cells, expected, all);
}

}  // namespace graspmap
