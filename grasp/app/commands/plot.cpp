#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/results/map_csv.hpp"
#include "grasp/sweep/results/plots.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

CommandSyntax plot_syntax() {
  return {"plot", "RUNDIR",
          "Draws the figures of a run, finished or not, into RUNDIR/figures/: success_map (a heat\n"
          "map with the sweet spot), histogram_3d, histogram_3d_half (x >= 0) and outcomes. Each\n"
          "is a PNG and an SVG with the gnuplot script that draws it. To restyle a figure, copy\n"
          "its script to another name (plot writes the scripts anew), edit the copy, and run\n"
          "gnuplot in that folder.\n",
          "  graspmap plot outputs/lock_piece\n"
          "  cd outputs/lock_piece/figures && gnuplot success_map.gp\n"};
}

/// Writes map.csv and its companions from the store when they are not there, or of fewer trials
/// than the store has by now.
void bring_up_to_date(const fs::path& folder, const RunStore& store) {
  if (derived_files_have(folder, count_trials(store.stored()))) return;
  const RunTotals totals = read_totals(store);
  write_derived_files(folder, store, totals, summarize(store, totals));
}

/// The sweet spot of the map, or the one that the rule of an adaptive run finds from all trials.
SweetSpot sweet_spot(const SweepConfig& config, const SuccessMap& map, const RunStore& store) {
  if (!config.adaptive) return find_sweet_spot(map, config.sweet_spot_half_width_mm);
  return summarize(store, read_totals(store)).sweet_spot;
}

}  // namespace

int plot_command(const std::vector<std::string>& args) {
  const Arguments arguments(plot_syntax(), args);
  if (arguments.help_printed()) return 0;
  const fs::path store = store_file(arguments.operand());
  const fs::path folder = store.parent_path();
  const RunStore trials = RunStore::open(store, RunStore::Access::kRead);
  bring_up_to_date(folder, trials);
  const SweepConfig config = read_sweep_config(folder / run_files::kConfig, {}, ConfigUse::kRead);
  const SuccessMap map = read_map_csv(folder / run_files::kMap);
  make_figures(folder, map, sweet_spot(config, map, trials), config.name,
               config.plateau_probability);
  std::cout << fmt::format("Figures in {}\n", (folder / kFiguresFolder).string());
  return 0;
}

}  // namespace graspmap
