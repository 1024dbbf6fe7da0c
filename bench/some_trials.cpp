// Runs the first trials of a configuration one after the other, and nothing else: what
// scripts/instructions counts instructions of.
//   graspmap_some_trials CONFIG N [KEY=VALUE...]

#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"

struct Totals {
  std::int64_t steps = 0;
  std::int64_t iterations = 0;
};

// A plain name, and never inlined or cloned: scripts/instructions counts between its start and end.
extern "C" [[gnu::noipa]] void run_some_trials(const graspmap::SweepConfig& config,
                                               std::int64_t trials, Totals& totals) {
  graspmap::Workspace workspace;
  graspmap::SimulationResult result;
  for (std::int64_t i = 0; i < trials; ++i) {
    const graspmap::TrialRow row = graspmap::run_trial(config, i, workspace, result);
    totals.steps += row.statistics.steps;
    totals.iterations += row.statistics.newton_iterations;
  }
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: graspmap_some_trials CONFIG N [KEY=VALUE...]\n");
    return 2;
  }
  const graspmap::SweepConfig config =
      graspmap::read_sweep_config(argv[1], std::vector<std::string>(argv + 3, argv + argc));
  const std::int64_t trials = std::strtoll(argv[2], nullptr, 10);
  Totals totals;
  run_some_trials(config, trials, totals);
  fmt::print("{} trials, {} steps, {} Newton iterations\n", trials, totals.steps,
             totals.iterations);
}
