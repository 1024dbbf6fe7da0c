#include "grasp/commands/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>

#include "grasp/commands/options.hpp"
#include "grasp/interrupt.hpp"
#include "grasp/plots.hpp"
#include "grasp/progress.hpp"
#include "grasp/run_directory.hpp"
#include "grasp/summary.hpp"
#include "grasp/sweep.hpp"
#include "grasp/trial_table.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

CommandSyntax syntax() {
  CommandSyntax syntax{
      "run", "CONFIG",
      "Simulates the sweep of a configuration and writes outputs/NAME/: config.toml (resolved),\n"
      "trials.csv, map.csv, summary.json and the figures. Ctrl-C stops it and keeps what is\n"
      "done.\n",
      "  graspmap run configs/lock_piece.toml\n"
      "  graspmap run configs/lock_piece.toml --set sweep.trials_per_cell=10 --out outputs/quick\n",
      po::options_description("Options")};
  auto add = syntax.options.add_options();
  add("out", po::value<std::string>()->value_name("DIR"), "write into DIR, not outputs/NAME");
  add("threads", po::value<std::string>()->value_name("N"),
      "threads (default: all of the machine); the result is the same for any N");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the configuration; may be repeated");
  add("quiet", "show no progress");
  add("force", "overwrite a run that is already in the folder");
  add("no-plots", "draw no figures");
  return syntax;
}

/// What a sweep gave, and how long it took.
struct SweepResult {
  std::vector<TrialRow> rows;
  SuccessMap map;
  RunTiming timing;
};

SweepResult timed_sweep(const SweepConfig& config, int threads, bool quiet,
                        const std::atomic<int>& stop) {
  const auto start = std::chrono::steady_clock::now();
  SweepResult result;
  result.timing.threads = thread_count(threads);
  TrialCounters counters;
  {
    const ProgressReporter progress(counters, config.trials(), progress_style(quiet), std::cerr);
    result.rows = run_sweep(config, {threads, &stop, &counters});
  }
  result.map = success_map(config, result.rows);
  result.timing.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void save(const fs::path& folder, const SweepConfig& config, const SweepResult& sweep,
          const RunSummary& summary) {
  write_run_files(folder, {to_toml(config), trials_csv(sweep.rows), map_csv(sweep.map),
                           summary_json(summary, sweep.timing, folder / run_files::kConfig)});
  std::cout << fmt::format("\nFiles in {}: {}, {}, {}, {}\n", folder.string(), run_files::kConfig,
                           run_files::kTrials, run_files::kMap, run_files::kSummary);
}

/// Draws the figures; a failure is a warning, the results are safe already.
void draw(const fs::path& folder, const SweepResult& sweep, const RunSummary& summary) {
  std::cout.flush();
  try {
    make_figures(folder, sweep.map, summary.sweet_spot, summary.name, summary.plateau_probability);
    std::cout << fmt::format("Figures in {}\n", (folder / kFiguresFolder).string());
  } catch (const IoError& error) {
    std::cerr << fmt::format(
        "graspmap: warning: no figures: {}. The results are complete; "
        "`graspmap plot {}` draws them later.\n",
        error.what(), folder.string());
  }
}

/// Says that figures of an earlier run are still there, when no new ones were drawn.
void warn_of_old_figures(const fs::path& folder) {
  if (!fs::exists(folder / kFiguresFolder)) return;
  std::cerr << fmt::format(
      "graspmap: warning: {} is of an earlier run; `graspmap plot {}` draws it anew.\n",
      (folder / kFiguresFolder).string(), folder.string());
}

/// Says what an interrupted run kept; returns its exit code.
int report_interruption(int signal, const fs::path& folder, const RunSummary& summary) {
  if (summary.trials_done == 0) {
    std::cerr << "graspmap: interrupted before the first trial ended; nothing was kept.\n";
  } else {
    std::cerr << fmt::format(
        "graspmap: interrupted: kept the first {} of {} trials, spread evenly over the cells, "
        "in {}. `graspmap plot {}` draws them.\n",
        summary.trials_done, summary.trials_asked, folder.string(), folder.string());
  }
  return exit_code_of_signal(signal);
}

/// Runs the sweep into a folder that is ready for it; returns the exit code.
int run_into(const fs::path& folder, const SweepConfig& config, const Arguments& arguments,
             const std::atomic<int>& stop) {
  const SweepResult sweep = timed_sweep(config, arguments.threads(), arguments.has("quiet"), stop);
  const RunSummary summary = summarize(config, sweep.rows, sweep.map);
  if (summary.trials_done > 0) {
    std::cout << summary_text(summary, sweep.timing, folder / run_files::kConfig) << std::flush;
    save(folder, config, sweep, summary);
  }
  if (stop != 0) return report_interruption(stop, folder, summary);
  if (arguments.has("no-plots")) {
    warn_of_old_figures(folder);
  } else {
    draw(folder, sweep, summary);
  }
  return stop == 0 ? 0 : exit_code_of_signal(stop);
}

}  // namespace

int run_command(const std::vector<std::string>& args) {
  const Arguments arguments(syntax(), args);
  if (arguments.help_printed()) return 0;
  static_cast<void>(arguments.threads());  // a bad number is told before anything is read
  const SweepConfig config = read_sweep_config(arguments.operand(), arguments.texts("set"));
  const fs::path folder =
      arguments.has("out") ? fs::path(arguments.text("out")) : fs::path("outputs") / config.name;
  const InterruptGuard interrupt;
  prepare_run_folder(folder, arguments.has("force"));
  return run_into(folder, config, arguments, interrupt.signal());
}

}  // namespace graspmap
