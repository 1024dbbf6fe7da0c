#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/app/commands/run_results.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/merge_stores.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

CommandSyntax merge_syntax() {
  return {
      "merge",
      "OUT SHARD...",
      "Joins runs of parts of one sweep, folders or run.sqlite files in any order, into the\n"
      "run OUT, as if the sweep had been run at once. The shards stay as they are. They may\n"
      "differ in sweep.trials_per_cell (the largest is taken), and they may overlap when they\n"
      "agree in every bit.\n",
      "  graspmap merge outputs/lock_piece outputs/lock_piece/shards/*\n"
      "  graspmap merge outputs/lock_piece outputs/lock_piece more/* --force   # OUT and others\n",
      {{"partial", "merge what there is when trials are missing"},
       {"force", "overwrite a run that is already in OUT"},
       {"quiet", "show no progress"},
       {"no-plots", "draw no figures"}}};
}

MergePlan read_plan(const Arguments& arguments) {
  std::vector<fs::path> stores;
  for (std::size_t k = 1; k < arguments.operands().size(); ++k) {
    stores.push_back(store_file(arguments.operands()[k]));
  }
  return plan_merge(stores);
}

void check_folder(const fs::path& folder, bool force) {
  if (force || run_folder_state(folder) == RunFolderState::kEmpty) return;
  throw config_error({folder.string()}, "", "holds a run already; --force overwrites it");
}

void check_complete(const MergePlan& plan, bool partial) {
  const TrialRanges gaps = plan.missing();
  if (partial || gaps.empty()) return;
  throw ConfigError(fmt::format(
      "{} of {} trials are in no shard: {}; give the shards that have them, or merge what there is "
      "with --partial",
      count_trials(gaps), plan.config.trials(), text(gaps)));
}

void warn_of_different_bits(const MergePlan& plan) {
  const std::vector<std::string> kinds = plan.kinds_of_bits();
  if (kinds.size() < 2) return;
  std::cerr << fmt::format(
      "graspmap: warning: the shards come from programs or machines that compute other bits than "
      "each other: {}; the digest is not that of a run on any one of them\n",
      fmt::join(kinds, ", "));
}

/// Merges into a folder that is there; returns the exit code.
int merge_into(const fs::path& folder, const MergePlan& plan, const Arguments& arguments) {
  std::optional<InterruptGuard> interrupt(std::in_place);
  const RunLock lock(folder);
  std::optional<RunTotals> totals;
  {
    TrialCounters counters;
    const ProgressReporter progress(counters, plan.config.trials() - count_trials(plan.missing()),
                                    progress_style(arguments.has("quiet")), std::cerr);
    totals = merge_into_run(folder, plan, counters, interrupt->signal());
  }
  if (!totals) {
    std::cerr << fmt::format("graspmap: interrupted; nothing was written to {}.\n",
                             folder.string());
    return exit_code_of_signal(interrupt->signal());
  }
  interrupt.reset();
  const RunStore store = RunStore::open(folder / run_files::kStore, RunStore::Access::kRead);
  const RunSummary summary = answered_summary(store, *totals);
  save_results(folder, store, *totals, summary);
  if (arguments.has("no-plots")) {
    warn_of_old_figures(folder);
  } else {
    draw_results(folder, store, *totals, summary);
  }
  return 0;
}

}  // namespace

int merge_command(const std::vector<std::string>& args) {
  const Arguments arguments(merge_syntax(), args);
  if (arguments.help_printed()) return 0;
  const fs::path folder = arguments.operand();
  check_folder(folder, arguments.has("force"));
  const MergePlan plan = read_plan(arguments);
  check_complete(plan, arguments.has("partial"));
  warn_of_different_bits(plan);
  const NewRunFolder new_folder(folder);
  return merge_into(folder, plan, arguments);
}

