#include "grasp/decide/statistics/sobol_indices.hpp"

#include <boost/random/sobol.hpp>
#include <cstdint>
#include <limits>

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Sums of what is added, for mean and variance.
struct SampleMoments {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;

  void add(double value) {
    count += 1;
    sum += value;
    squares += value * value;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double variance() const { return squares / count - mean() * mean(); }
};

double mean_variance(const std::vector<SampleMoments>& groups) {
  double sum = 0;
  for (const SampleMoments& group : groups) sum += group.variance();
  return sum / static_cast<double>(groups.size());
}

/// The variance of the groups' means, less its noise: that of a mean of `count` values.
double variance_of_means(const std::vector<SampleMoments>& groups) {
  SampleMoments means;
  for (const SampleMoments& group : groups) means.add(group.mean());
  return means.variance() - mean_variance(groups) / groups.front().count;
}

/// What one input's lines tell.
struct LineVariances {
  double first = 0.0;
  double total = 0.0;
};

LineVariances vary(const SobolDesign& design, std::size_t input, const InputFunction& f,
                   SampleMoments& all) {
  const std::vector<double>& levels = design.levels[input];
  std::vector<SampleMoments> of_level(levels.size());
  std::vector<SampleMoments> of_line(design.base.size());
  for (std::size_t a = 0; a < design.base.size(); ++a) {
    std::vector<double> point = design.base[a];
    for (std::size_t k = 0; k < levels.size(); ++k) {
      point[input] = levels[k];
      const double value = f(point);
      of_level[k].add(value);
      of_line[a].add(value);
      all.add(value);
    }
  }
  return {variance_of_means(of_level), mean_variance(of_line)};
}

}  // namespace

SobolDesign sobol_design(std::size_t inputs, std::size_t points, std::size_t levels,
                         const InputQuantile& quantile) {
  SobolDesign design;
  boost::random::sobol sequence(inputs);
  for (std::size_t a = 0; a < points; ++a) {
    std::vector<double> point(inputs);
    for (std::size_t i = 0; i < inputs; ++i) {
      // 53 bits, and half a step more: never 0 or 1.
      point[i] = quantile(i, (static_cast<double>(sequence() >> 12U) + 0.5) * 0x1p-52);
    }
    design.base.push_back(std::move(point));
  }
  for (std::size_t i = 0; i < inputs; ++i) {
    std::vector<double> values(levels);
    for (std::size_t k = 0; k < levels; ++k) {
      values[k] = quantile(i, (static_cast<double>(k) + 0.5) / static_cast<double>(levels));
    }
    design.levels.push_back(std::move(values));
  }
  return design;
}

SobolIndices sobol_indices(const SobolDesign& design, const InputFunction& f) {
  const std::size_t inputs = design.levels.size();
  SampleMoments all;
  std::vector<LineVariances> lines;
  for (std::size_t i = 0; i < inputs; ++i) lines.push_back(vary(design, i, f, all));
  SobolIndices result{all.mean(), all.variance(), {}, {}};
  const bool varies = result.variance > 0;
  for (const LineVariances& line : lines) {
    result.first.push_back(varies ? line.first / result.variance : kNaN);
    result.total.push_back(varies ? line.total / result.variance : kNaN);
  }
  return result;
}

GroupShares group_shares(const SobolDesign& design, const std::vector<bool>& in_first,
                         std::size_t points, const InputFunction& f) {
  SampleMoments all;
  std::vector<SampleMoments> rows(points);
  std::vector<SampleMoments> columns(points);
  std::vector<double> point(in_first.size());
  for (std::size_t a = 0; a < points; ++a) {
    for (std::size_t b = 0; b < points; ++b) {
      for (std::size_t i = 0; i < point.size(); ++i) point[i] = design.base[in_first[i] ? a : b][i];
      const double value = f(point);
      rows[a].add(value);
      columns[b].add(value);
      all.add(value);
    }
  }
  const double variance = all.variance();
  if (!(variance > 0)) return {kNaN, kNaN, kNaN};
  const double first = variance_of_means(rows) / variance;
  const double second = variance_of_means(columns) / variance;
  return {first, second, 1 - first - second};
}

}  // namespace graspmap
