#include "grasp/app/commands/run_results.hpp"

#include <fmt/format.h>

#include <iostream>

#include "grasp/base/io/shell_word.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/results/plots.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;

void save_results(const fs::path& folder, const RunStore& store, const RunTotals& totals,
                  const RunSummary& summary, std::int64_t most_in_csv) {
  std::cout << summary_text(summary, timing(store), folder) << std::flush;
  const WrittenResults written = write_results(folder, store, totals, summary, most_in_csv);
  if (written.npz_removed) {
    std::cerr << fmt::format(
        "graspmap: note: {} was of an earlier state and is removed; `graspmap export {} --format "
        "npz` writes it anew.\n",
        (folder / run_files::kNpz).string(), shell_word(folder.string()));
  }
  const bool csv = written.trials_csv;
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
