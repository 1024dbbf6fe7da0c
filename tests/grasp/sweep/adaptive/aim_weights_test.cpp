#include "grasp/sweep/adaptive/aim_weights.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

CellBelief beta(double successes, double others) {
  CellBelief belief;
  belief.fill({0.0, 1.0, 1.0});
  belief[0] = {1.0, successes, others};
  return belief;
}

RobotError error_of(double x_mm, double y_mm, double theta_rad = 0.0) {
  RobotError error;
  error.position_sigma_mm = {x_mm, y_mm};
  error.angle_sigma_rad = theta_rad;
  return error;
}

/// The mass of a normal error about the centre of a cell in another one.
double mass(const Axis& axis, int from, int to, double sigma) {
  if (axis.is_fixed()) return 1.0;
  int away = to - from;
  if (axis.period > 0 && 2 * std::abs(away) > axis.cells) away = axis.cells - std::abs(away);
  const double size = axis.cell_size() / (sigma * std::numbers::sqrt2);
  return 0.5 * (std::erf((away + 0.5) * size) - std::erf((away - 0.5) * size));
}

/// The formula of the header, cell by cell.
std::vector<double> weights_by_definition(const CellGrid& grid, const std::array<double, 3>& sigma,
                                          const std::vector<CellBelief>& beliefs) {
  const std::size_t n = beliefs.size();
  const auto weight = [&](std::size_t aim, std::size_t cell) {
    const CellIndex from = grid.cell(aim);
    const CellIndex to = grid.cell(cell);
    return mass(grid.x_mm, from.x, to.x, sigma[0]) * mass(grid.y_mm, from.y, to.y, sigma[1]) *
           mass(grid.theta_rad, from.theta, to.theta, sigma[2]);
  };
  std::vector<double> success(n, 0.0);
  std::vector<double> variance(n, 0.0);
  for (std::size_t m = 0; m < n; ++m) {
    for (std::size_t c = 0; c < n; ++c) {
      const auto [one, a, b] = beliefs[c][0];
      success[m] += weight(m, c) * a / (a + b);
      variance[m] += std::pow(weight(m, c), 2) * a * b / (std::pow(a + b, 2) * (a + b + 1));
    }
  }
  const auto best = static_cast<std::size_t>(
      std::distance(success.begin(), std::max_element(success.begin(), success.end())));
  std::vector<double> weights(n, 0.0);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t m = 0; m < n; ++m) {
      const double d2 = std::pow(success[best] - success[m], 2) / (variance[best] + variance[m]);
      weights[c] += std::exp(-d2 / 2) * std::pow(weight(m, c), 2);
    }
    const auto [one, a, b] = beliefs[c][0];
    weights[c] = std::cbrt(weights[c] * a * b / ((a + b) * (a + b + 1)));
  }
  const double most = *std::max_element(weights.begin(), weights.end());
  for (double& w : weights) w = std::max(w / most, 1e-4);
  return weights;
}

TEST_CASE("the weights of trials for an aim are those of the formula") {
  constexpr double kTurn = 2 * std::numbers::pi;
  const bool whole_turn = GENERATE(false, true);
  CellGrid grid{{-2, 3, 6}, {0, 4, 5}, {-0.2, 0.3, 4}};
  if (whole_turn) grid.theta_rad = {-kTurn / 2, kTurn / 2, 5, kTurn};
  std::vector<CellBelief> beliefs;
  for (int c = 0; c < grid.cell_count(); ++c) {
    const auto index = static_cast<std::uint64_t>(c);
    beliefs.push_back(beta(8 * uniform_open(5, index, 0), 8 * uniform_open(5, index, 1)));
  }
  const double x = GENERATE(0.9, 0.02);  // of the latter no mass is in the next cell but one
  const double angle = whole_turn ? 0.8 : 0.1;
  const auto weights = aim_weights(grid, error_of(x, 1.4, angle), beliefs);
  const auto expected = weights_by_definition(grid, {x, 1.4, angle}, beliefs);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    CAPTURE(c);
    CHECK(weights[c] == Approx(expected[c]).epsilon(1e-9));
  }
}

TEST_CASE("trials go to mixed cells that the error reaches from where the best aim may be") {
  // Success left of x = 0 in one half of the map and everywhere left of x = -8 in the other.
  const CellGrid grid{{-10, 10, 20}, {-10, 10, 20}, fixed_angle(0)};
  std::vector<CellBelief> beliefs;
  for (int j = 0; j < 20; ++j) {
    for (int i = 0; i < 20; ++i) {
      const int edge = j < 10 ? 10 : 2;
      beliefs.push_back(i == edge ? beta(4, 4) : i < edge ? beta(500, 0.5) : beta(0.5, 500));
    }
  }
  const auto weights = aim_weights(grid, error_of(1.5, 1.5), beliefs);
  const auto weight = [&](int i, int j) { return weights[grid.index(i, j)]; };
  CHECK(weight(10, 5) > 100 * weight(2, 18));  // both are mixed: one is out of reach
  CHECK(weight(10, 5) > 3 * weight(15, 5));    // both are as far away: one is sure
  // An error that is constant but unknown reaches as far as one that varies.
  RobotError offset = error_of(0.9, 0.9);
  offset.offset_sigma_mm = {1.2, 1.2};
  CHECK(aim_weights(grid, offset, beliefs)[grid.index(10, 5)] == Approx(weight(10, 5)));
}

TEST_CASE("a robot without an error needs its own cell only") {
  const CellGrid grid{{0, 3, 3}, {0, 1, 1}, fixed_angle(0)};
  const std::vector<CellBelief> beliefs = {beta(2, 6), beta(6, 2), beta(500, 1)};
  const auto weights = aim_weights(grid, error_of(0, 0), beliefs);
  CHECK(weights[0] < 0.1);  // surely worse
  CHECK(weights[1] > weights[0]);
  CHECK(*std::max_element(weights.begin(), weights.end()) == 1);
}

}  // namespace
}  // namespace graspmap
