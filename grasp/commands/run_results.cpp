#include "grasp/commands/run_results.hpp"

#include <fmt/format.h>

#include <iostream>

#include "grasp/io/atomic_file.hpp"
#include "grasp/io/shell_word.hpp"
#include "grasp/results/derived_files.hpp"
#include "grasp/results/plots.hpp"
#include "grasp/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// An export of an earlier state must not pass for one of the run as it is now.
void remove_old_npz(const fs::path& folder) {
  if (!fs::remove(folder / run_files::kNpz)) return;
  std::cerr << fmt::format(
      "graspmap: note: {} was of an earlier state and is removed; `graspmap export {} --format "
      "npz` writes it anew.\n",
      (folder / run_files::kNpz).string(), shell_word(folder.string()));
}

}  // namespace

void save_results(const fs::path& folder, const RunStore& store, const RunTotals& totals,
                  const RunSummary& summary, std::int64_t most_in_csv) {
  std::cout << summary_text(summary, timing(store), folder) << std::flush;
  write_derived_files(folder, store, totals, summary);
  remove_old_npz(folder);
  const bool csv = summary.trials_done <= most_in_csv;
  if (csv) {
    write_trials_csv(folder / run_files::kTrials, store);
  } else {
    remove_file(folder / run_files::kTrials);  // of an earlier state
  }
  std::cout << fmt::format("\nFiles in {}: {}, {}, {}, {}{}{}\n", folder.string(),
                           run_files::kStore, run_files::kConfig, run_files::kMap,
                           run_files::kSummary, csv ? ", " : "", csv ? run_files::kTrials : "");
  if (!csv) {
    std::cout << fmt::format("`graspmap export {}` writes {} too.\n", shell_word(folder.string()),
                             run_files::kTrials);
  }
}

void draw_results(const fs::path& folder, const RunTotals& totals, const RunSummary& summary) {
  std::cout.flush();
  try {
    make_figures(folder, totals.map, summary.sweet_spot, summary.name, summary.plateau_probability);
    std::cout << fmt::format("Figures in {}\n", (folder / kFiguresFolder).string());
  } catch (const IoError& error) {
    std::cerr << fmt::format(
        "graspmap: warning: no figures: {}. The results are complete; "
        "`graspmap plot {}` draws them later.\n",
        error.what(), shell_word(folder.string()));
  }
}

void warn_of_old_figures(const fs::path& folder) {
  if (!fs::exists(folder / kFiguresFolder)) return;
  std::cerr << fmt::format(
      "graspmap: warning: {} is of an earlier run; `graspmap plot {}` draws it anew.\n",
      (folder / kFiguresFolder).string(), shell_word(folder.string()));
}

}  // namespace graspmap