namespace {

CommandSyntax export_syntax() {
  return {
      "export",
      "RUNDIR",
      "Writes all trials of a run into one file: RUNDIR/trials.csv, or RUNDIR/trials.npz for\n"
      "numpy, which is smaller, quicker to read, and has the solver's health too. A run that is\n"
      "not complete, or is being written, gives the trials it has so far. Writes\n"
      "config.toml, map.csv and summary.json anew when they are missing or have fewer trials.\n"
      "The memory used does not grow with the run; trials.npz needs twice its own size on the\n"
      "disk while it is written.\n",
      "  graspmap export outputs/lock_piece\n"
      "  graspmap export outputs/lock_piece --out - | cut -d, -f4,5,9\n"
      "  graspmap export outputs/lock_piece --format npz\n"
      "  # In Python, column by column; outcomes are numbers with names:\n"
      "  #   trials = numpy.load(\"outputs/lock_piece/trials.npz\")\n"
      "  #   outcomes = trials[\"outcome_names\"][trials[\"outcome\"]]\n",
      {{"format F", "csv (the default) or npz"},
       {"out FILE", "write FILE, nothing into RUNDIR; -: standard output (csv only)"},
       {"quiet", "show no progress"}}};
}

enum class Format { kCsv, kNpz };

Format read_format(const Arguments& arguments) {
  return arguments.word("format", {"csv", "npz"}) == 0 ? Format::kCsv : Format::kNpz;
}

/// The file to write.
fs::path read_out(const Arguments& arguments, Format format, const fs::path& store) {
  if (!arguments.has("out")) {
    return store.parent_path() / (format == Format::kCsv ? run_files::kTrials : run_files::kNpz);
  }
  const std::string& out = arguments.text("out");
  if (out == "-" && format == Format::kNpz) {
    arguments.refuse("out", "a file with --format npz");
  }
  std::error_code ignored;
  if (fs::equivalent(out, store, ignored)) {
    arguments.refuse("out", "another file than the run's own");
  }
  return out == "-" ? "/dev/stdout" : out;
}

/// Writes the file, and adds the rows up; false, with nothing written, when it was stopped.
bool write_rows(const fs::path& file, Format format, const RunStore& store, bool quiet,
                const std::atomic<int>& stop, RunTotals& totals) {
  const UncertainColumns uncertain(store.config());
  const auto pass_on_to = [&](auto& writer) {
    TrialReader reader(store);
    TrialCounters counters;
    const ProgressReporter progress(counters, count_trials(store.stored()), progress_style(quiet),
                                    std::cerr);
    while (stop == 0 && reader.next_index()) {
      const TrialRow row = reader.next();
      writer.add(row);
      totals.add(row);
      counters.add(row.outcome);
    }
    return stop == 0;
  };
  if (format == Format::kNpz) {
    TrialsNpz npz(file, uncertain);
    return pass_on_to(npz) && npz.commit(stop);
  }
  TrialsCsv csv(file, uncertain);
  if (!pass_on_to(csv)) return false;
  csv.commit();
  return true;
}

/// Writes config.toml, map.csv and summary.json when they are not of at least these trials.
void bring_up_to_date(const RunStore& store, const RunTotals& totals, bool quiet) {
  const fs::path folder = store.file().parent_path();
  if (derived_files_have(folder, totals.map().total().trials())) return;
  write_derived_files(folder, store, totals, answered_summary(store, totals));
  if (quiet) return;
  std::cerr << fmt::format("Made anew: {}, {}, {}\n", run_files::kConfig, run_files::kMap,
                           run_files::kSummary);
}

}  // namespace

int export_command(const std::vector<std::string>& args) {
  const Arguments arguments(export_syntax(), args);
  if (arguments.help_printed()) return 0;
  const bool quiet = arguments.has("quiet");
  const Format format = read_format(arguments);
  const fs::path store_path = stored_run_file(arguments.operand());
  const fs::path file = read_out(arguments, format, store_path);
  const RunStore store = RunStore::open(store_path, RunStore::Access::kRead);
  std::optional<InterruptGuard> interrupt(std::in_place);
  RunTotals totals(store.config());
  if (!write_rows(file, format, store, quiet, interrupt->signal(), totals)) {
    std::cerr << fmt::format("graspmap: interrupted; {} was not written.\n", file.string());
    return exit_code_of_signal(interrupt->signal());
  }
  interrupt.reset();
  const std::int64_t exported = totals.map().total().trials();
  if (!quiet) std::cerr << fmt::format("{} trials in {}\n", exported, file.string());
  std::cerr << missing_trials_note(store, totals);
  if (!arguments.has("out")) bring_up_to_date(store, totals, quiet);
  return 0;
}

namespace {

CommandSyntax hash_syntax() {
  return {"hash", "RUNDIR",
          "Prints a digest of all trials of a run: 32 hexadecimal digits that change when any bit\n"
          "of any trial does. It is the same however the sweep was run: with any number of\n"
          "threads or processes, resumed, extended, split into shards and merged. RUNDIR may also\n"
          "be a run.sqlite.\n",
          "  graspmap hash outputs/lock_piece\n"
          "  test $(graspmap hash a) = $(graspmap hash b) && echo the same trials\n"};
}

}  // namespace

int hash_command(const std::vector<std::string>& args) {
  const Arguments arguments(hash_syntax(), args);
  if (arguments.help_printed()) return 0;
  const RunStore store = open_stored_run(arguments.operand());
  const TrialRanges there = store.stored();
  TrialDigest digest;
  RunTotals totals(store.config());
  store.for_each([&](const TrialRow& row) {
    digest.add(row);
    totals.add(row);
  });
  if (!totals.is_complete(store.trials_asked())) {
    const TrialRanges gaps =
        totals.rounds ? totals.rounds->missing() : missing(there, store.asked());
    std::cerr << fmt::format("graspmap: note: the digest is of {} of {} trials; missing: {}{}\n",
                             count_trials(there), store.trials_asked(), text(gaps),
                             totals.rounds ? ", and the rounds to come" : "");
  }
  std::cout << digest.hex() << "\n";
  return 0;
}

}  // namespace graspmap
