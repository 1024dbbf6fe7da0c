#include "grasp/statistics/density_modes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "grasp/statistics/peaks.hpp"

namespace graspmap {
namespace {

constexpr double kLeastVariance = 1e-4;  ///< of a component, relative to the first
constexpr double kDeviations = 4.0;      ///< between a maximum and noise
constexpr double kDeepestSaddle = 0.8;   ///< of a maximum's density
constexpr double kLeastShare = 0.01;     ///< of a mode
constexpr double kMostDeviations = 8.0;  ///< observations beyond belong to the grid's edge
constexpr int kKernelReach = 8;          ///< nodes: 4 bandwidths

/// Centred, in principal components of variance 1; no columns when nothing has a spread.
Eigen::MatrixXd whitened(const WeightedSample& sample, const Eigen::VectorXd& resolution) {
  const Moments all = moments(sample);
  const Eigen::VectorXd deviations = all.standard_deviations();
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < sample.coordinates(); ++k) {
    if (deviations[k] > resolution[k]) kept.push_back(k);  // false for NaN
  }
  if (kept.empty()) return {sample.size(), 0};
  const Eigen::MatrixXd centred =
      (sample.values.rowwise() - all.mean.transpose())(Eigen::all, kept) *
      deviations(kept).cwiseInverse().asDiagonal();
  const Eigen::MatrixXd correlation = deviations(kept).cwiseInverse().asDiagonal() *
                                      all.covariance(kept, kept) *
                                      deviations(kept).cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlation);
  const Eigen::VectorXd variances = solver.eigenvalues();  // ascending
  std::vector<Eigen::Index> components;
  for (Eigen::Index k = 0; k < variances.size(); ++k) {
    if (variances[k] > kLeastVariance * variances[variances.size() - 1]) components.push_back(k);
  }
  return centred * solver.eigenvectors()(Eigen::all, components) *
         variances(components).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// A grid over points of up to three coordinates.
struct Grid {
  double spacing = 0.0;
  GridShape shape{1, 1, 1};
  std::array<double, 3> first{};

  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(shape[1]) *
           static_cast<std::size_t>(shape[2]);
  }
};

Grid grid_over(const Eigen::MatrixXd& points, double bandwidth) {
  Grid grid;
  grid.spacing = bandwidth / 2;
  for (Eigen::Index k = 0; k < points.cols(); ++k) {
    const double low = std::max(points.col(k).minCoeff(), -kMostDeviations);
    const double high = std::min(points.col(k).maxCoeff(), kMostDeviations);
    const auto axis = static_cast<std::size_t>(k);
    // Room for the kernel around the outermost points, so that no maximum is at the edge.
    grid.shape[axis] =
        static_cast<int>(std::ceil((high - low) / grid.spacing)) + 2 * kKernelReach + 1;
    grid.first[axis] = (low + high) / 2 - grid.spacing * (grid.shape[axis] - 1) / 2;
  }
  return grid;
}

std::size_t nearest_node(const Grid& grid, const Eigen::MatrixXd& points, Eigen::Index row) {
  std::array<int, 3> index{};
  for (Eigen::Index k = 0; k < points.cols(); ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const double at = std::round((points(row, k) - grid.first[axis]) / grid.spacing);
    index[axis] = static_cast<int>(
        std::clamp(at, double{kKernelReach}, double(grid.shape[axis] - 1 - kKernelReach)));
  }
  return static_cast<std::size_t>((index[2] * grid.shape[1] + index[1]) * grid.shape[0] + index[0]);
}

/// Smooths a table along one axis with a normal kernel of two nodes' standard deviation.
std::vector<double> smoothed(const std::vector<double>& table, const GridShape& shape,
                             std::size_t axis) {
  std::array<double, 2 * kKernelReach + 1> kernel{};
  for (int k = -kKernelReach; k <= kKernelReach; ++k) {
    kernel[static_cast<std::size_t>(k + kKernelReach)] = std::exp(-k * k / 8.0);
  }
  const double sum = std::accumulate(kernel.begin(), kernel.end(), 0.0);
  long stride = 1;
  for (std::size_t k = 0; k < axis; ++k) stride *= shape[k];
  std::vector<double> result(table.size(), 0.0);
  for (std::size_t node = 0; node < table.size(); ++node) {
    if (table[node] == 0) continue;
    const long at = static_cast<long>(node) / stride % shape[axis];
    for (long k = -kKernelReach; k <= kKernelReach; ++k) {
      if (at + k < 0 || at + k >= shape[axis]) continue;
      result[static_cast<std::size_t>(static_cast<long>(node) + k * stride)] +=
          table[node] * kernel[static_cast<std::size_t>(k + kKernelReach)] / sum;
    }
  }
  return result;
}

