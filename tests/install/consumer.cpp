// A grasp, and a sweep, in a program of one's own.
#include <cstdio>

#include "grasp/sweep/trials/sweep.hpp"

using namespace graspmap;

int main(int, char** argv) {
  const SweepConfig config = read_sweep_config(argv[1], {"sweep.trials_per_cell=2"});
  Workspace memory;
  SimulationResult result;
  const TrialParameters grasp{
      .placement_x_mm = 0, .placement_y_mm = -11, .mu_jaw = 0.2, .mu_support = 0.3};
  std::printf("a grasp: %s\n", name(run_trial(config, grasp, memory, result).outcome));

  TrialCounters counters;  // on all cores
  run_trials(config.trials(), {.counters = &counters},
             [&](std::int64_t index, Workspace& own_memory, SimulationResult& own_result) {
               return run_trial(config, index, own_memory, own_result).outcome;
             });
  std::printf("a sweep: %.3f succeed\n", counters.snapshot().success_probability());
}
