// What storing costs a sweep: the same synthetic sweep with and without a store, in turns.
//   build/release/bench/graspmap_storing                     # 1,000,000 trials, five times each
//   build/release/bench/graspmap_storing 10000000 1          # how the memory grows: it does not
// A synthetic trial costs about 27 us of arithmetic, a tenth of a trial of the lock piece, so that
// two cores run 75,000 in a second; its row is made up, with all digits that a real one has.

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "bench/timing.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {
namespace fs = std::filesystem;

constexpr int kWork = 2600;  ///< sines of a synthetic trial

/// A chain of sines: nothing that a compiler could skip, and the same work on any machine.
double work(double x) {
  for (int k = 0; k < kWork; ++k) x = std::sin(x + 0.1);
  return x;
}

TrialRow synthetic_trial(const SweepConfig& config, std::int64_t index) {
  const SampledTrial sample = sample_trial(config, index);
  TrialRow row;
  row.index = index;
  row.set_cell(sample.cell());
  row.parameters = sample.parameters;
  row.end_time_s = work(sample.parameters.placement_x_mm);
  row.outcome = row.end_time_s > 0.5 ? Outcome::kSuccess : Outcome::kWedged;
  row.final_pose = Pose2{{std::cos(row.end_time_s), 1 / row.end_time_s}, row.end_time_s / 3};
  row.jaw_right_mm = row.end_time_s * 7;
  row.jaw_left_mm = -row.jaw_right_mm;
  row.statistics.steps = 90 + index % 40;
  row.statistics.newton_iterations = 250 + index % 90;
  row.statistics.by_rung[0] = row.statistics.steps;
  row.statistics.worst_residual = 1e-9 * row.end_time_s;
  row.statistics.worst_gap_mm = -1e-10 * row.end_time_s;
  return row;
}

RowFunction synthetic_trials(const SweepConfig& config) {
  return [&config](std::int64_t index, Workspace&, SimulationResult&) {
    return synthetic_trial(config, index);
  };
}

/// What some work took: on the clock, and of the processors.
struct Cost {
  double wall_s = 0.0;
  double cpu_s = 0.0;
};

template <typename Work>
Cost cost_of(const Work& timed) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start_s = bench::process_cpu_s();
  timed();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), bench::process_cpu_s() - cpu_start_s};
}

/// The sweep with its totals, as it would be without a store.
Cost run_without_store(const SweepConfig& config) {
  return cost_of([&] {
    ChunkQueue queue({{0, config.trials()}}, nullptr);
    RunTotals totals(config);
    std::thread collector([&] {
      std::vector<TrialRow> rows;
      while (queue.take(rows, SIZE_MAX, 0.1)) {
        for (const TrialRow& row : rows) totals.add(row);
        rows.clear();
      }
    });
    run_chunks(queue, 0, synthetic_trials(config));
    queue.close();
    collector.join();
  });
}

Cost run_with_store(const SweepConfig& config, const fs::path& file) {
  fs::remove(file);
  return cost_of([&] {
    RunStore store = RunStore::create(file, config);
    RunTotals totals(config);
    store.begin_process({});
    run_stored_sweep(store, totals, {}, synthetic_trials(config));
  });
}

double peak_memory_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A sweep of at least `trials` trials.
SweepConfig sweep_of(std::int64_t trials) {
  SweepConfig config = read_sweep_config(GRASPMAP_SOURCE_DIR "/configs/lock_piece.toml", {});
  config.trials_per_cell = static_cast<int>(trials / config.placement.cell_count());
  return config;
}

void compare(std::int64_t trials, int repetitions) {
  const SweepConfig config = sweep_of(trials);
  const fs::path file =
      fs::temp_directory_path() / fmt::format("graspmap_storing_{}.sqlite", ::getpid());
  std::vector<double> wall_ratio;
  std::vector<double> cpu_ratio;
  std::vector<double> rate;
  for (int k = 0; k < repetitions; ++k) {
    const Cost without = run_without_store(config);
    const Cost with = run_with_store(config, file);
    wall_ratio.push_back(with.wall_s / without.wall_s);
    cpu_ratio.push_back(with.cpu_s / without.cpu_s);
    rate.push_back(static_cast<double>(config.trials()) / without.wall_s);
    fmt::print("without a store {:.2f} s ({:.2f} s of CPU), with {:.2f} s ({:.2f} s)\n",
               without.wall_s, without.cpu_s, with.wall_s, with.cpu_s);
  }
  fmt::print("medians: {:.0f} trials/s without a store; it costs {:+.1f} % time, {:+.1f} % CPU\n",
             bench::median(rate), 100 * (bench::median(wall_ratio) - 1),
             100 * (bench::median(cpu_ratio) - 1));
  fmt::print("{:.0f} MB on the disk, {:.0f} MB peak memory\n",
             static_cast<double>(fs::file_size(file)) / 1e6, peak_memory_mb());
  fs::remove(file);
}

}  // namespace
}  // namespace graspmap

int main(int argc, char** argv) {
  const auto argument = [&](int k, std::int64_t fallback) {
    return k < argc ? graspmap::parse_integer(argv[k]).value_or(fallback) : fallback;
  };
  graspmap::compare(argument(1, 1'000'000), static_cast<int>(argument(2, 5)));
  return 0;
}
