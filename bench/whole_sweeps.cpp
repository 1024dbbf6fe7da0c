#include "bench/whole_sweeps.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"

namespace graspmap::bench {
namespace {
namespace fs = std::filesystem;

SweepConfig lock_piece(int trials_per_cell) {
  return read_sweep_config(GRASPMAP_SOURCE_DIR "/configs/lock_piece.toml",
                           {fmt::format("sweep.trials_per_cell={}", trials_per_cell)});
}

fs::path temporary_path(const char* what) {
  return fs::temp_directory_path() / fmt::format("graspmap_{}_{}", what, ::getpid());
}

/// What a sweep took.
struct Cost {
  double wall_s = 0.0;
  double cpu_s = 0.0;
  double trials_cpu_s = 0.0;  ///< of which in trials
};

template <typename Sweep>
Cost cost_of(const SweepConfig& config, const Sweep& sweep) {
  std::atomic<std::int64_t> trials_ns{0};
  const RowFunction timed = [&](std::int64_t index, Workspace& workspace,
                                SimulationResult& result) {
    const double start_s = thread_seconds();
    const TrialRow row = run_trial(config, index, workspace, result);
    trials_ns += static_cast<std::int64_t>(1e9 * (thread_seconds() - start_s));
    return row;
  };
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start_s = process_cpu_s();
  sweep(timed);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), process_cpu_s() - cpu_start_s, 1e-9 * static_cast<double>(trials_ns)};
}

Cost sweep_without_store(const SweepConfig& config, int threads) {
  return cost_of(config, [&](const RowFunction& trial) {
    ChunkQueue queue({{0, config.trials()}}, nullptr, config.trials());
    run_chunks(queue, threads, trial);
  });
}

Cost sweep_with_store(const SweepConfig& config) {
  const fs::path file = temporary_path("sweep.sqlite");
  const Cost cost = cost_of(config, [&](const RowFunction& trial) {
    RunStore store = RunStore::create(file, config);
    RunTotals totals(config);
    store.begin_process({});
    run_stored_sweep(store, totals, {}, trial);
  });
  fs::remove(file);
  return cost;
}

double overhead_percent(const Cost& cost) { return 100.0 * (cost.cpu_s / cost.trials_cpu_s - 1.0); }

std::string load() {
  double minutes[1] = {};
  if (::getloadavg(minutes, 1) != 1) return "unknown";
  return fmt::format("{:.1f}", minutes[0]);
}

/// Runs the program quietly, with trials that end as the jaws arrive so that many can be run, and
/// returns its peak memory in MB.
double peak_mb_of_run(int trials_per_cell) {
  const fs::path folder = temporary_path("run");
  const std::string trials = fmt::format("{}", trials_per_cell);
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::execl(GRASPMAP_PROGRAM, "graspmap", "run", GRASPMAP_SOURCE_DIR "/configs/lock_piece.toml",
            "--quiet", "--no-plots", "--set", "stop.timeout_s=0.05", "--trials-per-cell",
            trials.c_str(), "--out", folder.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child || status != 0) {
    throw std::runtime_error("graspmap run failed");
  }
  fs::remove_all(folder);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

void driver_overhead(int trials_per_cell, int repetitions) {
  const SweepConfig config = lock_piece(trials_per_cell);
  std::vector<double> without;
  std::vector<double> with;
  for (int k = 0; k < repetitions; ++k) {
    without.push_back(overhead_percent(sweep_without_store(config, 0)));
    with.push_back(overhead_percent(sweep_with_store(config)));
  }
  fmt::print(
      "{} trials: beside the trials, the sweep takes {:.2f} % of their processor time; with a "
      "store {:.2f} %\n",
      config.trials(), median(without), median(with));
}

void two_threads_against_one(int trials_per_cell, int repetitions) {
  const SweepConfig config = lock_piece(trials_per_cell);
  std::vector<double> on_the_clock;
  std::vector<double> at_best;
  for (int k = 0; k < repetitions; ++k) {
    const Cost one = sweep_without_store(config, 1);
    const Cost two = sweep_without_store(config, 2);
    on_the_clock.push_back(one.wall_s / two.wall_s);
    at_best.push_back(2.0 * one.cpu_s / two.cpu_s);
    fmt::print("one thread {:.2f} s ({:.2f} s CPU), two {:.2f} s ({:.2f} s), load {}\n", one.wall_s,
               one.cpu_s, two.wall_s, two.cpu_s, load());
  }
  fmt::print("two threads: {:.2f} times as fast on the clock, {:.2f} by their processor time\n",
             median(on_the_clock), median(at_best));
}

void peak_memory(int trials_per_cell) {
  for (const int factor : {1, 10}) {
    const int trials = factor * trials_per_cell;
    fmt::print("{} trials in each cell: {:.1f} MB at the peak\n", trials, peak_mb_of_run(trials));
  }
}

}  // namespace graspmap::bench
