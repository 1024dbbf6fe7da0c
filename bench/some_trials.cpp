// Runs the first trials of a configuration one after the other, and nothing else: what callgrind
// counts instructions of.
//   graspmap_some_trials CONFIG N [KEY=VALUE...]

#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "grasp/sweep_config.hpp"
#include "grasp/trial.hpp"

int main(int argc, char** argv) {
  using namespace graspmap;
  if (argc < 3) {
    fmt::print(stderr, "usage: graspmap_some_trials CONFIG N [KEY=VALUE...]\n");
    return 2;
  }
  const SweepConfig config =
      read_sweep_config(argv[1], std::vector<std::string>(argv + 3, argv + argc));
  const std::int64_t trials = std::strtoll(argv[2], nullptr, 10);
  Workspace workspace;
  SimulationResult result;
  std::int64_t steps = 0;
  std::int64_t iterations = 0;
  for (std::int64_t i = 0; i < trials; ++i) {
    const TrialRow row = run_trial(config, i, workspace, result);
    steps += row.statistics.steps;
    iterations += row.statistics.newton_iterations;
  }
  fmt::print("{} trials, {} steps, {} Newton iterations\n", trials, steps, iterations);
}
