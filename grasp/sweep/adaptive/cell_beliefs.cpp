#include "grasp/sweep/adaptive/cell_beliefs.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace graspmap {
namespace {

constexpr std::array kLikeness = {0.5, 2.0, 8.0, 32.0};  ///< k: in trials, what neighbours count
constexpr std::size_t kParts = std::tuple_size_v<CellBelief>;
static_assert(kParts == kLikeness.size() + 1);
/// Rates of 0 and 1 are moved by so little that it never shows, to keep all Betas proper.
constexpr double kLeastRate = 1e-9;

double rate_of_others(const CellCounts& cell) { return 1.0 - cell.success_probability(); }

/// The failure rate of the cells around cell (i, j) of slice k.
double neighbours_rate(const SuccessMap& map, int i, int j, int k) {
  double sum = 0;
  double weights = 0;
  for (int c = std::max(k - 1, 0); c <= std::min(k + 1, map.theta_rad.cells - 1); ++c) {
    for (int b = std::max(j - 1, 0); b <= std::min(j + 1, map.y_mm.cells - 1); ++b) {
      for (int a = std::max(i - 1, 0); a <= std::min(i + 1, map.x_mm.cells - 1); ++a) {
        const CellCounts& cell = map.at(a, b, c);
        const int steps = std::abs(a - i) + std::abs(b - j) + std::abs(c - k);
        if (steps == 0 || steps == 3 || cell.valid_trials() == 0) continue;
        const double weight = steps == 1 ? 2.0 : 1.0;
        sum += weight * rate_of_others(cell);
        weights += weight;
      }
    }
  }
  return weights > 0 ? std::clamp(sum / weights, kLeastRate, 1 - kLeastRate) : 0.5;
}

/// The prior of a cell whose neighbours have failure rate q; its weights are left 0.
CellBelief prior(double q) {
  CellBelief belief;
  for (std::size_t k = 0; k < kLikeness.size(); ++k) {
    belief[k] = {0.0, kLikeness[k] * (1 - q), kLikeness[k] * q};
  }
  belief.back() = {0.0, 0.5, 0.5};
  return belief;
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

using PartValues = std::array<double, kParts>;

/// Adds the trials of a cell to its belief. Returns how likely each part made them.
PartValues learn(CellBelief& belief, const CellCounts& cell) {
  const auto successes = static_cast<double>(cell.count(Outcome::kSuccess));
  const double others = static_cast<double>(cell.valid_trials()) - successes;
  PartValues likelihoods{};
  for (std::size_t k = 0; k < kParts; ++k) {
    BeliefPart& part = belief[k];
    const double before = log_beta(part.successes, part.others);
    part.successes += successes;
    part.others += others;
    likelihoods[k] = std::exp(log_beta(part.successes, part.others) - before);
  }
  return likelihoods;
}

/// Each weight times its likelihood, summing to 1.
PartValues shares(const PartValues& weights, const PartValues& likelihoods) {
  PartValues result{};
  double sum = 0;
  for (std::size_t k = 0; k < kParts; ++k) sum += result[k] = weights[k] * likelihoods[k];
  for (double& share : result) share /= sum;
  return result;
}

/// The weights of the parts in the whole map.
PartValues estimate_weights(const std::vector<PartValues>& likelihoods) {
  constexpr int kIterations = 40;
  constexpr double kAddedCells = 0.5;
  PartValues weights{};
  weights.fill(1.0 / kParts);
  for (int n = 0; n < kIterations; ++n) {
    PartValues sums{};
    sums.fill(kAddedCells);
    for (const PartValues& cell : likelihoods) {
      const PartValues part = shares(weights, cell);
      for (std::size_t k = 0; k < kParts; ++k) sums[k] += part[k];
    }
    const double all = static_cast<double>(likelihoods.size()) + kParts * kAddedCells;
    for (std::size_t k = 0; k < kParts; ++k) weights[k] = sums[k] / all;
  }
  return weights;
}

}  // namespace

std::vector<CellBelief> believe(const SuccessMap& map) {
  std::vector<CellBelief> beliefs(map.cells.size());
  std::vector<PartValues> likelihoods(map.cells.size());
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    const int row = static_cast<int>(cell) / map.x_mm.cells;
    beliefs[cell] = prior(neighbours_rate(map, static_cast<int>(cell) % map.x_mm.cells,
                                          row % map.y_mm.cells, row / map.y_mm.cells));
    likelihoods[cell] = learn(beliefs[cell], map.cells[cell]);
  }
  const PartValues weights = estimate_weights(likelihoods);
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    const PartValues share = shares(weights, likelihoods[cell]);
    for (std::size_t k = 0; k < kParts; ++k) beliefs[cell][k].weight = share[k];
  }
  return beliefs;
}

double belief_at_least(const CellBelief& belief, double probability) {
  // At 1 itself no Beta has any mass, but those next to it mean it.
  const double p = std::clamp(probability, 0.0, 1.0 - 1e-9);
  constexpr double kNegligible = 1e-6;
  double sum = 0;
  for (const BeliefPart& part : belief) {
    if (part.weight < kNegligible) continue;
    sum += part.weight * boost::math::ibetac(part.successes, part.others, p);
  }
  return sum;
}

}  // namespace graspmap
