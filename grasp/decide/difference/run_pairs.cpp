#include "grasp/decide/difference/run_pairs.hpp"

#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "grasp/sweep/trials/outcome_counts.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

std::array<double, kTrialInputs> inputs(const TrialParameters& p) {
  return {p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support};
}

/// The rows of a store, one ahead.
class Rows {
 public:
  Rows(const RunStore& store, SuccessMap& map) : reader_(store), map_(map) {}

  /// The index of the next row; beyond all others at the end.
  [[nodiscard]] std::int64_t index() const {
    return reader_.next_index().value_or(std::numeric_limits<std::int64_t>::max());
  }
  [[nodiscard]] bool at_end() const { return !reader_.next_index(); }

  TrialRow take() {
    const TrialRow row = reader_.next();
    map_.add(row.cell(), row.outcome);
    return row;
  }

 private:
  TrialReader reader_;
  SuccessMap& map_;
};

std::vector<double> uncertain_of(const SweepConfig& config, const TrialRow& row) {
  return sample_uncertain(config, config.seed, static_cast<std::uint64_t>(row.index));
}

/// The numbers that are uncertain in two runs.
class UncertainPairs {
 public:
  UncertainPairs(const SweepConfig& a, const SweepConfig& b) : a_(a), b_(b) {
    std::map<std::string, PairedNumber> numbers;
    for (const UncertainNumber& number : a.uncertain) numbers[number.key].in_a = true;
    for (const UncertainNumber& number : b.uncertain) numbers[number.key].in_b = true;
    for (auto& [key, number] : numbers) {
      number.key = key;
      numbers_.push_back(number);
    }
  }

  void add(const TrialRow& row_a, const TrialRow& row_b) {
    if (numbers_.empty()) return;
    const std::vector<double> of_a = uncertain_of(a_, row_a);
    const std::vector<double> of_b = uncertain_of(b_, row_b);
    std::size_t at_a = 0;
    std::size_t at_b = 0;
    for (PairedNumber& number : numbers_) {
      if (number.in_a && number.in_b && of_a[at_a] == of_b[at_b]) ++number.equal;
      at_a += number.in_a ? 1 : 0;
      at_b += number.in_b ? 1 : 0;
    }
  }

  [[nodiscard]] const std::vector<PairedNumber>& numbers() const { return numbers_; }

 private:
  const SweepConfig& a_;
  const SweepConfig& b_;
  std::vector<PairedNumber> numbers_;
};

void add_pair(RunPairs& result, const TrialRow& a, const TrialRow& b) {
  const std::size_t cell = static_cast<std::size_t>(a.index) % result.cells.size();
  result.cells[cell].add(pair_side(a.outcome), pair_side(b.outcome));
  ++result.pairs;
  const auto of_a = inputs(a.parameters);
  const auto of_b = inputs(b.parameters);
  for (std::size_t k = 0; k < kTrialInputs; ++k) result.equal[k] += of_a[k] == of_b[k] ? 1 : 0;
}

}  // namespace

RunPairs read_pairs(const RunStore& a, const RunStore& b) {
  const PlacementSweep& grid = a.config().placement;
  if (grid.cell_count() != b.config().placement.cell_count()) throw std::logic_error("two grids");
  RunPairs result;
  result.map_a = SuccessMap(grid);
  result.map_b = SuccessMap(grid);
  result.cells.resize(result.map_a.cells.size());
  Rows rows_a(a, result.map_a);
  Rows rows_b(b, result.map_b);
  UncertainPairs uncertain(a.config(), b.config());
  while (!rows_a.at_end() || !rows_b.at_end()) {
    if (rows_a.index() < rows_b.index()) {
      rows_a.take();
    } else if (rows_b.index() < rows_a.index()) {
      rows_b.take();
    } else {
      const TrialRow row_a = rows_a.take();
      const TrialRow row_b = rows_b.take();
      add_pair(result, row_a, row_b);
      uncertain.add(row_a, row_b);
    }
  }
  result.uncertain = uncertain.numbers();
  return result;
}

}  // namespace graspmap
