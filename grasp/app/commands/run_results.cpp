#include "grasp/app/commands/run_results.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/show/report/report.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

namespace fs = std::filesystem;

void save_results(const fs::path& folder, const RunStore& store, const RunTotals& totals,
                  const RunSummary& summary, TrialsTable& table) {
  std::cout << summary_text(summary, timing(store), folder) << std::flush;
  const WrittenResults written = write_results(folder, store, totals, summary, table);
  if (written.npz_removed) {
    std::cerr << fmt::format(
        "graspmap: note: {} was of an earlier state and is removed; `graspmap export {} --format "
        "npz` writes it again.\n",
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

void draw_results(const fs::path& folder, const RunStore& store, const RunTotals& totals,
                  const RunSummary& summary) {
  std::cout.flush();
  try {
    make_figures(store, totals.map(), marked_spot(summary), summary.unmet);
    std::cout << fmt::format("Figures in {}\n", (folder / kFiguresFolder).string());
  } catch (const IoError& error) {
    std::cerr << fmt::format(
        "graspmap: warning: no figures: {}. The results are complete; `graspmap plot {}` draws "
        "them later.\n",
        error.what(), shell_word(folder.string()));
  }
}

void warn_of_old_figures(const fs::path& folder) {
  if (!fs::exists(folder / kFiguresFolder)) return;
  std::cerr << fmt::format(
      "graspmap: warning: {} is of an earlier run; `graspmap plot {}` draws it again.\n",
      (folder / kFiguresFolder).string(), shell_word(folder.string()));
}

namespace {

/// Writes map.csv and its companions from the store when they are not there, or of fewer trials
/// than the store has by now.
void bring_up_to_date(const fs::path& folder, const RunStore& store) {
  if (derived_files_have(folder, count_trials(store.stored()))) return;
  const RunTotals totals = read_totals(store);
  write_derived_files(folder, store, totals, answered_summary(store, totals));
}

/// Marks the sweet spot of the map; the one that the rule of an adaptive run finds from all trials;
/// or where the robot's error lets the gripper be put.
void draw_map(const SweepConfig& config, const SuccessMap& map, const RunStore& store) {
  if (!config.adaptive && !config.robot) {
    return make_figures(store, map, find_sweet_spot(map, config.sweet_spot_half_width_mm),
                        count_unmet(store, map.total()));
  }
  const RunSummary summary = answered_summary(store, read_totals(store));
  make_figures(store, map, marked_spot(summary), summary.unmet);
}

int plot_run(const Arguments& arguments) {
  const fs::path store = stored_run_file(arguments.operand());
  const fs::path folder = store.parent_path();
  const RunStore trials = RunStore::open(store, RunStore::Access::kRead);
  bring_up_to_date(folder, trials);
  const SweepConfig config = read_sweep_config(folder / run_files::kConfig, {});
  const SuccessMap map = read_map_csv(folder / run_files::kMap);
  draw_map(config, map, trials);
  std::cout << fmt::format("Figures in {}\n", (folder / kFiguresFolder).string());
  return 0;
}

}  // namespace

Command plot_command() {
  return {
      {"plot", "draw the figures of a run", "RUNDIR",
       "Draws the figures of a run, finished or not, into RUNDIR/figures/: success_map (a heat\n"
       "map with the sweet spot), histogram_3d, histogram_3d_half (x >= 0), outcomes and reasons\n"
       "(why grasps of each cell are no success). Each is a PNG and an SVG with the gnuplot\n"
       "script that draws it. To restyle a figure, copy its script to another name (plot\n"
       "overwrites the scripts), edit the copy, and run gnuplot in that folder.\n",
       "  graspmap plot outputs/lock_piece\n"
       "  cd outputs/lock_piece/figures && gnuplot success_map.gp\n"},
      parsed(plot_run)};
}

namespace {

constexpr const char* kReportFile = "report.html";

ReportRequest read_report_request(const Arguments& arguments, const fs::path& store) {
  constexpr int kMostTrials = 10'000'000;
  ReportRequest request;
  request.run = run_of(store).string();
  request.live = !arguments.has("no-live");
  if (arguments.has("experiment")) request.experiment = arguments.text("experiment");
  for (const char* option : {"columns", "theta-rad", "compare-trials"}) {
    if (request.experiment || !arguments.has(option)) continue;
    arguments.fail(fmt::format("--{}: is of an experiment; give --experiment FILE.csv", option));
  }
  if (arguments.has("columns")) request.experiment_columns = arguments.words("columns");
  if (arguments.has("theta-rad")) request.experiment_theta_rad = arguments.number("theta-rad");
  if (arguments.has("compare-trials")) {
    request.experiment_trials = arguments.count("compare-trials", 0, 100, 1'000'000'000);
  }
  if (arguments.has("against")) request.against = stored_run_file(arguments.text("against"));
  if (arguments.has("design")) request.design = arguments.text("design");
  request.most_trials = arguments.count("trials", kMostReportTrials, 1, kMostTrials);
  request.threads = arguments.threads();
  request.show = show_on_stderr(progress_style(arguments.has("quiet")));
  return request;
}

void save_report(const RunStore& store, const ReportRequest& request, const fs::path& file) {
  constexpr double kMega = 1e6;
  const Report report = make_report(store, request);
  write_file_atomically(file, report.html);
  for (const std::string& sentence : report.left_out) std::cout << sentence << "\n";
  if (report.trials_in_page < report.trials) {
    std::cout << fmt::format("{} of {} trials are in the page, the first of each cell.\n",
                             report.trials_in_page, report.trials);
  }
  std::cout << fmt::format("Report in {}: {:.1f} MB{}\n", file.string(),
                           static_cast<double>(report.html.size()) / kMega,
                           report.live ? ", with the simulator" : "");
}

int report_run(const Arguments& arguments) {
  const fs::path file = stored_run_file(arguments.operand());
  const ReportRequest request = read_report_request(arguments, file);
  const fs::path out =
      arguments.has("out") ? fs::path(arguments.text("out")) : file.parent_path() / kReportFile;
  check_writable(out);
  save_report(RunStore::open(file, RunStore::Access::kRead), request, out);
  return 0;
}

}  // namespace

Command report_command() {
  return {
      {"report",
       "write one HTML file that answers questions about a run, offline",
       "RUNDIR",
       "Writes one HTML file that answers questions about a run, offline, in any browser: to send\n"
       "to a colleague or a customer. It contains the map with each cell's numbers, the map under\n"
       "a positioning error and under other distributions of friction, the trials with how they\n"
       "move and why they end, what matters for success, how the part lies in the hand, what the\n"
       "run was made of, and, where graspmap was built with it, the simulator itself: drag the\n"
       "gripper and see.\n"
       "The file asks for nothing from the network.\n",
       "  graspmap report outputs/lock_piece\n"
       "  graspmap report outputs/lock_piece --out lock_piece.html\n"
       "  graspmap report outputs/lock_piece --experiment lab.csv\n"
       "  graspmap report outputs/lock_piece --against outputs/strong\n"
       "  graspmap report outputs/shaft --design outputs/shaft_design\n",
       {{"out FILE", "write FILE, not RUNDIR/report.html"},
        {"experiment FILE.csv",
         "set the run against trials of a laboratory, as `graspmap compare` does"},
        {"columns LIST", "what its columns are called: x_mm=X,y_mm=Y,success=OK"},
        {"theta-rad T", "the angle of these trials, for a run with several angles"},
        {"compare-trials N",
         "simulate about N trials at the experiment's placements (default: as `graspmap compare`)"},
        {"against RUNDIR", "set the run against a second one, as `graspmap difference` does"},
        {"design DIR", "show the designs side by side that `graspmap design` has written to DIR"},
        {"trials N",
         "put at most N trials into the page, the first of each cell (default: 200000); counts and "
         "probabilities are those of all trials"},
        {"no-live", "leave the simulator out"},
        {"threads N", "threads for what is simulated for --experiment (default: all)"},
        {"quiet", "show no progress"}}},
      parsed(report_run)};
}

void draw_report(const fs::path& folder, const RunStore& store) {
  ReportRequest request;
  request.run = folder.string();
  save_report(store, request, folder / kReportFile);
}

}  // namespace graspmap
