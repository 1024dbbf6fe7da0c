#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/run_results.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/mpi/job.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "grasp/sweep/trials/progress.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

CommandSyntax run_syntax() {
  CommandSyntax syntax{
      "run", "CONFIG",
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
      "      --set support.e_o= --set support.e_r_mm=\n"};
  auto add = syntax.options.add_options();
  add("out", po::value<std::string>()->value_name("DIR"),
      "write into DIR, not outputs/NAME (a shard: outputs/NAME/shards/I-of-N)");
  add("threads", po::value<std::string>()->value_name("N"),
      "threads (default: all); the result is the same for any N");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the configuration, or take it away (KEY=); may be repeated");
  add("trials-per-cell", po::value<std::string>()->value_name("N"),
      "trials in each cell; a larger number extends an existing run");
  add("resume", "continue the run in the folder; begin it when there is none");
  add("shard", po::value<std::string>()->value_name("I/N"),
      "run part I of N, 1 <= I <= N; `graspmap merge` joins the parts");
  add("force", "overwrite a run that is already in the folder");
  add("quiet", "show no progress");
  add("no-plots", "draw no figures");
  add("report", "write report.html too: `graspmap report`");
  return syntax;
}

/// A run as the command line asks for it.
struct RunRequest {
  SweepConfig config;
  Shard shard;
  fs::path folder;
  ExistingRun existing = ExistingRun::kRefuse;
  std::string resume_command;  ///< what goes on with it
};

constexpr std::int64_t kMostShards = 1'000'000;

/// "2/4"; nothing when the text is no shard.
std::optional<Shard> parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const std::int64_t index = parse_integer(text.substr(0, slash)).value_or(0);
  const std::int64_t count = parse_integer(text.substr(slash + 1)).value_or(0);
  if (index < 1 || count < index || count > kMostShards) return std::nullopt;
  return Shard{static_cast<int>(index), static_cast<int>(count)};
}

Shard read_shard(const Arguments& arguments) {
  if (!arguments.has("shard")) return {};
  const std::optional<Shard> shard = parse_shard(arguments.text("shard"));
  if (!shard) {
    arguments.fail(fmt::format("--shard: '{}'; must be I/N with whole numbers 1 <= I <= N <= {}",
                               arguments.text("shard"), kMostShards));
  }
  return *shard;
}

/// --set and --trials-per-cell as overrides of the configuration.
std::vector<std::string> overrides(const Arguments& arguments) {
  std::vector<std::string> list = arguments.texts("set");
  if (arguments.has("trials-per-cell")) {
    list.push_back("sweep.trials_per_cell=" + arguments.text("trials-per-cell"));
  }
  return list;
}

ExistingRun existing_run(const Arguments& arguments) {
  const bool resume = arguments.has("resume");
  if (arguments.has("force")) {
    if (resume) arguments.fail("--force overwrites a run, --resume goes on with it; give one");
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

RunRequest read_request(const Arguments& arguments, const std::vector<std::string>& args) {
  static_cast<void>(arguments.threads());  // a bad number is told before anything is read
  RunRequest request;
  request.shard = read_shard(arguments);
  request.existing = existing_run(arguments);
  request.config = read_sweep_config(arguments.operand(), overrides(arguments));
  if (request.config.adaptive && !request.shard.is_whole()) {
    arguments.fail(
        "--shard: an adaptive run cannot be split, for what it simulates follows from "
        "all its trials; use MPI, or sweep.sampling = \"uniform\"");
  }
  request.folder = run_folder(arguments, request.config, request.shard);
  request.resume_command = resume_command(request.config, args);
  return request;
}

/// Runs what is missing and stores it. The error of a full disk names what is kept.
void simulate_missing(MpiJob& job, OpenedRun& run, const RunRequest& request,
                      const Arguments& arguments, const std::atomic<int>& stop) {
  if (job.processes() > 1 && !arguments.has("quiet")) {
    std::cerr << fmt::format("graspmap: {}\n", job.text(arguments.threads()));
  }
  TrialCounters counters;
  counters.add(run.totals.map.total());
  run.store.begin_session(
      new_session(request.config, job.processes(), job.all_threads(arguments.threads())));
  const ProgressReporter progress(counters, run.store.trials_asked(),
                                  progress_style(arguments.has("quiet")), std::cerr);
  try {
    job.run_stored_sweep(run.store, run.totals, {arguments.threads(), &stop, &counters});
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}; {} trials are kept, and `{}` goes on", error.what(),
                              run.totals.map.total().trials(), request.resume_command));
  }
}

