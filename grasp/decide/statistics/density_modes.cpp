#include "grasp/decide/statistics/density_modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/statistics/peaks.hpp"

namespace graspmap {
namespace {

constexpr double kLeastVariance = 1e-4;     ///< of a component, relative to the first
constexpr double kDeviations = 3.0;         ///< between a maximum and noise
constexpr double kDeepestSaddle = 0.9;      ///< of a maximum's density
constexpr double kLeastShare = 0.01;        ///< of a mode
constexpr double kLeastEffective = 10.0;    ///< observations of a mode
constexpr std::array kWidenings{1.0, 1.5};  ///< of the bandwidth
/// Observations farther out are left out of the density. A group of 1 % of the weight lies within
/// 10 standard deviations of the mean (Chebyshev); a grid with three axes is kept smaller.
constexpr double kMostDeviations = 11.0;
constexpr double kMostDeviations3 = 6.0;
constexpr double kNodesPerBandwidth = 1.5;
constexpr int kKernelReach = 5;         ///< nodes: more than 3 bandwidths
constexpr double kLeastDensity = 0.05;  ///< of one observation's: less counts as 0

/// The coordinates that have a spread, centred and divided by their standard deviations.
Eigen::MatrixXd standardised(const WeightedSample& sample, const Eigen::VectorXd& resolution) {
  const Moments all = moments(sample);
  const Eigen::VectorXd deviations = all.standard_deviations();
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < sample.coordinates(); ++k) {
    if (deviations[k] > resolution[k]) kept.push_back(k);  // false for NaN
  }
  if (kept.empty()) return {sample.size(), 0};
  return (sample.values.rowwise() - all.mean.transpose())(Eigen::all, kept) *
         deviations(kept).cwiseInverse().asDiagonal();
}

/// Standardised coordinates turned into principal components of variance 1.
Eigen::MatrixXd whitened(const Eigen::MatrixXd& points, const Eigen::VectorXd& weights) {
  const SymmetricEigen eigen = symmetric_eigen(moments({points, weights}).covariance);
  const Eigen::VectorXd& variances = eigen.values;
  std::vector<Eigen::Index> components;
  for (Eigen::Index k = 0; k < variances.size(); ++k) {
    if (variances[k] > kLeastVariance * variances[variances.size() - 1]) components.push_back(k);
  }
  return points * eigen.vectors(Eigen::all, components) *
         variances(components).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// What is looked at for groups: the whitened coordinates together, and each of them and of the
/// standardised ones alone, where fewer observations are enough.
std::vector<Eigen::MatrixXd> views(const WeightedSample& sample,
                                   const Eigen::VectorXd& resolution) {
  const Eigen::MatrixXd points = standardised(sample, resolution);
  if (points.cols() == 0) return {};
  const Eigen::MatrixXd white = whitened(points, sample.weights);
  std::vector<Eigen::MatrixXd> result{white};
  if (points.cols() == 1) return result;
  for (Eigen::Index k = 0; k < white.cols(); ++k) result.emplace_back(white.col(k));
  for (Eigen::Index k = 0; k < points.cols(); ++k) result.emplace_back(points.col(k));
  return result;
}

/// A grid over points of up to three coordinates.
struct Grid {
  double spacing = 0.0;
  GridShape shape{1, 1, 1};
  std::array<double, 3> first{};
};

Grid grid_over(const Eigen::MatrixXd& points, double bandwidth) {
  Grid grid;
  grid.spacing = bandwidth / kNodesPerBandwidth;
  const double most = points.cols() == 3 ? kMostDeviations3 : kMostDeviations;
  for (Eigen::Index k = 0; k < points.cols(); ++k) {
    const double low = std::max(points.col(k).minCoeff(), -most);
    const double high = std::min(points.col(k).maxCoeff(), most);
    const auto axis = static_cast<std::size_t>(k);
    // Room for the kernel around the outermost points, so that no maximum is at the edge.
    grid.shape[axis] =
        static_cast<int>(std::ceil((high - low) / grid.spacing)) + 2 * kKernelReach + 1;
    grid.first[axis] = (low + high) / 2 - grid.spacing * (grid.shape[axis] - 1) / 2;
  }
  return grid;
}

/// Where a point lies, in nodes from the first one of each axis; the nearest place on the grid for
/// one that lies beyond.
struct GridPlace {
  std::array<double, 3> at{};
  bool inside = true;
};

GridPlace on_grid(const Grid& grid, const Eigen::MatrixXd& points, Eigen::Index row) {
  GridPlace place;
  for (Eigen::Index k = 0; k < points.cols(); ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const double at = (points(row, k) - grid.first[axis]) / grid.spacing;
    const double low = kKernelReach - 0.5;  // half a node of rounding up
    const double high = grid.shape[axis] - 1 - kKernelReach + 0.5;
    place.inside = place.inside && at >= low && at <= high;
    place.at[axis] = std::clamp(at, low, high);
  }
  return place;
}

std::size_t nearest_node(const Grid& grid, const std::array<double, 3>& at) {
  const auto index = [&](std::size_t k) { return static_cast<int>(std::lround(at[k])); };
  return node_at(grid.shape, {index(0), index(1), index(2)});
}

/// Shares a weight among the nodes around a point, the more the closer (linear binning): sums over
/// a grid then show no pattern of their own where points lie on lines.
void add_weight(std::vector<double>& table, const Grid& grid, const std::array<double, 3>& at,
                double weight) {
  for (unsigned corner = 0; corner < 8; ++corner) {
    std::array<double, 3> node{};
    double share = weight;
    for (std::size_t k = 0; k < 3; ++k) {
      const double fraction = at[k] - std::floor(at[k]);
      const bool upper = (corner >> k & 1U) != 0;
      node[k] = std::floor(at[k]) + (upper ? 1 : 0);
      share *= upper ? fraction : 1 - fraction;
    }
    if (share > 0) table[nearest_node(grid, node)] += share;
  }
}

/// Smooths a table along one axis with a normal kernel whose standard deviation is the bandwidth.
std::vector<double> smoothed(const std::vector<double>& table, const GridShape& shape,
                             std::size_t axis) {
  std::array<double, 2 * kKernelReach + 1> kernel{};
  for (int k = -kKernelReach; k <= kKernelReach; ++k) {
    kernel[static_cast<std::size_t>(k + kKernelReach)] =
        std::exp(-k * k / (2 * kNodesPerBandwidth * kNodesPerBandwidth));
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

/// Renumbers the modes, the one of the largest weight first.
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

Eigen::Vector3d position(const Grid& grid, std::size_t node) {
  const auto [i, j, k] = node_index(grid.shape, node);
  return {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
}

/// The nearest of some peaks to a place on the grid: its place among all.
int nearest_peak(const Grid& grid, const Eigen::Vector3d& from,
                 const std::vector<std::size_t>& peaks, const std::vector<bool>& eligible) {
  int nearest = -1;
  double least = 0;
  for (std::size_t p = 0; p < peaks.size(); ++p) {
    const double distance = (position(grid, peaks[p]) - from).norm();
    if (!eligible[p] || (nearest >= 0 && distance >= least)) continue;
    nearest = static_cast<int>(p);
    least = distance;
  }
  return nearest;
}

/// Whether a group is large enough to be a mode, with sums of its weights and of their squares.
bool is_mode(double sum, double squares, double least_weight) {
  return sum >= least_weight && sum * sum >= kLeastEffective * squares;
}

/// Which peaks hold enough to be modes; the one that holds most always does.
std::vector<bool> large_enough(const Peaks& peaks, const std::vector<std::size_t>& nodes,
                               const Eigen::VectorXd& weights, double least_weight) {
  std::vector<double> sums(peaks.nodes.size(), 0.0);
  std::vector<double> squares(peaks.nodes.size(), 0.0);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (peaks.basin[nodes[k]] < 0) continue;
    const auto peak = static_cast<std::size_t>(peaks.basin[nodes[k]]);
    const double w = weights[static_cast<Eigen::Index>(k)];
    sums[peak] += w;
    squares[peak] += w * w;
  }
  std::vector<bool> result;
  for (std::size_t p = 0; p < sums.size(); ++p) {
    result.push_back(is_mode(sums[p], squares[p], least_weight));
  }
  result[static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin())] =
      true;
  return result;
}

/// The eligible peaks that are exactly as high as `peak`, which is one of them: mirror images.
std::vector<bool> twins(std::size_t peak, const std::vector<std::size_t>& peaks,
                        const std::vector<bool>& eligible, const std::vector<double>& density) {
  constexpr double kSameHeight = 1e-9;
  const double height = density[peaks[peak]];
  std::vector<bool> result;
  for (std::size_t p = 0; p < peaks.size(); ++p) {
    const bool as_high = std::abs(density[peaks[p]] - height) <= kSameHeight * height;
    result.push_back(eligible[p] && as_high);
  }
  return result;
}

/// The peak that each observation belongs to: the one above its node; the nearest large one where
/// the density is next to nothing, or the peak is too small; the nearest of twins.
std::vector<int> assigned(const Peaks& peaks, const std::vector<double>& density,
                          const std::vector<GridPlace>& places,
                          const std::vector<std::size_t>& nodes, const Eigen::VectorXd& weights,
                          const Grid& grid, double least_weight) {
  const std::vector<bool> eligible = large_enough(peaks, nodes, weights, least_weight);
  std::vector<std::vector<bool>> into;  // by peak: the twins that its observations go to
  for (std::size_t p = 0; p < eligible.size(); ++p) {
    const auto peak = eligible[p]
                          ? p
                          : static_cast<std::size_t>(nearest_peak(
                                grid, position(grid, peaks.nodes[p]), peaks.nodes, eligible));
    into.push_back(twins(peak, peaks.nodes, eligible, density));
  }
  std::vector<int> mode;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const int peak = peaks.basin[nodes[k]];
    const Eigen::Vector3d place(places[k].at[0], places[k].at[1], places[k].at[2]);
    mode.push_back(nearest_peak(grid, place, peaks.nodes,
                                peak >= 0 ? into[static_cast<std::size_t>(peak)] : eligible));
  }
  return mode;
}

/// A kernel density estimate on a grid, and the estimate's variance at each node.
struct Density {
  std::vector<double> values;
  std::vector<double> variances;
};

/// `places`: where each observation is on the grid. The variance of sum w K(x - x_i) / sum w is
/// about (4 pi)^(-d/2) h^-d sum w^2 K(x - x_i) / (sum w)^2: heavy observations are worth fewer.
Density density_on(const Grid& grid, const std::vector<GridPlace>& places,
                   const Eigen::VectorXd& weights, Eigen::Index d, double bandwidth) {
  const double all = weights.sum();
  const double volume = std::pow(grid.spacing, d);
  const double reach =
      std::pow(4 * std::numbers::pi, -0.5 * static_cast<double>(d)) / std::pow(bandwidth, d);
  const std::vector<double> zeros(node_count(grid.shape), 0.0);
  Density density{zeros, zeros};
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (!places[k].inside) continue;
    const double w = weights[static_cast<Eigen::Index>(k)] / all;
    add_weight(density.values, grid, places[k].at, w / volume);
    add_weight(density.variances, grid, places[k].at, w * w * reach / volume);
  }
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(d); ++axis) {
    density.values = smoothed(density.values, grid.shape, axis);
    density.variances = smoothed(density.variances, grid.shape, axis);
  }
  return density;
}

