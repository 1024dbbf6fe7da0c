#include "grasp/sweep/adaptive/complete_runs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

/// Keeps the draws apart from the random numbers of the trials.
constexpr std::uint64_t kStream = 0x9e3779b97f4a7c15U;

/// A part's probability of j others among `trials` to come, for all j: beta-binomial. From its
/// middle outwards by the ratio of neighbours, so that nothing over- or underflows.
void beta_binomial(const BeliefPart& part, int trials, std::vector<double>& p) {
  const double a = part.others;
  const double b = part.successes;
  const double n = trials;
  const auto ratio = [&](double j) { return (n - j) * (a + j) / ((j + 1) * (b + n - j - 1)); };
  const int middle = static_cast<int>(std::lround(n * a / (a + b)));
  p.assign(static_cast<std::size_t>(trials) + 1, 0.0);
  p[static_cast<std::size_t>(middle)] = 1.0;
  for (int j = middle; j < trials; ++j) {
    p[static_cast<std::size_t>(j) + 1] = p[static_cast<std::size_t>(j)] * ratio(j);
  }
  for (int j = middle; j > 0; --j) {
    p[static_cast<std::size_t>(j) - 1] = p[static_cast<std::size_t>(j)] / ratio(j - 1);
  }
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& value : p) value /= sum;
}

/// The first place where a running sum exceeds u.
int first_above(const std::vector<double>& sums, double u) {
  if (u < sums.front()) return 0;  // by far the most frequent where a cell never fails
  const auto found = std::upper_bound(sums.begin(), sums.end() - 1, u);
  return static_cast<int>(found - sums.begin());
}

}  // namespace

std::vector<double> others_to_come(const CellBelief& belief, int trials) {
  constexpr double kNegligible = 1e-12;
  std::vector<double> sum(static_cast<std::size_t>(trials) + 1, 0.0);
  std::vector<double> of_part;
  for (const BeliefPart& part : belief) {
    if (part.weight < kNegligible) continue;
    beta_binomial(part, trials, of_part);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += part.weight * of_part[j];
  }
  return sum;
}

CompleteRuns::CompleteRuns(const SuccessMap& map, const std::vector<CellBelief>& beliefs,
                           int trials_per_cell, std::uint64_t seed, int draws)
    : draws_(draws),
      valid_trials_(map.cells.size()),
      successes_(map.cells.size() * static_cast<std::size_t>(draws)) {
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    const CellCounts& counts = map.cells[cell];
    const int to_come = trials_per_cell - static_cast<int>(counts.trials());
    const int most = static_cast<int>(counts.count(Outcome::kSuccess)) + to_come;
    valid_trials_[cell] = trials_per_cell - static_cast<int>(counts.count(Outcome::kFailed));
    std::vector<double> sums = others_to_come(beliefs[cell], to_come);
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    for (int draw = 0; draw < draws; ++draw) {
      const double u = uniform_open(seed ^ kStream, cell, static_cast<std::uint32_t>(draw));
      successes_[place(draw, cell)] = static_cast<std::uint16_t>(most - first_above(sums, u));
    }
  }
}

}  // namespace graspmap
