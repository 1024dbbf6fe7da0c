#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/run_results.hpp"
#include "grasp/base/process/interrupt.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/merged_run.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_lock.hpp"
#include "grasp/sweep/trials/progress.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

CommandSyntax merge_syntax() {
  CommandSyntax syntax{
      "merge", "OUT SHARD...",
      "Joins runs of parts of one sweep, folders or run.sqlite files in any order, into the\n"
      "run OUT, as if the sweep had been run at once. The shards stay as they are. They may\n"
      "differ in sweep.trials_per_cell (the largest is taken), and they may overlap when they\n"
      "agree in every bit.\n",
      "  graspmap merge outputs/lock_piece outputs/lock_piece/shards/*\n"
      "  graspmap merge outputs/lock_piece outputs/lock_piece more/* --force   # OUT and others\n"};
  auto add = syntax.options.add_options();
  add("partial", "merge what there is when trials are missing");
  add("force", "overwrite a run that is already in OUT");
  add("quiet", "show no progress");
  add("no-plots", "draw no figures");
  return syntax;
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
  throw ConfigError(fmt::format("{}: holds a run already; --force overwrites it", folder.string()));
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

std::optional<RunTotals> merge_with_progress(const fs::path& folder, const MergePlan& plan,
                                             bool quiet, const std::atomic<int>& stop) {
  TrialCounters counters;
  const ProgressReporter progress(counters, plan.config.trials() - count_trials(plan.missing()),
                                  progress_style(quiet), std::cerr);
  return merge_into_run(folder, plan, counters, stop);
}

int report_interruption(const fs::path& folder, int signal) {
  std::cerr << fmt::format("graspmap: interrupted; nothing was written to {}.\n", folder.string());
  return exit_code_of_signal(signal);
}

/// Writes what is made from the store that is in the folder now.
void finish(const fs::path& folder, const RunTotals& totals, bool figures) {
  const RunStore store = RunStore::open(folder / run_files::kStore, RunStore::Access::kRead);
  const RunSummary summary = summarize(store, totals);
  save_results(folder, store, totals, summary);
  if (figures) {
    draw_results(folder, totals, summary);
  } else {
    warn_of_old_figures(folder);
  }
}

/// Merges into a folder that is there; returns the exit code.
int merge_into(const fs::path& folder, const MergePlan& plan, const Arguments& arguments) {
  std::optional<InterruptGuard> interrupt(std::in_place);
  const RunLock lock(folder);
  const auto totals =
      merge_with_progress(folder, plan, arguments.has("quiet"), interrupt->signal());
  if (!totals) return report_interruption(folder, interrupt->signal());
  interrupt.reset();
  finish(folder, *totals, !arguments.has("no-plots"));
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

}  // namespace graspmap