/// The modes of points at one bandwidth.
DensityModes modes_at(const Eigen::MatrixXd& points, const Eigen::VectorXd& weights,
                      double bandwidth, double least_weight) {
  const Grid grid = grid_over(points, bandwidth);
  std::vector<GridPlace> places;
  std::vector<std::size_t> nodes;
  for (Eigen::Index k = 0; k < points.rows(); ++k) {
    places.push_back(on_grid(grid, points, k));
    nodes.push_back(nearest_node(grid, places.back().at));
  }
  Density density = density_on(grid, places, weights, points.cols(), bandwidth);
  const double observation = std::pow(std::sqrt(2 * std::numbers::pi) * bandwidth, -points.cols()) /
                             effective_number(weights);
  for (double& f : density.values) f = f < kLeastDensity * observation ? 0.0 : f;
  const auto is_noise = [&](std::size_t peak, std::size_t saddle) {
    const double f = density.values[peak];
    const double g = density.values[saddle];
    const double variance = density.variances[peak] + density.variances[saddle];
    return f - g <= kDeviations * std::sqrt(variance) || g >= kDeepestSaddle * f;
  };
  const Peaks peaks = find_peaks(grid.shape, density.values, is_noise);
  return by_share(assigned(peaks, density.values, places, nodes, weights, grid, least_weight),
                  weights, static_cast<int>(peaks.nodes.size()));
}

