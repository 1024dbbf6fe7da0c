// What the parts of a sweep cost: closest points, one step, one trial, and the whole sweep.
//   cmake --preset release -DGRASPMAP_BENCH=ON && cmake --build --preset release
//   build/release/bench/graspmap_bench --benchmark_repetitions=5
// Compare two builds in one sitting, by their medians: times vary with the machine's load.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "geometry/closest_points.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "sim/closing/condensed_stepper.hpp"

namespace graspmap {
namespace {

SweepConfig lock_piece(const std::vector<std::string>& overrides = {}) {
  return read_sweep_config(GRASPMAP_SOURCE_DIR "/configs/lock_piece.toml", overrides);
}

// The gap of a piece to the right jaw as the jaw passes it: its inside edge, its vertex, its top.
void closest_points_of(benchmark::State& bench, const Superellipse& piece) {
  const Rotation2 R_GA(0.3);
  double y = 0.0;
  for (auto _ : bench) {
    y = y > 4.0 ? -4.0 : y + 0.01;
    benchmark::DoNotOptimize(closest_points(piece, Vec2(-3.0, y), R_GA, JawSide::kRight, 0.0));
  }
}

void closest_points_disc(benchmark::State& bench) { closest_points_of(bench, {2.0, 2.0, 2.0}); }
void closest_points_ellipse(benchmark::State& bench) { closest_points_of(bench, {2.3, 1.1, 2.0}); }
void closest_points_tooth(benchmark::State& bench) { closest_points_of(bench, {2.3, 1.1, 4.0}); }
void closest_points_bar(benchmark::State& bench) { closest_points_of(bench, {2.3, 1.1, 7.0}); }
BENCHMARK(closest_points_disc);
BENCHMARK(closest_points_ellipse);
BENCHMARK(closest_points_tooth);
BENCHMARK(closest_points_bar);

// A step in the middle of a grasp, both jaws sliding on the part, warm-started as in a trial.
void one_step(benchmark::State& bench) {
  const SweepConfig config = lock_piece({"simulation.order=1"});
  const TrialParameters trial{0.5, -11.0, 0.0, 0.2, 0.3};
  CondensedStepper stepper;
  stepper.begin(config.scenario, trial);
  State state = initial_state(config.scenario, trial);
  state.jaw_right_mm = 17.9;
  state.jaw_left_mm = -17.9;
  for (int k = 0; k < 20; ++k) {
    if (stepper.try_step(state, config.scenario.step_s, true).converged) state = stepper.accept();
  }
  for (auto _ : bench) {
    benchmark::DoNotOptimize(stepper.try_step(state, config.scenario.step_s, true));
  }
}
BENCHMARK(one_step);

// Trials of the published sweep, one after the other.
void one_trial(benchmark::State& bench) {
  const SweepConfig config = lock_piece();
  Workspace workspace;
  SimulationResult result;
  std::int64_t index = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(run_trial(config, index, workspace, result));
    index = (index + 1) % config.trials();
  }
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(one_trial)->Unit(benchmark::kMicrosecond);

// The published sweep of 100,800 trials on `threads` threads, without a store and files.
void whole_sweep(benchmark::State& bench) {
  const SweepConfig config = lock_piece({"sweep.trials_per_cell=252"});
  const auto threads = static_cast<int>(bench.range(0));
  for (auto _ : bench) {
    ChunkQueue queue({{0, config.trials()}}, nullptr, config.trials());
    run_chunks(queue, threads, sweep_trials(config));
  }
  bench.SetItemsProcessed(bench.iterations() * config.trials());
}
BENCHMARK(whole_sweep)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Iterations(1)
    ->Unit(benchmark::kSecond)
    ->UseRealTime();

}  // namespace
}  // namespace graspmap

BENCHMARK_MAIN();
