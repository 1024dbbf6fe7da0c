#include "grasp/base/probability/measured_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "geometry/elementary/elementary.hpp"
#include "grasp/base/probability/sample_quantile.hpp"

namespace graspmap {
namespace {

constexpr double kMostBins = 100;

int bins_for(const std::vector<double>& values, double range) {
  const auto n = static_cast<double>(values.size());
  const double iqr = sample_quantile(values, 0.75) - sample_quantile(values, 0.25);
  const auto log2_up = static_cast<double>(std::bit_width(values.size() - 1));
  const double bins = iqr > 0 ? range * elementary::cbrt(n) / (2 * iqr) : 1.0 + log2_up;
  return static_cast<int>(std::clamp(std::ceil(bins), 1.0, kMostBins));
}

/// bins + 1 edges from least to most.
std::vector<double> even_edges(double least, double most, int bins) {
  std::vector<double> edges;
  for (int k = 0; k < bins; ++k) edges.push_back(least + (most - least) * k / bins);
  edges.push_back(most);
  return edges;
}

}  // namespace

Distribution histogram_of(std::vector<double> values, int bins) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return {.kind = DistributionKind::kFixed, .mean = *least};
  Distribution law{.kind = DistributionKind::kHistogram, .min = *least, .max = *most};
  law.values = even_edges(law.min, law.max, bins > 0 ? bins : bins_for(values, law.max - law.min));
  const auto not_above = [](double a, double b) { return !(a < b); };
  if (std::adjacent_find(law.values.begin(), law.values.end(), not_above) != law.values.end()) {
    law.values = {law.min, law.max};  // too narrow to be divided
  }
  law.weights.assign(law.values.size() - 1, 0.0);
  for (const double value : values) {
    const auto above = std::upper_bound(law.values.begin(), law.values.end() - 1, value);
    law.weights[static_cast<std::size_t>(above - law.values.begin()) - 1] += 1.0;
  }
  for (double& weight : law.weights) weight /= static_cast<double>(values.size());
  return law;
}

}  // namespace graspmap