/// The modes of observations of one kind that are seen with one bandwidth; a mode has at least
/// `least_weight`.
DensityModes modes_at_once(const WeightedSample& sample, const Eigen::VectorXd& resolution,
                           double least_weight) {
  DensityModes best{1, std::vector<int>(static_cast<std::size_t>(sample.size()), 0)};
  const double n = effective_number(sample.weights);
  for (const Eigen::MatrixXd& view : views(sample, resolution)) {
    const auto d = static_cast<double>(view.cols());
    const double bandwidth = std::pow(4 / ((d + 2) * n), 1 / (d + 4));
    for (const double widening : kWidenings) {
      check_stop();
      DensityModes found = modes_at(view, sample.weights, widening * bandwidth, least_weight);
      if (found.count > best.count) best = std::move(found);
    }
  }
  return best;
}

using Rows = std::vector<Eigen::Index>;

/// The rows of each of `count` groups.
std::vector<Rows> grouped(const Rows& rows, const std::vector<int>& group, int count) {
  std::vector<Rows> result(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    result[static_cast<std::size_t>(group[k])].push_back(rows[k]);
  }
  return result;
}

/// Adds the modes of some rows, each of which is looked at by itself again.
void add_modes(std::vector<Rows>& modes, const WeightedSample& sample, const Rows& rows,
               const Eigen::VectorXd& resolution, double least_weight) {
  const DensityModes found = modes_at_once(subsample(sample, rows), resolution, least_weight);
  if (found.count == 1) {
    modes.push_back(rows);
    return;
  }
  for (const Rows& group : grouped(rows, found.mode, found.count)) {
    add_modes(modes, sample, group, resolution, least_weight);
  }
}