/// Numbers the modes anew, the one of the largest weight first.
DensityModes by_share(const std::vector<int>& mode, const Eigen::VectorXd& weights, int count) {
  std::vector<double> share(static_cast<std::size_t>(count), 0.0);
  for (std::size_t k = 0; k < mode.size(); ++k) {
    share[static_cast<std::size_t>(mode[k])] += weights[static_cast<Eigen::Index>(k)];
  }
  std::vector<int> order(share.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return share[static_cast<std::size_t>(a)] > share[static_cast<std::size_t>(b)];
  });
  std::vector<int> place(share.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  }
  DensityModes result{0, {}};
  for (const int m : mode) result.mode.push_back(place[static_cast<std::size_t>(m)]);
  for (const double s : share) result.count += s > 0 ? 1 : 0;
  return result;
}

/// Takes modes of too small a share into the nearest of the others, by their peaks.
void absorb_small(std::vector<int>& mode, const Eigen::VectorXd& weights, const Grid& grid,
                  const std::vector<std::size_t>& peaks) {
  std::vector<double> share(peaks.size(), 0.0);
  for (std::size_t k = 0; k < mode.size(); ++k) {
    share[static_cast<std::size_t>(mode[k])] += weights[static_cast<Eigen::Index>(k)];
  }
  const double least = kLeastShare * weights.sum();
  const auto position = [&](std::size_t node) {
    const auto nx = static_cast<std::size_t>(grid.shape[0]);
    const auto ny = static_cast<std::size_t>(grid.shape[1]);
    return Eigen::Vector3d(static_cast<double>(node % nx), static_cast<double>(node / nx % ny),
                           static_cast<double>(node / nx / ny));
  };
  std::vector<int> into(peaks.size());
  for (std::size_t p = 0; p < peaks.size(); ++p) {
    into[p] = static_cast<int>(p);
    double nearest = -1;
    for (std::size_t q = 0; share[p] < least && q < peaks.size(); ++q) {
      if (share[q] < least) continue;
      const double distance = (position(peaks[q]) - position(peaks[p])).norm();
      if (nearest >= 0 && distance >= nearest) continue;
      nearest = distance;
      into[p] = static_cast<int>(q);
    }
  }
  for (int& m : mode) m = into[static_cast<std::size_t>(m)];
}

}  // namespace

DensityModes density_modes(const WeightedSample& sample, const Eigen::VectorXd& resolution) {
  const Eigen::MatrixXd points = whitened(sample, resolution);
  const auto d = static_cast<double>(points.cols());
  if (points.cols() == 0) {
    return {1, std::vector<int>(static_cast<std::size_t>(sample.size()), 0)};
  }
  const double n = effective_number(sample.weights);
  const double bandwidth = std::pow(4 / ((d + 2) * n), 1 / (d + 4));
  const Grid grid = grid_over(points, bandwidth);
  std::vector<double> density(grid.size(), 0.0);
  std::vector<std::size_t> node;
  const double all = sample.weights.sum() * std::pow(grid.spacing, d);
  for (Eigen::Index k = 0; k < sample.size(); ++k) {
    node.push_back(nearest_node(grid, points, k));
    density[node.back()] += sample.weights[k] / all;
  }
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(points.cols()); ++axis) {
    density = smoothed(density, grid.shape, axis);
  }
  const double r = std::pow(4 * std::numbers::pi, -d / 2) / (n * std::pow(bandwidth, d));
  const Peaks peaks = find_peaks(grid.shape, density, [&](double f, double g) {
    return f - g <= kDeviations * std::sqrt((f + g) * r) || g >= kDeepestSaddle * f;
  });
  std::vector<int> mode;
  for (const std::size_t at : node) mode.push_back(peaks.basin[at]);
  absorb_small(mode, sample.weights, grid, peaks.nodes);
  return by_share(mode, sample.weights, static_cast<int>(peaks.nodes.size()));
}

}  // namespace graspmap
