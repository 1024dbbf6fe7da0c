#include <fmt/format.h>

#include <initializer_list>
#include <iostream>
#include <optional>

#include "grasp/app/commands/analysis_options.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/show/story/reproduction.hpp"
#include "grasp/show/story/trial_drawing.hpp"
#include "grasp/show/story/trial_list.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/trial_choice.hpp"
#include "grasp/sweep/store/trial_search.hpp"
#include "sim/closing/grasp_stepper.hpp"

namespace graspmap {
namespace po = boost::program_options;
namespace {

CommandSyntax replay_syntax() {
  CommandSyntax syntax{
      "replay", "RUNDIR [TRIAL]",
      "Simulates one trial of a run again, checks that all stored values come out the\n"
      "same to the last bit (exit code 3 if not), explains the trial and draws it. TRIAL\n"
      "is its index; --cell and --outcome pick an example; --worst lists the trials with\n"
      "the largest residuals.\n",
      "  graspmap replay outputs/lock_piece 1234\n"
      "  graspmap replay outputs/lock_piece 1234 --out trial.svg        # a strip of pictures\n"
      "  graspmap replay outputs/lock_piece --cell 0,-2 --outcome wedged --out trial.gif\n"
      "  graspmap replay outputs/lock_piece --worst 10\n"};
  auto add = syntax.options.add_options();
  add("out", po::value<std::string>()->value_name("FILE"),
      "draw the trial: FILE.svg (a strip of its key moments), FILE.gif (an animation) or FILE.csv "
      "(the trajectory, one row per step)");
  add("json", "print the trial as JSON");
  add("cell", po::value<std::string>()->value_name("X,Y[,THETA]"),
      "replay the first trial of the cell that holds this placement in mm, mm, rad; without THETA, "
      "at any angle");
  add("outcome", po::value<std::string>()->value_name("WORD"),
      "replay the first trial with this outcome: success, wedged, missed, timeout, blocked, "
      "failed");
  add("worst", po::value<std::string>()->value_name("N"),
      "list the N trials with the largest residuals");
  return syntax;
}

/// The drawing that --out asks for.
TrialDrawing drawing(const Arguments& arguments) {
  const TrialDrawing draw = drawing_for(arguments.text("out"));
  if (draw != nullptr) return draw;
  arguments.fail(
      fmt::format("--out: '{}'; must end with .svg, .gif or .csv", arguments.text("out")));
}

/// Throws UsageError when an option is given that does not go with what else is given.
void refuse(const Arguments& arguments, std::initializer_list<const char*> options,
            const char* other) {
  for (const char* option : options) {
    if (arguments.has(option)) {
      arguments.fail(fmt::format("--{} does not go with {}", option, other));
    }
  }
}

void check_combination(const Arguments& arguments) {
  const bool has_trial = arguments.operands().size() > 1;
  if (has_trial) refuse(arguments, {"worst", "cell", "outcome"}, "TRIAL");
  if (arguments.has("worst")) refuse(arguments, {"cell", "outcome", "out", "json"}, "--worst");
  if (has_trial || arguments.has("worst") || arguments.has("cell") || arguments.has("outcome")) {
    return;
  }
  arguments.fail("TRIAL is missing; give it, or --cell, --outcome or --worst");
}

/// The trial that is named; nothing when it is to be searched for.
std::optional<std::int64_t> read_trial(const Arguments& arguments) {
  if (arguments.operands().size() < 2) return std::nullopt;
  const std::string& text = arguments.operands()[1];
  const std::optional<std::int64_t> index = parse_integer(text);
  if (!index) arguments.fail(fmt::format("TRIAL: '{}'; must be a whole number >= 0", text));
  return index;
}

void read_cell(const Arguments& arguments, TrialChoice& choice) {
  const std::vector<double> numbers = arguments.numbers("cell");
  if (numbers.size() != 2 && numbers.size() != 3) {
    arguments.fail(fmt::format("--cell: '{}'; must be X,Y in mm, or X,Y,THETA in mm, mm, rad",
                               arguments.text("cell")));
  }
  choice.placement_mm = Vec2(numbers[0], numbers[1]);
  if (numbers.size() == 3) choice.theta_rad = numbers[2];
}

TrialChoice read_choice(const Arguments& arguments) {
  TrialChoice choice{read_trial(arguments), std::nullopt, read_outcome(arguments)};
  if (arguments.has("cell")) read_cell(arguments, choice);
  return choice;
}

/// What was drawn for a trial, as one line.
std::string parameters_text(const TrialParameters& parameters) {
  return fmt::format(
      "placement ({:.6g}, {:.6g}) mm, {:.6g} rad; friction: jaws {:.6g}, table {:.6g}",
      parameters.placement_x_mm, parameters.placement_y_mm, parameters.theta_rad, parameters.mu_jaw,
      parameters.mu_support);
}

void tell_person(const RunStore& store, const Reproduction& reproduction) {
  const TrialRow& row = reproduction.story.row;
  const char* verdict = reproduction.is_exact() ? "reproduced to the last bit"
                                                : "not reproduced; this is how it runs now";
  std::cout << fmt::format("trial {} of {}: {}\n{}\n", row.index, run_of(store.file()).string(),
                           verdict, parameters_text(row.parameters))
            << trial_text(reproduction.story, reproduction.story.scenario) << std::flush;
}

/// Prints a trial; differences go to standard error, first of all.
void tell(const RunStore& store, const Reproduction& reproduction, bool as_json) {
  if (!reproduction.is_exact()) {
    std::cerr << fmt::format(
        "graspmap: trial {} of {} is not reproduced: {} of {} fields differ\n{}",
        reproduction.story.row.index, run_of(store.file()).string(),
        reproduction.differences.size(), kTrialFields, difference_text(reproduction, store));
  }
  if (as_json) {
    std::cout << trial_json(reproduction.story, reproduction.story.scenario) << std::flush;
  } else {
    tell_person(store, reproduction);
  }
}

void draw(const Arguments& arguments, const SweepConfig& config, const TrialStory& story) {
  const std::string title = fmt::format("{}, trial {}", config.name, story.row.index);
  write_file_atomically(arguments.text("out"), drawing(arguments)(story, story.scenario, title));
}

/// Throws ConfigError when this program cannot simulate the trials of a run.
void check_has_stepper(const RunStore& store) {
  const StepperKind stepper = store.config().scenario.stepper;
  if (has_stepper(stepper)) return;
  throw ConfigError(fmt::format("{}: was simulated with the stepper \"{}\"; {} replay does it",
                                run_of(store.file()).string(), name(stepper),
                                program_with(stepper)));
}

int replay_trial(const Arguments& arguments) {
  const bool drawn = arguments.has("out");
  if (drawn) static_cast<void>(drawing(arguments));  // a bad ending is told before anything is run
  const TrialChoice choice = read_choice(arguments);
  const RunStore store = RunStore::open(store_file(arguments.operand()), RunStore::Access::kRead);
  check_has_stepper(store);
  const TrialRow stored = chosen_trial(store, choice);
  if (drawn) check_writable(arguments.text("out"));
  const Reproduction reproduction = reproduce(store.config(), stored);
  tell(store, reproduction, arguments.has("json"));
  if (drawn) draw(arguments, store.config(), reproduction.story);
  return reproduction.is_exact() ? 0 : kExitNotReproduced;
}

std::size_t read_count(const Arguments& arguments) {
  constexpr std::int64_t kMost = 10'000;
  const std::optional<std::int64_t> count = parse_integer(arguments.text("worst"));
  if (!count || *count < 1 || *count > kMost) {
    arguments.fail(fmt::format("--worst: '{}'; must be a whole number from 1 to {}",
                               arguments.text("worst"), kMost));
  }
  return static_cast<std::size_t>(*count);
}

int list_worst(const Arguments& arguments) {
  const std::size_t count = read_count(arguments);
  const RunStore store = RunStore::open(store_file(arguments.operand()), RunStore::Access::kRead);
  const std::vector<TrialRow> worst = worst_trials(store, count);
  if (worst.empty()) {
    throw ConfigError(fmt::format("{}: has no trials yet", run_of(store.file()).string()));
  }
  std::cout << trial_list_text(worst)
            << fmt::format("\nTo replay the first:\n  {}\n",
                           replay_line(store.config().scenario.stepper, run_of(store.file()),
                                       worst.front().index));
  return 0;
}

}  // namespace

int replay_command(const std::vector<std::string>& args) {
  const Arguments arguments(replay_syntax(), args);
  if (arguments.help_printed()) return 0;
  check_combination(arguments);
  return arguments.has("worst") ? list_worst(arguments) : replay_trial(arguments);
}

}  // namespace graspmap