/// Whether two modes are so close in each coordinate that they may be one.
bool are_near(const Moments& a, const Moments& b, const Eigen::VectorXd& resolution) {
  constexpr double kNear = 4.0;
  const Eigen::VectorXd apart = (a.mean - b.mean).cwiseAbs();
  const Eigen::VectorXd reach = kNear * (a.standard_deviations() + b.standard_deviations());
  for (Eigen::Index k = 0; k < apart.size(); ++k) {
    // A mode of one observation has no standard deviation: NaN compares false.
    if (apart[k] > resolution[k] && apart[k] > reach[k]) return false;
  }
  return true;
}

/// The modes of rows of one kind. What a first look cut off a mode and a second one set apart is
/// given back: modes of different groups of the first look are joined when together they are one.
std::vector<Rows> modes_of_kind(const WeightedSample& sample, const Rows& rows,
                                const Eigen::VectorXd& resolution, double least_weight) {
  const DensityModes first = modes_at_once(subsample(sample, rows), resolution, least_weight);
  if (first.count == 1) return {rows};
  std::vector<Rows> modes;
  std::vector<int> group;  // of the first look
  const std::vector<Rows> groups = grouped(rows, first.mode, first.count);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    add_modes(modes, sample, groups[g], resolution, least_weight);
    group.resize(modes.size(), static_cast<int>(g));
  }
  std::vector<Moments> all;
  for (const Rows& mode : modes) all.push_back(moments(subsample(sample, mode)));
  std::vector<std::size_t> joined(modes.size());
  std::iota(joined.begin(), joined.end(), 0);
  for (std::size_t a = 0; a < modes.size() && modes.size() > groups.size(); ++a) {
    for (std::size_t b = a + 1; b < modes.size(); ++b) {
      if (group[a] == group[b] || !are_near(all[a], all[b], resolution)) continue;
      Rows both = modes[a];
      both.insert(both.end(), modes[b].begin(), modes[b].end());
      if (modes_at_once(subsample(sample, both), resolution, least_weight).count > 1) continue;
      std::replace(joined.begin(), joined.end(), joined[b], joined[a]);
    }
  }
  std::vector<Rows> result(modes.size());
  for (std::size_t m = 0; m < modes.size(); ++m) {
    Rows& into = result[joined[m]];
    into.insert(into.end(), modes[m].begin(), modes[m].end());
  }
  std::erase_if(result, [](const Rows& mode) { return mode.empty(); });
  return result;
}

