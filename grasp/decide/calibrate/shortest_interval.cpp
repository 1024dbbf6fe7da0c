#include "grasp/decide/calibrate/shortest_interval.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

/// How many ascending values lie in [from, to].
double count_between(const std::vector<double>& sorted, double from, double to) {
  return static_cast<double>(std::upper_bound(sorted.begin(), sorted.end(), to) -
                             std::lower_bound(sorted.begin(), sorted.end(), from));
}

/// Where the shortest run of `inside` successive values begins.
std::size_t shortest_run(const std::vector<double>& sorted, std::size_t inside) {
  std::size_t best = 0;
  for (std::size_t k = 0; k + inside <= sorted.size(); ++k) {
    if (sorted[k + inside - 1] - sorted[k] < sorted[best + inside - 1] - sorted[best]) best = k;
  }
  return best;
}

}  // namespace

ShortestInterval shortest_interval(std::vector<double> draws, double share, double low,
                                   double high) {
  std::sort(draws.begin(), draws.end());
  const auto n = static_cast<double>(draws.size());
  const std::size_t inside =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(share * n)), 1, draws.size());
  const std::size_t begin = shortest_run(draws, inside);
  ShortestInterval result{{draws[begin], draws[begin + inside - 1]}, false, false};
  const double reach = (draws.back() - draws.front()) / 20;
  if (!(reach > 0)) return result;
  // The density that an interval's ends have is that of the draws left out, about.
  const double left_out = (1 - share) * n;
  const auto is_dense = [&](double from, double to) {
    return count_between(draws, from, to) > 0.3 * left_out;
  };
  if (draws.front() - low < reach && is_dense(low, low + reach)) {
    const std::size_t end = inside - 1;
    result.touches_low = true;
    if (result.interval.low - low < reach) {
      result.interval = {low, std::max(draws[end], low)};
    } else {
      result.interval.low = low;
    }
  }
  if (high - draws.back() < reach && is_dense(high - reach, high)) {
    result.touches_high = true;
    if (high - result.interval.high < reach && !result.touches_low) {
      result.interval = {draws[draws.size() - inside], high};
    } else {
      result.interval.high = high;
    }
  }
  return result;
}

}  // namespace graspmap
