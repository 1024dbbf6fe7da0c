#include "grasp/decide/statistics/compared_cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

double difference(const SampleCounts& a, const SampleCounts& b) {
  return std::abs(a.probability() - b.probability());
}

bool all_alike(const SamplePair& cell) {
  const std::int64_t successes = cell.a.successes + cell.b.successes;
  return successes == 0 || successes == cell.a.trials + cell.b.trials;
}

/// All tables of a cell that have its totals, by the successes of b.
class CellTables {
 public:
  explicit CellTables(const SamplePair& cell)
      : tables_(CountDistribution::hypergeometric(cell.a.successes + cell.b.successes,
                                                  cell.b.trials, cell.a.trials + cell.b.trials)) {
    for (std::int64_t k = tables_.first(); k <= tables_.last(); ++k) {
      const SampleCounts a{cell.a.successes + cell.b.successes - k, cell.a.trials};
      const SampleCounts b{k, cell.b.trials};
      deviances_.push_back(two_sample_deviance(a, b));
      mean_difference_ += tables_.probability(k) * difference(a, b);
    }
  }

  [[nodiscard]] double draw_deviance(double u) const {
    return deviances_[static_cast<std::size_t>(tables_.quantile(u) - tables_.first())];
  }
  [[nodiscard]] double mean_difference() const { return mean_difference_; }

 private:
  CountDistribution tables_;
  std::vector<double> deviances_;
  double mean_difference_ = 0.0;
};

/// The test of cells without failed trials.
class Test {
 public:
  Test(std::int64_t replicates, std::uint64_t seed)
      : seed_(seed), simulated_(static_cast<std::size_t>(replicates)) {}

  void add(const SamplePair& cell) {
    if (cell.a.trials == 0 || cell.b.trials == 0) return;
    ++result_.cells;
    weight_ += cell.weight;
    result_.mean_difference += cell.weight * difference(cell.a, cell.b);
    if (!all_alike(cell)) add_informative(cell);
  }

  HomogeneityTest result() {
    result_.replicates = static_cast<std::int64_t>(simulated_.size());
    if (weight_ > 0) {
      result_.mean_difference /= weight_;
      result_.mean_by_chance /= weight_;
    }
    // Equal sums may differ by rounding.
    const double least = result_.deviance * (1 - 1e-12);
    const auto count = std::count_if(simulated_.begin(), simulated_.end(),
                                     [&](double deviance) { return deviance >= least; });
    result_.p_value = static_cast<double>(count + 1) / static_cast<double>(result_.replicates + 1);
    return result_;
  }

 private:
  void add_informative(const SamplePair& cell) {
    check_stop();
    const CellTables tables(cell);
    const auto draw = static_cast<std::uint32_t>(result_.informative_cells++);
    result_.deviance += two_sample_deviance(cell.a, cell.b);
    result_.mean_by_chance += cell.weight * tables.mean_difference();
    for (std::size_t r = 0; r < simulated_.size(); ++r) {
      simulated_[r] += tables.draw_deviance(uniform_open(seed_, r, draw));
    }
  }

  std::uint64_t seed_;
  std::vector<double> simulated_;  ///< deviance of each replicate
  double weight_ = 0.0;
  HomogeneityTest result_;
};

HomogeneityTest test_with(std::span<const SamplePair> cells, FailedTrials failed,
                          std::int64_t replicates, std::uint64_t seed) {
  Test test(replicates, seed);
  for (const SamplePair& cell : cells) {
    test.add({decided(cell.a, failed), decided(cell.b, failed), cell.weight});
  }
  return test.result();
}

}  // namespace

HomogeneityTest homogeneity_test(std::span<const SamplePair> cells, std::int64_t replicates,
                                 std::uint64_t seed) {
  const HomogeneityTest pessimistic = test_with(cells, FailedTrials::kNoSuccess, replicates, seed);
  const bool any_failed = std::any_of(cells.begin(), cells.end(), [](const SamplePair& cell) {
    return cell.a.failed + cell.b.failed > 0;
  });
  if (!any_failed) return pessimistic;
  const HomogeneityTest optimistic = test_with(cells, FailedTrials::kSuccess, replicates, seed);
  return optimistic.p_value > pessimistic.p_value ? optimistic : pessimistic;
}

Stratum stratum_of(double weight, const SampleCounts& counts) {
  return {weight, static_cast<double>(counts.successes), static_cast<double>(counts.trials),
          static_cast<double>(counts.failed)};
}

/// P_A - P_B = 2 Q - 1, where Q is the mean of P_A and of 1 - P_B: the success probability of a
/// population of twice as many strata, half of which count the trials of B that do not succeed.
Estimate unpaired_difference(std::span<const UnpairedStratum> strata, double z) {
  double sum = 0;
  double weight = 0;
  std::vector<Stratum> halves;
  for (const UnpairedStratum& s : strata) {
    halves.push_back(stratum_of(s.weight / 2, s.a));
    halves.push_back(
        stratum_of(s.weight / 2, {s.b.trials - s.b.successes, s.b.trials, s.b.failed}));
    if (s.a.trials == 0 || s.b.trials == 0) continue;
    sum += s.weight * (s.a.probability() - s.b.probability());
    weight += s.weight;
  }
  const Interval q = stratified_probability(halves, z).interval;
  const double estimate = weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
  return {estimate, {2 * q.low - 1, 2 * q.high - 1}};
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  std::vector<double> adjusted(p_values.begin(), p_values.end());
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < p_values.size(); ++k) {
    if (!std::isnan(p_values[k])) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  const auto m = static_cast<double>(order.size());
  double lowest = 1.0;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t k = order[rank - 1];
    lowest = std::min(lowest, m * p_values[k] / static_cast<double>(rank));
    adjusted[k] = lowest;
  }
  return adjusted;
}

}  // namespace graspmap
