// Prints the digests of the first trials of sweeps, which are those of `graspmap hash` where that
// is all of a sweep. Without threads and without a store: scripts/same_bits builds it for several
// processors.
//   graspmap_same_bits N CONFIG...

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace {

std::string digest_of(const graspmap::SweepConfig& config, std::int64_t most_trials) {
  graspmap::Workspace workspace;
  graspmap::SimulationResult result;
  graspmap::TrialDigest digest;
  const std::int64_t trials = std::min(most_trials, config.trials());
  for (std::int64_t i = 0; i < trials; ++i) {
    digest.add(graspmap::run_trial(config, i, workspace, result));
  }
  return digest.hex();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: graspmap_same_bits N CONFIG...\n");
    return 2;
  }
  const std::int64_t trials = std::strtoll(argv[1], nullptr, 10);
  for (int k = 2; k < argc; ++k) {
    fmt::print("{} {}\n", digest_of(graspmap::read_sweep_config(argv[k], {}), trials), argv[k]);
  }
}
