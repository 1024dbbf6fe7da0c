#include "grasp/decide/agreement/joint_tests.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace graspmap {
namespace {

/// Values this close, in parts of the largest, are equal but for rounding.
constexpr double kRounding = 1e-9;

/// The p-value of each experiment, the observed one first, among all of them.
std::vector<double> p_values(const TestStatistic& statistic) {
  std::vector<double> values = {statistic.observed};
  values.insert(values.end(), statistic.simulated.begin(), statistic.simulated.end());
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double rounding = kRounding * std::max(std::abs(sorted.front()), std::abs(sorted.back()));
  const auto all = static_cast<double>(values.size());
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values) {
    const auto not_smaller = static_cast<double>(
        sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), value - rounding));
    if (!statistic.two_sided) {
      result.push_back(not_smaller / all);
      continue;
    }
    const auto not_larger = static_cast<double>(
        std::upper_bound(sorted.begin(), sorted.end(), value + rounding) - sorted.begin());
    result.push_back(std::min(1.0, 2 * std::min(not_smaller, not_larger) / all));
  }
  return result;
}

/// The share of values not larger than `limit`.
double share_up_to(const std::vector<double>& values, double limit) {
  const auto count = std::count_if(values.begin(), values.end(),
                                   [&](double value) { return value <= limit * (1 + kRounding); });
  return static_cast<double>(count) / static_cast<double>(values.size());
}

/// The largest value that at most the share `level` of all reaches or stays below; 0 without one.
double critical(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  double found = 0.0;
  for (std::size_t k = 0; k < values.size();) {
    const auto next = static_cast<std::size_t>(
        std::upper_bound(values.begin(), values.end(), values[k]) - values.begin());
    if (static_cast<double>(next) > level * static_cast<double>(values.size())) break;
    found = values[k];
    k = next;
  }
  return found;
}

}  // namespace

JointTests joint_tests(const std::vector<TestStatistic>& statistics, double level) {
  JointTests joint;
  joint.tests.resize(statistics.size());
  if (statistics.empty()) return joint;
  std::vector<std::vector<double>> p;
  p.reserve(statistics.size());
  for (const TestStatistic& statistic : statistics) p.push_back(p_values(statistic));
  std::vector<std::size_t> order(statistics.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a][0] < p[b][0]; });
  // From the largest p-value to the smallest: the minimum over it and all larger ones.
  std::vector<double> smallest(p[0].size(), 1.0);
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::vector<double>& own = p[order[k]];
    for (std::size_t r = 0; r < smallest.size(); ++r) smallest[r] = std::min(smallest[r], own[r]);
    joint.tests[order[k]] = {own[0], std::max(own[0], share_up_to(smallest, own[0]))};
  }
  for (std::size_t k = 1; k < order.size(); ++k) {
    TestResult& test = joint.tests[order[k]];
    test.adjusted_p = std::max(test.adjusted_p, joint.tests[order[k - 1]].adjusted_p);
  }
  joint.critical_p = critical(smallest, level);
  return joint;
}

}  // namespace graspmap
