#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/app/commands/run_results.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/sweep/config/plausibility.hpp"
#include "grasp/sweep/mpi/job.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/results/written_results.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// A run as the command line asks for it.
struct RunRequest {
  SweepConfig config;
  Shard shard;
  fs::path folder;
  ExistingRun existing = ExistingRun::kRefuse;
  std::string resume_command;  ///< what continues it
};

/// --shard "2/4".
Shard read_shard(const Arguments& arguments) {
  constexpr std::int64_t kMostShards = 1'000'000;
  if (!arguments.has("shard")) return {};
  const std::string& text = arguments.text("shard");
  const std::size_t slash = std::min(text.find('/'), text.size() - 1);
  const std::int64_t index = parse_integer(text.substr(0, slash)).value_or(0);
  const std::int64_t count = parse_integer(text.substr(slash + 1)).value_or(0);
  if (index < 1 || count < index || count > kMostShards) {
    arguments.refuse("shard", fmt::format("I/N with whole numbers 1 <= I <= N <= {}", kMostShards));
  }
  return {static_cast<int>(index), static_cast<int>(count)};
}

ExistingRun existing_run(const Arguments& arguments) {
  const bool resume = arguments.has("resume");
  if (arguments.has("force")) {
    if (resume) arguments.fail("--force overwrites a run, --resume continues it; give one");
    return ExistingRun::kOverwrite;
  }
  return resume || arguments.has("trials-per-cell") ? ExistingRun::kResume : ExistingRun::kRefuse;
}

fs::path run_folder(const Arguments& arguments, const SweepConfig& config, Shard shard) {
  if (arguments.has("out")) return arguments.text("out");
  const fs::path whole = fs::path("outputs") / config.name;
  if (shard.is_whole()) return whole;
  return whole / "shards" / fmt::format("{}-of-{}", shard.index, shard.count);
}

/// The same command line with --resume.
std::string resume_command(const SweepConfig& config, const std::vector<std::string>& args) {
  std::string command = fmt::format("{} run", program_of(config.scenario));
  for (const std::string& word : args) {
    if (word != "--force" && word != "--resume") command.append(" ").append(shell_word(word));
  }
  return command + " --resume";
}

/// Says what is doubtful in a configuration; with --strict throws ConfigError.
void tell_doubts(const Arguments& arguments, const SweepConfig& config) {
  std::vector<ConfigFault> faults = doubts(config, arguments.operand());
  if (arguments.has("strict") && !faults.empty()) throw ConfigError(std::move(faults));
  warn_of(faults);
}

RunRequest read_request(const Arguments& arguments, const std::vector<std::string>& args) {
  static_cast<void>(arguments.threads());  // a bad number is reported before anything is read
  RunRequest request;
  request.shard = read_shard(arguments);
  request.existing = existing_run(arguments);
  std::vector<std::string> overrides = arguments.texts("set");
  if (arguments.has("trials-per-cell")) {
    overrides.push_back("sweep.trials_per_cell=" + arguments.text("trials-per-cell"));
  }
  request.config = read_sweep_config(arguments.operand(), overrides);
  tell_doubts(arguments, request.config);
  if (request.config.adaptive && !request.shard.is_whole()) {
    arguments.fail(
        "--shard: an adaptive run cannot be split, for what it simulates follows from all its "
        "trials; use MPI, or sweep.sampling = \"uniform\"");
  }
  request.folder = run_folder(arguments, request.config, request.shard);
  request.resume_command = resume_command(request.config, args);
  return request;
}

/// Runs what is missing and stores it. The error of a full disk, or of a folder that somebody has
/// removed meanwhile, names what is kept.
void simulate_missing(MpiJob& job, OpenedRun& run, const RunRequest& request,
                      const Arguments& arguments, const std::atomic<int>& stop) {
  if (job.processes() > 1 && !arguments.has("quiet")) {
    std::cerr << fmt::format("graspmap: {}\n", job.text(arguments.threads()));
  }
  TrialCounters counters;
  counters.add(run.totals.map().total());
  run.store.begin_process(
      new_process(request.config, job.processes(), job.all_threads(arguments.threads())));
  const ProgressReporter progress(counters, run.store.trials_asked(),
                                  progress_style(arguments.has("quiet")), std::cerr);
  try {
    job.run_stored_sweep(run.store, run.totals, {arguments.threads(), &stop, &counters});
  } catch (const IoError& error) {
    if (!fs::exists(run.store.file())) {
      throw IoError(fmt::format("{}: was removed while it was written; no trials are kept",
                                run.store.file().string()));
    }
    throw IoError(fmt::format("{}; {} trials are kept, and `{}` continues the run", error.what(),
                              run.totals.map().total().trials(), request.resume_command));
  }
}

