#pragma once

#include <cstdint>
#include <vector>

#include "grasp/sweep/adaptive/cell_beliefs.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// What a run might come out as if it were completed, all trials in all cells: several possible
/// outcomes, drawn at random as the beliefs have it (from the posterior predictive distribution:
/// what is there stays, and the successes among the trials to come are beta-binomial). The draws
/// belong to seed, cell and their number: the same map gives the same draws.
class CompleteRuns {
 public:
  /// `trials_per_cell` is not less than any cell has.
  CompleteRuns(const SuccessMap& map, const std::vector<CellBelief>& beliefs, int trials_per_cell,
               std::uint64_t seed, int draws);

  [[nodiscard]] int draws() const { return draws_; }
  /// The successes of a cell in a draw.
  [[nodiscard]] int successes(int draw, std::size_t cell) const {
    return successes_[place(draw, cell)];
  }
  /// The valid trials of a cell, the same in all draws: trials to come do not fail.
  [[nodiscard]] int valid_trials(std::size_t cell) const { return valid_trials_[cell]; }
  /// The success probability of a cell as the map of a draw shows it.
  [[nodiscard]] double probability(int draw, std::size_t cell) const {
    return static_cast<double>(successes(draw, cell)) / static_cast<double>(valid_trials(cell));
  }

 private:
  [[nodiscard]] std::size_t place(int draw, std::size_t cell) const {
    return static_cast<std::size_t>(draw) * valid_trials_.size() + cell;
  }

  int draws_;
  std::vector<int> valid_trials_;
  std::vector<std::uint16_t> successes_;
};

/// The probability of 0, 1, ..., at most `trials` cases that are no success among so many trials to
/// come; they sum to 1.
std::vector<double> others_to_come(const CellBelief& belief, int trials);

}  // namespace graspmap