/// Rows by label: the kinds that are large enough, and the rows of all others.
struct Kinds {
  std::vector<Rows> large;
  Rows others;
};

Kinds kinds_of(const WeightedSample& sample, const std::vector<int>& label, double least_weight) {
  std::map<int, Rows> rows;
  for (Eigen::Index k = 0; k < sample.size(); ++k) {
    rows[label.empty() ? 0 : label[static_cast<std::size_t>(k)]].push_back(k);
  }
  Kinds kinds;
  for (const auto& [kind, of] : rows) {
    const Eigen::VectorXd weights = sample.weights(of);
    if (rows.size() == 1 || is_mode(weights.sum(), weights.squaredNorm(), least_weight)) {
      kinds.large.push_back(of);
    } else {
      kinds.others.insert(kinds.others.end(), of.begin(), of.end());
    }
  }
  if (kinds.large.empty()) kinds.large.push_back(std::exchange(kinds.others, {}));
  return kinds;
}

/// Puts each of the other rows into the mode with the nearest mean.
void add_others(std::vector<int>& mode, const std::vector<Rows>& modes, const Rows& others,
                const WeightedSample& sample) {
  const Eigen::VectorXd scale = moments(sample).standard_deviations().cwiseMax(1e-300);
  std::vector<Eigen::VectorXd> means;
  for (const Rows& rows : modes) means.push_back(moments(subsample(sample, rows)).mean);
  for (const Eigen::Index row : others) {
    std::vector<double> distance;
    for (const Eigen::VectorXd& mean : means) {
      const Eigen::VectorXd from = sample.values.row(row).transpose() - mean;
      distance.push_back(from.cwiseQuotient(scale).norm());
    }
    mode[static_cast<std::size_t>(row)] =
        static_cast<int>(std::min_element(distance.begin(), distance.end()) - distance.begin());
  }
}

}  // namespace

DensityModes density_modes(const WeightedSample& sample, const Eigen::VectorXd& resolution,
                           const std::vector<int>& label) {
  GRASPMAP_CHECK(sample.size() > 0 && sample.coordinates() <= 3);
  GRASPMAP_CHECK(resolution.size() == sample.coordinates());
  GRASPMAP_CHECK(label.empty() || std::ssize(label) == sample.size());
  const double least_weight = kLeastShare * sample.weights.sum();
  const Kinds kinds = kinds_of(sample, label, least_weight);
  std::vector<Rows> modes;
  for (const Rows& rows : kinds.large) {
    for (Rows& mode : modes_of_kind(sample, rows, resolution, least_weight)) {
      modes.push_back(std::move(mode));
    }
  }
  std::vector<int> mode(static_cast<std::size_t>(sample.size()), 0);
  for (std::size_t m = 0; m < modes.size(); ++m) {
    for (const Eigen::Index row : modes[m]) {
      mode[static_cast<std::size_t>(row)] = static_cast<int>(m);
    }
  }
  if (!kinds.others.empty()) add_others(mode, modes, kinds.others, sample);
  return by_share(mode, sample.weights, static_cast<int>(modes.size()));
}

}  // namespace graspmap
