#include "grasp/decide/statistics/weighted_sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "geometry/assert.hpp"

namespace graspmap {

double effective_number(const Eigen::VectorXd& weights) {
  const double sum = weights.sum();
  return sum * sum / weights.squaredNorm();
}

Eigen::VectorXd Moments::standard_deviations() const {
  return covariance.diagonal().array().sqrt().matrix();
}

Eigen::VectorXd Moments::standard_errors() const {
  const Eigen::VectorXd by_chance = standard_deviations() / std::sqrt(effective_number);
  if (of_unknowns.size() == 0) return by_chance;
  return (by_chance.array().square() + of_unknowns.array()).sqrt().matrix();
}

Moments moments(const WeightedSample& sample) {
  GRASPMAP_CHECK(sample.size() > 0 && sample.weights.size() == sample.size());
  const Eigen::VectorXd w = sample.weights / sample.weights.sum();
  Moments result;
  result.effective_number = effective_number(w);
  // Relative to the first observation: the mean of equal values is that value.
  const Eigen::RowVectorXd origin = sample.values.row(0);
  const Eigen::MatrixXd shifted = sample.values.rowwise() - origin;
  const Eigen::RowVectorXd offset = w.transpose() * shifted;
  const Eigen::MatrixXd centred = shifted.rowwise() - offset;
  const double n = result.effective_number;
  // n = 1 up to rounding: one observation.
  const double factor = n > 1 + 1e-9 ? n / (n - 1) : std::numeric_limits<double>::quiet_NaN();
  result.mean = (origin + offset).transpose();
  result.covariance = factor * (centred.transpose() * w.asDiagonal() * centred);
  return result;
}

Eigen::MatrixXd correlations(const Eigen::MatrixXd& covariance, const std::vector<bool>& spread) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Identity(covariance.rows(), covariance.cols());
  for (Eigen::Index i = 0; i < covariance.rows(); ++i) {
    for (Eigen::Index j = 0; j < covariance.cols(); ++j) {
      if (i == j) continue;
      const bool both = spread[static_cast<std::size_t>(i)] && spread[static_cast<std::size_t>(j)];
      result(i, j) =
          both ? std::clamp(covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j)), -1.0,
                            1.0)
               : 0.0;
    }
  }
  return result;
}

std::vector<double> weighted_quantiles(const Eigen::VectorXd& values,
                                       const Eigen::VectorXd& weights,
                                       std::span<const double> shares) {
  GRASPMAP_CHECK(values.size() > 0 && weights.size() == values.size());
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return values[a] < values[b]; });
  std::vector<double> below;  // the weight up to and with each
  double sum = 0;
  for (const Eigen::Index k : order) below.push_back(sum += weights[k]);
  std::vector<double> result;
  for (const double share : shares) {
    // A share that is met up to rounding is met.
    const auto at = std::lower_bound(below.begin(), below.end(), share * sum * (1 - 1e-12));
    const auto k = std::min(static_cast<std::size_t>(at - below.begin()), order.size() - 1);
    result.push_back(values[order[k]]);
  }
  return result;
}

WeightedSample subsample(const WeightedSample& sample, const std::vector<Eigen::Index>& rows) {
  return {sample.values(rows, Eigen::all), sample.weights(rows)};
}

namespace {

/// By how much the largest weights exceed the largest of the others, in ascending order.
std::vector<double> tail_exceedances(std::span<const double> weights) {
  const auto n = static_cast<double>(weights.size());
  const auto tail = static_cast<std::size_t>(std::ceil(std::min(0.2 * n, 3 * std::sqrt(n))));
  std::vector<double> sorted(weights.begin(), weights.end());
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(tail) + 1;
  std::partial_sort(sorted.begin(), end, sorted.end(), std::greater<>());
  std::vector<double> exceedances;
  for (std::size_t k = tail; k > 0; --k) exceedances.push_back(sorted[k - 1] - sorted[tail]);
  return exceedances;
}

double mean_log1p(const std::vector<double>& x, double factor) {
  double sum = 0;
  for (const double value : x) sum += std::log1p(factor * value);
  return sum / static_cast<double>(x.size());
}

/// Zhang and Stephens' estimate of the shape, for ascending x >= 0. Their b is -theta here: the
/// distribution function is 1 - (1 - b x)^(-1/k), k(b) = mean log(1 - b x).
double fitted_shape(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  const auto points = 30 + static_cast<int>(std::sqrt(n));
  const double quartile = x[static_cast<std::size_t>(n / 4 + 0.5) - 1];
  std::vector<double> bs;
  std::vector<double> profile;
  for (int j = 1; j <= points; ++j) {
    const double b =
        1 / x.back() + (1 - std::sqrt(points / (j - 0.5))) / (3 * std::max(quartile, 1e-300));
    const double k = mean_log1p(x, -b);
    bs.push_back(b);
    profile.push_back(n * (std::log(-b / k) - k - 1));
  }
  const double highest = *std::max_element(profile.begin(), profile.end());
  double weight = 0;
  double b_mean = 0;
  for (std::size_t j = 0; j < bs.size(); ++j) {
    const double w = std::exp(profile[j] - highest);
    weight += w;
    b_mean += w * bs[j];
  }
  return mean_log1p(x, -b_mean / weight);
}

}  // namespace

double effective_sample_size(std::span<const double> weights) {
  double sum = 0;
  double squares = 0;
  for (const double w : weights) {
    sum += w;
    squares += w * w;
  }
  return squares > 0 ? sum * sum / squares : 0.0;
}

double pareto_tail_shape(std::span<const double> weights) {
  constexpr std::size_t kLeastTail = 5;
  constexpr double kPriorTrials = 10;  // the weak prior of Vehtari et al., centred at 0.5
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  if (weights.size() < 5 * kLeastTail) return kNone;
  std::vector<double> x = tail_exceedances(weights);
  // Weights equal to the threshold are no exceedances: a tail of equal weights has an end.
  x.erase(x.begin(), std::upper_bound(x.begin(), x.end(), 0.0));
  if (x.size() < kLeastTail || x.front() >= x.back()) return kNone;
  const auto n = static_cast<double>(x.size());
  return (n * fitted_shape(x) + kPriorTrials * 0.5) / (n + kPriorTrials);
}

}  // namespace graspmap