/// The end of an interrupted run: says what it kept and how to continue; returns its exit code.
int keep_interrupted(MpiJob& job, OpenedRun& run, const RunRequest& request, int signal) {
  // Whoever waits for an interrupted run gets the table of trials where it takes no time.
  TrialsTable table(request.folder, run.totals, job.processes() == 1 ? kMostTrialsInCsvAtOnce : 0);
  RunSummary summary = summarize(run.store, run.totals);
  // Whoever ends an MPI job kills it a second later: no time for files that the store can give, nor
  // for a farewell.
  if (job.processes() == 1) {
    job.dismiss();
    if (summary.trials_done > 0) {
      summary.robot = robot_answer(run.store, summary);
      save_results(request.folder, run.store, run.totals, summary, table);
    }
  }
  std::cerr << fmt::format(
      "graspmap: interrupted: {} of {} trials are kept in {}. To continue:\n  {}\n",
      summary.trials_done, summary.trials_asked, request.folder.string(), request.resume_command);
  return exit_code_of_signal(signal);
}

/// Runs the sweep into an opened store; returns the exit code.
int finish(MpiJob& job, OpenedRun& run, const RunRequest& request, const Arguments& arguments) {
  if (!run.totals.is_complete(run.store.trials_asked())) {
    // Ranks take as long as it takes to send their trials.
    const InterruptGuard interrupt(job.processes() > 1 ? InterruptGuard::kForever_s
                                                       : InterruptGuard::kPatience_s);
    simulate_missing(job, run, request, arguments, interrupt.signal());
    const int signal = interrupt.signal();
    if (signal != 0) return keep_interrupted(job, run, request, signal);
  }
  TrialsTable table(request.folder, run.totals, kMostTrialsInCsv);
  const RunSummary summary = answered_summary(run.store, run.totals);
  job.dismiss();
  if (summary.trials_done > 0) save_results(request.folder, run.store, run.totals, summary, table);
  if (arguments.has("no-plots") || !request.shard.is_whole()) {
    warn_of_old_figures(request.folder);
  } else {
    draw_results(request.folder, run.store, run.totals, summary);
  }
  if (arguments.has("report") && summary.trials_done > 0) draw_report(request.folder, run.store);
  return 0;
}

void tell_what_was_there(const RunLock& lock, const OpenedRun& run, const fs::path& folder) {
  if (!lock.crashed_owner().empty()) {
    std::cerr << fmt::format("graspmap: note: {} was writing {} and ended without finishing.\n",
                             lock.crashed_owner(), folder.string());
  }
  const std::int64_t stored = run.totals.map().total().trials();
  if (stored == 0) return;
  std::cerr << fmt::format("graspmap: {} of {} trials already exist.\n", stored,
                           run.store.trials_asked());
}

int run_sweep(const CommandSyntax& syntax, const std::vector<std::string>& args) {
  MpiJob job;
  if (!job.leads()) {
    job.work();
    return 0;
  }
  const Arguments arguments(syntax, args);
  if (arguments.help_printed()) return 0;
  const RunRequest request = read_request(arguments, args);
  create_run_folder(request.folder);
  const RunLock lock(request.folder);
  OpenedRun run = open_run(request.folder, request.config, request.shard, request.existing);
  if (!arguments.has("quiet")) tell_what_was_there(lock, run, request.folder);
  return finish(job, run, request, arguments);
}

}  // namespace

Command run_command() {
  return {
      {"run",
       "simulate a sweep and map where the grasp succeeds",
       "CONFIG",
       "Simulates the sweep of a configuration and keeps it in outputs/NAME/. The trials are in\n"
       "run.sqlite; from it come config.toml (resolved), trials.csv, map.csv, summary.json and\n"
       "the figures. Ctrl-C stops the sweep and keeps what is done; --resume continues it, also\n"
       "after a crash. The bits of the trials are the same however often a run is stopped or\n"
       "extended, and on however many machines it runs.\n",
       "  graspmap run configs/lock_piece.toml\n"
       "  graspmap run configs/lock_piece.toml --resume               # after an interruption\n"
       "  graspmap run configs/lock_piece.toml --trials-per-cell 500  # more trials for a run\n"
       "  graspmap run configs/lock_piece.toml --shard 2/4            # a quarter; see merge\n"
       "  graspmap run configs/lock_piece.toml --set friction.jaw=0.2 --out outputs/mu_0.2\n"
       "  graspmap run configs/lock_piece.toml --set support.model=tripod --set support.e_t= \\\n"
       "      --set support.e_o= --set support.e_r_mm=\n",
       {{"out DIR", "write into DIR, not outputs/NAME (a shard: outputs/NAME/shards/I-of-N)"},
        {"threads N", "threads (default: all); the result is the same for any N"},
        {"set KEY=VALUE ...",
         "override a key of the configuration, or take it away (KEY=); may be repeated"},
        {"trials-per-cell N", "trials in each cell; a larger number extends an existing run"},
        {"resume", "continue the run in the folder, or begin it"},
        {"shard I/N", "run part I of N, 1 <= I <= N; `graspmap merge` joins the parts"},
        {"force", "overwrite a run that is already in the folder"},
        {"quiet", "show no progress"},
        {"strict",
         "refuse a configuration with a number that is most likely a slip (others only warn)"},
        {"no-plots", "draw no figures"},
        {"report", "write report.html too: `graspmap report`"}}},
      run_sweep,
      keys_of_sweep};
}

}  // namespace graspmap
