#include "grasp/show/report/report.hpp"

#include <fmt/format.h>

#include <iostream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/run_results.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kReportFile = "report.html";

CommandSyntax report_syntax() {
  CommandSyntax syntax{
      "report", "RUNDIR",
      "Writes one HTML file that answers questions about a run, offline, in any browser: to send\n"
      "to a colleague or a customer. In it are the map with each cell's numbers, the map under a\n"
      "positioning error and under other laws of friction, the trials with how they move and why\n"
      "they end, what matters for success, how the part lies in the hand, what the run was made\n"
      "of, and, where graspmap was built with it, the simulator itself: drag the gripper and see.\n"
      "The file asks for nothing from the network.\n",
      "  graspmap report outputs/lock_piece\n"
      "  graspmap report outputs/lock_piece --out lock_piece.html\n"
      "  graspmap report outputs/lock_piece --experiment lab.csv\n"
      "  graspmap report outputs/lock_piece --against outputs/strong\n"};
  auto add = syntax.options.add_options();
  add("out", po::value<std::string>()->value_name("FILE"), "write FILE, not RUNDIR/report.html");
  add("experiment", po::value<std::string>()->value_name("FILE.csv"),
      "set the run against trials of a laboratory, as `graspmap compare` does");
  add("theta-rad", po::value<std::string>()->value_name("T"),
      "the angle of these trials, for a run with several angles");
  add("compare-trials", po::value<std::string>()->value_name("N"),
      "simulate about N trials at the experiment's placements (default: as `graspmap compare`)");
  add("against", po::value<std::string>()->value_name("RUNDIR"),
      "set the run against a second one, as `graspmap difference` does");
  add("trials", po::value<std::string>()->value_name("N"),
      "put at most N trials into the page, the first of each cell (default: 200000); counts and "
      "probabilities are those of all trials");
  add("no-live", "leave the simulator out");
  add("threads", po::value<std::string>()->value_name("N"),
      "threads for what is simulated for --experiment (default: all)");
  add("quiet", "show no progress");
  return syntax;
}

ReportRequest read_report_request(const Arguments& arguments, const fs::path& store) {
  constexpr int kMostTrials = 10'000'000;
  ReportRequest request;
  request.run = run_of(store).string();
  request.live = !arguments.has("no-live");
  if (arguments.has("experiment")) request.experiment = arguments.text("experiment");
  if (arguments.has("theta-rad")) {
    if (!request.experiment) {
      arguments.fail("--theta-rad: is of an experiment; give --experiment FILE.csv");
    }
    request.experiment_theta_rad = parse_number(arguments.text("theta-rad"));
    if (!request.experiment_theta_rad) {
      arguments.fail(
          fmt::format("--theta-rad: '{}'; must be a number", arguments.text("theta-rad")));
    }
  }
  if (arguments.has("compare-trials")) {
    if (!request.experiment) {
      arguments.fail("--compare-trials: is of an experiment; give --experiment FILE.csv");
    }
    request.experiment_trials = arguments.count("compare-trials", 0, 100, 1'000'000'000);
  }
  if (arguments.has("against")) request.against = store_file(arguments.text("against"));
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

}  // namespace

int report_command(const std::vector<std::string>& args) {
  const Arguments arguments(report_syntax(), args);
  if (arguments.help_printed()) return 0;
  const fs::path file = store_file(arguments.operand());
  const ReportRequest request = read_report_request(arguments, file);
  const fs::path out =
      arguments.has("out") ? fs::path(arguments.text("out")) : file.parent_path() / kReportFile;
  check_writable(out);
  save_report(RunStore::open(file, RunStore::Access::kRead), request, out);
  return 0;
}

void draw_report(const fs::path& folder, const RunStore& store) {
  ReportRequest request;
  request.run = folder.string();
  save_report(store, request, folder / kReportFile);
}

}  // namespace graspmap
