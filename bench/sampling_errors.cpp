// Repeats the cells of a sweep with many seeds: how exact are their success probabilities, and do
// their intervals hold? scripts/sampling_errors makes tables and figures of it.
//   graspmap_sampling_errors CONFIG SEEDS TRIALS mixed|all [KEY=VALUE...]
// Writes "seed,cell,trials,successes,effective_trials,low,high,first_net_successes" for the first
// 8, 16, 32, ... trials of each cell. "mixed": cells in which 64 random trials do not all end
// alike. Seeds count from 7001: the intervals were made without looking at these.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace {

using namespace graspmap;

constexpr int kPilot = 64;
constexpr int kFirstTrials = 8;
constexpr std::uint64_t kPilotSeed = 7000;

/// Whether the first trials of some cells succeed, one cell after the other.
std::vector<char> successes_of(const SweepConfig& config, const std::vector<int>& cells,
                               int trials) {
  std::vector<char> successes(cells.size() * static_cast<std::size_t>(trials));
  run_trials(std::ssize(successes), {},
             [&](std::int64_t k, Workspace& workspace, SimulationResult& result) {
               const std::int64_t index = cells[static_cast<std::size_t>(k / trials)] +
                                          k % trials * config.placement.cell_count();
               const TrialRow row = run_trial(config, index, workspace, result);
               successes[static_cast<std::size_t>(k)] = row.outcome == Outcome::kSuccess;
               return row.outcome;
             });
  return successes;
}

std::vector<int> mixed_cells(SweepConfig config) {
  config.points = SweepPoints::kIndependent;
  config.seed = kPilotSeed;
  std::vector<int> all(static_cast<std::size_t>(config.placement.cell_count()));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<char> successes = successes_of(config, all, kPilot);
  std::vector<int> mixed;
  for (const int cell : all) {
    const auto first = successes.begin() + std::ptrdiff_t{cell} * kPilot;
    const auto count = std::count(first, first + kPilot, 1);
    if (count > 0 && count < kPilot) mixed.push_back(cell);
  }
  return mixed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr,
               "usage: graspmap_sampling_errors CONFIG SEEDS TRIALS mixed|all [KEY=VALUE...]\n");
    return 2;
  }
  SweepConfig config = read_sweep_config(argv[1], std::vector<std::string>(argv + 5, argv + argc));
  const int seeds = std::atoi(argv[2]);
  const int trials = std::atoi(argv[3]);
  std::vector<int> cells(static_cast<std::size_t>(config.placement.cell_count()));
  std::iota(cells.begin(), cells.end(), 0);
  if (std::string_view(argv[4]) == "mixed") cells = mixed_cells(config);
  fmt::print("seed,cell,trials,successes,effective_trials,low,high,first_net_successes\n");
  for (int seed = 1; seed <= seeds; ++seed) {
    config.seed = kPilotSeed + static_cast<std::uint64_t>(seed);
    const std::vector<char> successes = successes_of(config, cells, trials);
    SuccessMap map(config.placement);
    for (int k = 0; k < trials; ++k) {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const bool success =
            successes[c * static_cast<std::size_t>(trials) + static_cast<std::size_t>(k)] != 0;
        map.add_trial(cells[c] + std::int64_t{k} * config.placement.cell_count(),
                      success ? Outcome::kSuccess : Outcome::kWedged);
      }
      const int n = k + 1;
      if (n < kFirstTrials || (n & (n - 1)) != 0) continue;
      if (config.points == SweepPoints::kSobol) find_design_effects(map);
      for (const int number : cells) {
        const CellCounts& cell = map.cells[static_cast<std::size_t>(number)];
        const Interval interval = cell.success_interval();
        fmt::print("{},{},{},{},{},{},{},{}\n", config.seed, number, n,
                   cell.count(Outcome::kSuccess), cell.effective_trials(), interval.low,
                   interval.high, cell.first_net.successes);
      }
    }
  }
}
