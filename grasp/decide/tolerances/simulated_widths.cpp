#include "grasp/decide/tolerances/simulated_widths.hpp"

#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/trials/outcome_counts.hpp"

namespace graspmap {
namespace {

/// Seeds of a run are smaller.
constexpr std::uint64_t kSeedOfSamples = 0xf46f'6c00'0000'0000;

}  // namespace

SimulateWidths simulated_widths(const SweepConfig& config, const AimAndRobot& aim,
                                std::uint64_t seed, int threads) {
  return [&config, aim, seed, threads](std::span<const double> factors, std::int64_t first,
                                       std::int64_t count) {
    const WidenedTrials trials(config, aim, factors);
    std::vector<PairSide> sides(static_cast<std::size_t>(count), PairSide::kFailed);
    run_trials(count, {threads, stop_flag()},
               [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                 const Outcome outcome =
                     trials.run(kSeedOfSamples + seed, static_cast<std::uint64_t>(first + index),
                                workspace, result);
                 sides[static_cast<std::size_t>(index)] = pair_side(outcome);
                 return outcome;
               });
    check_stop();
    return sides;
  };
}

}  // namespace graspmap
