#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/process/interrupt.hpp"
#include "grasp/show/story/given_trials.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/trials/progress.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr std::array kOneTrial = {"placement", "mu-jaw", "mu-support"};

CommandSyntax trial_syntax() {
  CommandSyntax syntax{
      "trial", "CONFIG",
      "Simulates one trial and explains it, or simulates all trials of a CSV file. A\n"
      "placement X,Y is where the gripper is, seen from the part, before it closes: the part\n"
      "starts at (-X, -Y) in the gripper's frame, turned by THETA. No noise of the\n"
      "configuration is added.\n",
      "  graspmap trial configs/lock_piece.toml --placement 0,-11 --mu-jaw 0.2 --mu-support 0.3\n"
      "  graspmap trial configs/lock_piece.toml --placement -3,-11,0.1 --mu-jaw 0.2 \\\n"
      "      --mu-support 0.3 --trajectory path.csv\n"
      "  graspmap trial configs/lock_piece.toml --trials trials.csv --out results.csv\n"};
  auto add = syntax.options.add_options();
  add("placement", po::value<std::string>()->value_name("X,Y[,THETA]"),
      "placement in mm, mm, rad; THETA may be left out when the configuration has one angle");
  add("mu-jaw", po::value<std::string>()->value_name("M"), "friction of part and jaws, >= 0");
  add("mu-support", po::value<std::string>()->value_name("M"), "friction of part and table, >= 0");
  add("trajectory", po::value<std::string>()->value_name("FILE.csv"), "write one row per step");
  add("json", "print the trial as JSON");
  add("trials", po::value<std::string>()->value_name("FILE.csv"),
      "the trials to run: columns x_mm, y_mm, theta_rad, mu_jaw, mu_support in any order; columns "
      "named by uncertain numbers (part.mass_kg) give their values, nominal without; other columns "
      "are copied");
  add("out", po::value<std::string>()->value_name("RESULT.csv"),
      "the results of --trials: the same rows and the outcomes");
  add("threads", po::value<std::string>()->value_name("N"), "threads for --trials (default: all)");
  add("quiet", "show no progress of --trials");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the configuration, or take it away (KEY=); may be repeated");
  return syntax;
}

/// Throws UsageError when an option is given that the other use of the command needs.
template <std::size_t n>
void refuse(const Arguments& arguments, const std::array<const char*, n>& options,
            const char* reason) {
  for (const char* option : options) {
    if (arguments.has(option)) arguments.fail(fmt::format("--{} {}", option, reason));
  }
}

TrialParameters one_trial(const Arguments& arguments, const SweepConfig& config) {
  const std::vector<double> placement = arguments.numbers("placement");
  if (placement.size() != 2 && placement.size() != 3) {
    arguments.fail(
        fmt::format("--placement: '{}'; must be X,Y or X,Y,THETA", arguments.text("placement")));
  }
  const Axis& angles = config.placement.theta_rad;
  if (placement.size() == 2 && !angles.is_fixed()) {
    arguments.fail(
        fmt::format("--placement: '{}'; the configuration has angles from {} to {} rad: "
                    "must be X,Y,THETA",
                    arguments.text("placement"), angles.min, angles.max));
  }
  const double theta = placement.size() == 3 ? placement[2] : angles.min;
  return {placement[0], placement[1], theta, arguments.number_at_least("mu-jaw", 0),
          arguments.number_at_least("mu-support", 0)};
}

void check_one_trial(const Arguments& arguments) {
  refuse(arguments, std::array{"out", "threads", "quiet"}, "goes with --trials only");
  for (const char* option : kOneTrial) {
    if (arguments.has(option)) continue;
    arguments.fail(fmt::format(
        "--{} is missing; give --placement, --mu-jaw and --mu-support, or --trials and --out",
        option));
  }
}

int explain_trial(const Arguments& arguments) {
  check_one_trial(arguments);
  const SweepConfig config = read_sweep_config(arguments.operand(), arguments.texts("set"));
  const TrialParameters parameters = one_trial(arguments, config);
  const bool keep = arguments.has("trajectory");
  if (keep) check_writable(arguments.text("trajectory"));
  const TrialStory story = tell_trial(config, parameters);
  if (keep) write_file_atomically(arguments.text("trajectory"), trajectory_csv(story.trajectory));
  std::cout << (arguments.has("json") ? trial_json(story, story.scenario)
                                      : trial_text(story, story.scenario));
  if (!config.uncertain.empty() && !arguments.has("json")) {
    std::cout << "\nThe uncertain numbers of the configuration have their nominal values.\n";
  }
  return 0;
}

void check_given_trials(const Arguments& arguments) {
  refuse(arguments, kOneTrial, "does not go with --trials");
  refuse(arguments, std::array{"trajectory", "json"}, "goes with one trial only");
  if (!arguments.has("out")) arguments.fail("--trials needs --out RESULT.csv");
  std::error_code ignored;
  if (fs::equivalent(arguments.text("trials"), arguments.text("out"), ignored)) {
    arguments.fail("--out is the file of --trials; the result must be another file");
  }
}

std::vector<GivenTrialResult> run_with_progress(const Arguments& arguments,
                                                const SweepConfig& config,
                                                const std::vector<TrialParameters>& trials,
                                                const std::vector<std::vector<double>>& uncertain,
                                                const std::atomic<int>& stop) {
  TrialCounters counters;
  const ProgressReporter progress(counters, static_cast<std::int64_t>(trials.size()),
                                  progress_style(arguments.has("quiet")), std::cerr);
  return run_given_trials(config, trials, {arguments.threads(), &stop, &counters}, uncertain);
}

int run_trials_of_file(const Arguments& arguments) {
  check_given_trials(arguments);
  const fs::path out = arguments.text("out");
  const SweepConfig config = read_sweep_config(arguments.operand(), arguments.texts("set"));
  const CsvTable table = read_csv(arguments.text("trials"));
  const std::vector<TrialParameters> trials = given_trials(table, config.scenario.gripper);
  const auto uncertain = given_uncertain(table, config);
  check_writable(out);
  std::optional<InterruptGuard> interrupt(std::in_place);
  const auto results = run_with_progress(arguments, config, trials, uncertain, interrupt->signal());
  if (results.size() < trials.size()) {
    std::cerr << fmt::format("graspmap: interrupted after {} of {} trials; nothing was written.\n",
                             results.size(), trials.size());
    return exit_code_of_signal(interrupt->signal());
  }
  interrupt.reset();
  write_file_atomically(out, given_trials_csv(table, results, config.scenario));
  if (!arguments.has("quiet")) {
    std::cerr << fmt::format("{} results in {}\n", results.size(), out.string());
  }
  return 0;
}

}  // namespace

int trial_command(const std::vector<std::string>& args) {
  const Arguments arguments(trial_syntax(), args);
  if (arguments.help_printed()) return 0;
  if (arguments.has("trials")) return run_trials_of_file(arguments);
  return explain_trial(arguments);
}

}  // namespace graspmap
