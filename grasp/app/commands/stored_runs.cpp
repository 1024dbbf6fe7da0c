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
#include "grasp/sweep/results/written_results.hpp"
#include "grasp/sweep/store/merge_stores.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

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
  throw ConfigError(
      fmt::format("{} of {} trials are in no shard: {}; give the shards that have them, or merge "
                  "what there is with --partial",
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
  TrialsTable table(folder, *totals, kMostTrialsInCsv);
  const RunSummary summary = answered_summary(store, *totals);
  save_results(folder, store, *totals, summary, table);
  if (arguments.has("no-plots")) {
    warn_of_old_figures(folder);
  } else {
    draw_results(folder, store, *totals, summary);
  }
  return 0;
}

int merge_shards(const Arguments& arguments) {
  const fs::path folder = arguments.operand();
  check_folder(folder, arguments.has("force"));
  const MergePlan plan = read_plan(arguments);
  check_complete(plan, arguments.has("partial"));
  warn_of_different_bits(plan);
  const NewRunFolder new_folder(folder);
  return merge_into(folder, plan, arguments);
}

}  // namespace

Command merge_command() {
  return {
      {"merge",
       "join the shards of a sweep into one run",
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
        {"no-plots", "draw no figures"}}},
      parsed(merge_shards)};
}

namespace {

int print_digest(const Arguments& arguments) {
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

}  // namespace

Command hash_command() {
  return {
      {"hash", "print a digest of the trials of a run", "RUNDIR",
       "Prints a digest of all trials of a run: 32 hexadecimal digits that change when any bit\n"
       "of any trial does. It is the same however the sweep was run: with any number of\n"
       "threads or processes, resumed, extended, split into shards and merged. RUNDIR may also\n"
       "be a run.sqlite.\n",
       "  graspmap hash outputs/lock_piece\n"
       "  test $(graspmap hash a) = $(graspmap hash b) && echo the same trials\n"},
      parsed(print_digest)};
}

}  // namespace graspmap
