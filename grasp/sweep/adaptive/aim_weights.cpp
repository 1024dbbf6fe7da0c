#include "grasp/sweep/adaptive/aim_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

using Values = std::vector<double>;

/// The weight of an uninformative cell: it gets trials where all others have their most.
constexpr double kLeastWeight = 1e-4;

/// What the trials so far leave open of a cell.
struct CellMoments {
  double mean = 0.0;      ///< of p
  double variance = 0.0;  ///< of p
  double spread = 0.0;    ///< the mean of p (1 - p), the variance of an outcome
};

CellMoments moments_of(const CellBelief& belief) {
  double mean = 0;
  double square = 0;
  for (const auto& [weight, a, b] : belief) {
    mean += weight * a / (a + b);
    square += weight * a * (a + 1) / ((a + b) * (a + b + 1));
  }
  return {mean, std::max(square - mean * mean, 0.0), std::max(mean - square, 0.0)};
}

/// The mass of a normal error in the cells by their distance from that of the aim, in cells.
Values masses_along(const Axis& axis, double sigma) {
  Values masses(static_cast<std::size_t>(axis.cells), 0.0);
  if (axis.cells == 1 || sigma == 0) {
    masses[0] = 1;
    return masses;
  }
  const double size = axis.cell_size() / sigma;
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const double away = static_cast<double>(k);
    masses[k] = normal_cumulative(-(away - 0.5) * size) - normal_cumulative(-(away + 0.5) * size);
  }
  return masses;
}

/// The error's masses around an aim: products of those along the axes.
class ErrorMasses {
 public:
  ErrorMasses(const CellGrid& grid, const std::array<double, 3>& sigma) : axes_(grid.axes()) {
    for (std::size_t k = 0; k < 3; ++k) {
      along_[k] = masses_along(axes_[k], sigma[k]);
      reach_[k] = along_[k].size() - 1;
      if (axes_[k].period > 0) continue;
      while (reach_[k] > 0 && along_[k][reach_[k]] == 0) --reach_[k];
    }
  }

  /// The sum over the cells of mass times value for each aim, or over the aims for each cell: cells
  /// of an axis are alike, so both are the same.
  [[nodiscard]] Values mean_of(Values values) const { return summed(std::move(values), 1); }
  /// The same with the squares of the masses.
  [[nodiscard]] Values mean_of_squares(Values values) const { return summed(std::move(values), 2); }

 private:
  [[nodiscard]] Values summed(Values values, int power) const {
    std::size_t stride = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t cells = along_[axis].size();
      Values next(values.size(), 0.0);
      for (std::size_t c = 0; c < values.size(); ++c) {
        const std::size_t at = c / stride % cells;
        const std::size_t first = at - std::min(at, reach_[axis]);
        const std::size_t end = std::min(at + reach_[axis] + 1, cells);
        for (std::size_t other = first; other < end; ++other) {
          next[c] += factor(axis, at, other, power) * values[c - at * stride + other * stride];
        }
      }
      values = std::move(next);
      stride *= cells;
    }
    return values;
  }

  [[nodiscard]] double factor(std::size_t axis, std::size_t at, std::size_t other,
                              int power) const {
    std::size_t away = at > other ? at - other : other - at;
    if (axes_[axis].period > 0) away = std::min(away, along_[axis].size() - away);
    const double mass = along_[axis][away];
    return power == 1 ? mass : mass * mass;
  }

  std::array<Axis, 3> axes_;
  std::array<Values, 3> along_;
  std::array<std::size_t, 3> reach_{};  ///< the largest distance with a mass
};

/// The standard deviations of what differs from grasp to grasp and of what is constant, together.
std::array<double, 3> sigma_of(const RobotError& error) {
  std::array<double, 3> sigma = error.standard_deviations();
  const auto add = [&](const DeviceError& device) {
    const std::array<double, 3> offset = device.offset_standard_deviations();
    for (std::size_t k = 0; k < 3; ++k) {
      sigma[k] = std::sqrt(sigma[k] * sigma[k] + offset[k] * offset[k]);
    }
  };
  add(error);
  if (error.camera) add(*error.camera);
  return sigma;
}

}  // namespace

std::vector<double> aim_weights(const CellGrid& grid, const RobotError& error,
                                const std::vector<CellBelief>& beliefs) {
  GRASPMAP_CHECK(std::ssize(beliefs) == grid.cell_count());
  const ErrorMasses masses(grid, sigma_of(error));
  Values mean(beliefs.size());
  Values variance(beliefs.size());
  Values spread(beliefs.size());
  for (std::size_t c = 0; c < beliefs.size(); ++c) {
    const CellMoments cell = moments_of(beliefs[c]);
    mean[c] = cell.mean;
    variance[c] = cell.variance;
    spread[c] = cell.spread;
  }
  const Values success = masses.mean_of(std::move(mean));
  const Values doubt = masses.mean_of_squares(std::move(variance));
  const auto best = static_cast<std::size_t>(
      std::distance(success.begin(), std::max_element(success.begin(), success.end())));
  Values chance(beliefs.size());
  for (std::size_t m = 0; m < chance.size(); ++m) {
    const double below = success[best] - success[m];
    chance[m] = std::exp(-below * below / (2 * (doubt[m] + doubt[best])));
  }
  Values weights = masses.mean_of_squares(std::move(chance));
  double most = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    weights[c] = std::cbrt(weights[c] * spread[c]);
    most = std::max(most, weights[c]);
  }
  for (double& weight : weights) weight = std::max(weight / most, kLeastWeight);
  return weights;
}

}  // namespace graspmap