/// Says what an interrupted run kept and how to go on; returns its exit code.
int report_interruption(int signal, const RunRequest& request, const RunSummary& summary) {
  std::cerr << fmt::format(
      "graspmap: interrupted: {} of {} trials are kept in {}. To go on:\n  {}\n",
      summary.trials_done, summary.trials_asked, request.folder.string(), request.resume_command);
  return exit_code_of_signal(signal);
}

/// Runs what is missing. Returns the signal that stopped it, or 0.
int simulate_until_stopped(MpiJob& job, OpenedRun& run, const RunRequest& request,
                           const Arguments& arguments) {
  if (run.totals.is_complete(run.store.trials_asked())) return 0;
  // Ranks take as long as it takes to send their trials.
  const InterruptGuard interrupt(job.processes() > 1 ? InterruptGuard::kForever_s
                                                     : InterruptGuard::kPatience_s);
  simulate_missing(job, run, request, arguments, interrupt.signal());
  return interrupt.signal();
}

/// The end of an interrupted run; returns its exit code.
int keep_interrupted(MpiJob& job, OpenedRun& run, const RunRequest& request, int signal) {
  const RunSummary summary = summarize(run.store, run.totals);
  // Whoever ends an MPI job kills it a second later: no time for files that the store can give, nor
  // for a farewell.
  if (job.processes() == 1) {
    job.dismiss();
    if (summary.trials_done > 0) {
      save_results(request.folder, run.store, run.totals, summary, kMostTrialsInCsvAtOnce);
    }
  }
  return report_interruption(signal, request, summary);
}

/// Runs the sweep into an opened store; returns the exit code.
int finish(MpiJob& job, OpenedRun& run, const RunRequest& request, const Arguments& arguments) {
  const int signal = simulate_until_stopped(job, run, request, arguments);
  if (signal != 0) return keep_interrupted(job, run, request, signal);
  const RunSummary summary = summarize(run.store, run.totals);
  job.dismiss();
  if (summary.trials_done > 0) save_results(request.folder, run.store, run.totals, summary);
  if (arguments.has("no-plots") || !request.shard.is_whole()) {
    warn_of_old_figures(request.folder);
  } else {
    draw_results(request.folder, run.totals, summary);
  }
  if (arguments.has("report") && summary.trials_done > 0) draw_report(request.folder, run.store);
  return 0;
}

void tell_what_was_there(const RunLock& lock, const OpenedRun& run, const fs::path& folder) {
  if (!lock.crashed_owner().empty()) {
    std::cerr << fmt::format("graspmap: note: {} was writing {} and ended without finishing.\n",
                             lock.crashed_owner(), folder.string());
  }
  const std::int64_t stored = run.totals.map.total().trials();
  if (stored == 0) return;
  std::cerr << fmt::format("graspmap: {} of {} trials are there already.\n", stored,
                           run.store.trials_asked());
}

}  // namespace

int run_command(const std::vector<std::string>& args) {
  MpiJob job;
  if (!job.leads()) {
    job.work();
    return 0;
  }
  const Arguments arguments(run_syntax(), args);
  if (arguments.help_printed()) return 0;
  const RunRequest request = read_request(arguments, args);
  create_run_folder(request.folder);
  const RunLock lock(request.folder);
  OpenedRun run = open_run(request.folder, request.config, request.shard, request.existing);
  if (!arguments.has("quiet")) tell_what_was_there(lock, run, request.folder);
  return finish(job, run, request, arguments);
}

}  // namespace graspmap
