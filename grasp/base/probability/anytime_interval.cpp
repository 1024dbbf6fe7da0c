#include "grasp/base/probability/anytime_interval.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

namespace graspmap {
namespace {

double log_beta(double a, double b) {
  using boost::math::lgamma;
  return lgamma(a) + lgamma(b) - lgamma(a + b);
}

/// count * log(p), 0 for no count even where p is 0.
double weighted_log(double count, double p) { return count > 0 ? count * std::log(p) : 0.0; }

/// log M_n(p) + log(1 - confidence): below 0 inside the interval. It falls up to s / n, then rises.
struct Excess {
  double successes;
  double others;
  double level;

  double operator()(double p) const {
    return level - weighted_log(successes, p) - weighted_log(others, 1 - p);
  }
};

/// Where the excess changes its sign between `outside` and `inside`; the end that lies outside.
double border(const Excess& excess, double outside, double inside) {
  constexpr int kBits = 50;
  const auto [a, b] =
      boost::math::tools::bisect(excess, std::min(outside, inside), std::max(outside, inside),
                                 boost::math::tools::eps_tolerance<double>(kBits));
  return outside < inside ? a : b;
}

}  // namespace

Interval anytime_interval(std::int64_t successes, std::int64_t trials, double confidence) {
  if (trials <= 0) return {0.0, 1.0};
  const auto s = static_cast<double>(successes);
  const auto f = static_cast<double>(trials - successes);
  const double level = log_beta(s + 0.5, f + 0.5) - log_beta(0.5, 0.5) + std::log1p(-confidence);
  const Excess excess{s, f, level};
  const double best = s / (s + f);
  return {successes == 0 ? 0.0 : border(excess, 0.0, best),
          successes == trials ? 1.0 : border(excess, 1.0, best)};
}

Interval anytime_interval_with_failed(std::int64_t successes, std::int64_t trials,
                                      std::int64_t failed, double confidence) {
  const std::int64_t all = trials + failed;
  return {anytime_interval(successes, all, confidence).low,
          anytime_interval(successes + failed, all, confidence).high};
}

}  // namespace graspmap
