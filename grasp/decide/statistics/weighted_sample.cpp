#include "grasp/decide/statistics/weighted_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace graspmap {

double effective_number(const Eigen::VectorXd& weights) {
  const double sum = weights.sum();
  return sum * sum / weights.squaredNorm();
}

Eigen::VectorXd Moments::standard_deviations() const {
  return covariance.diagonal().array().sqrt().matrix();
}

Eigen::VectorXd Moments::standard_errors() const {
  return standard_deviations() / std::sqrt(effective_number);
}

Moments moments(const WeightedSample& sample) {
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
  WeightedSample result{sample.values(rows, Eigen::all), sample.weights(rows)};
  return result;
}

}  // namespace graspmap
