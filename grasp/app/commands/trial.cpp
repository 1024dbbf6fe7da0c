#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/show/story/given_trials.hpp"
#include "grasp/show/story/trial_drawing.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

TrialParameters one_trial(const Arguments& arguments, const SweepConfig& config) {
  const std::vector<double> placement = arguments.numbers("placement");
  if (placement.size() != 2 && placement.size() != 3) {
    arguments.refuse("placement", "X,Y or X,Y,THETA");
  }
  const Axis& angles = config.placement.theta_rad;
  if (placement.size() == 2 && !angles.is_fixed()) {
    arguments.fail(fmt::format(
        "--placement: '{}'; the configuration has angles from {} to {} rad: must be X,Y,THETA",
        arguments.text("placement"), angles.min, angles.max));
  }
  const double theta = placement.size() == 3 ? placement[2] : angles.min;
  const auto friction = [&](const char* option, const Distribution& distribution) {
    return arguments.has(option) ? arguments.number_at_least(option, 0) : distribution.mean();
  };
  return {placement[0], placement[1], theta, friction("mu-jaw", config.mu_jaw),
          friction("mu-support", config.mu_support)};
}

/// The drawing that --out asks for; nullptr without it.
TrialDrawing drawing(const Arguments& arguments) {
  if (!arguments.has("out")) return nullptr;
  const std::string& file = arguments.text("out");
  const TrialDrawing draw = drawing_for(file);
  if (draw == nullptr) arguments.refuse("out", "FILE.svg, FILE.png, FILE.gif or FILE.csv");
  check_writable(file);
  return draw;
}

int explain_trial(const Arguments& arguments) {
  arguments.refuse_any({"threads", "quiet"}, "goes with --trials only");
  if (!arguments.has("placement")) {
    arguments.fail("--placement is missing; give it, or --trials and --out");
  }
  const SweepConfig config = read_sweep_config(arguments.operand(), arguments.texts("set"));
  const TrialParameters parameters = one_trial(arguments, config);
  const TrialDrawing draw = drawing(arguments);
  const TrialStory story = tell_trial(config, parameters);
  if (draw != nullptr) {
    write_file_atomically(arguments.text("out"), draw(story, config.name));
  }
  if (arguments.has("json")) {
    std::cout << json_document(trial_fields(story));
    return 0;
  }
  std::cout << trial_text(story);
  if (!arguments.has("mu-jaw") || !arguments.has("mu-support")) {
    std::cout << fmt::format("\nFriction: jaws {:.6g}, table {:.6g}{}.\n", parameters.mu_jaw,
                             parameters.mu_support,
                             config.mu_jaw.is_fixed() && config.mu_support.is_fixed()
                                 ? ""
                                 : "; what is not given is the mean of its distribution");
  }
  if (!config.uncertain.empty()) {
    std::cout << "\nThe uncertain numbers of the configuration have their nominal values.\n";
  }
  return 0;
}

void check_given_trials(const Arguments& arguments) {
  arguments.refuse_any({"placement", "mu-jaw", "mu-support"}, "does not go with --trials");
  arguments.refuse_any({"json"}, "goes with one trial only");
  if (!arguments.has("out")) arguments.fail("--trials needs --out RESULT.csv");
}

int run_trials_of_file(const Arguments& arguments) {
  check_given_trials(arguments);
  const fs::path out = arguments.text("out");
  const SweepConfig config = read_sweep_config(arguments.operand(), arguments.texts("set"));
  const CsvTable table = read_csv(arguments.text("trials"));
  const std::vector<TrialParameters> trials = given_trials(table, config);
  const auto uncertain = given_uncertain(table, config);
  check_writable(out);
  std::optional<InterruptGuard> interrupt(std::in_place);
  std::vector<GivenTrialResult> results;
  {
    TrialCounters counters;
    const ProgressReporter progress(counters, static_cast<std::int64_t>(trials.size()),
                                    progress_style(arguments.has("quiet")), std::cerr);
    results = run_given_trials(config, trials,
                               {arguments.threads(), &interrupt->signal(), &counters}, uncertain);
  }
  if (results.size() < trials.size()) {
    std::cerr << fmt::format("graspmap: interrupted after {} of {} trials; nothing was written.\n",
                             results.size(), trials.size());
    return exit_code_of_signal(interrupt->signal());
  }
  interrupt.reset();
  write_file_atomically(out, given_trials_csv(table, results, config));
  if (!arguments.has("quiet")) {
    std::cerr << fmt::format("{} results in {}\n", results.size(), out.string());
  }
  return 0;
}

int simulate_trials(const Arguments& arguments) {
  if (arguments.has("trials")) return run_trials_of_file(arguments);
  return explain_trial(arguments);
}

}  // namespace

Command trial_command() {
  return {
      {"trial",
       "simulate one trial and explain it, or a file of trials",
       "CONFIG",
       "Simulates one trial and explains it, or simulates all trials of a CSV file. A\n"
       "placement X,Y is where the gripper is, seen from the part, before it closes: the part\n"
       "starts at (-X, -Y) in the gripper's frame, turned by THETA. No noise of the\n"
       "configuration is added. Friction that is not given is the mean of its distribution.\n",
       "  graspmap trial configs/lock_piece.toml --placement 0,-11 --out trial.svg\n"
       "  graspmap trial configs/lock_piece.toml --placement -3,-11,0.1 --mu-jaw 0.2 \\\n"
       "      --mu-support 0.3 --out path.csv\n"
       "  graspmap trial configs/lock_piece.toml --trials trials.csv --out results.csv\n",
       {{"placement X,Y[,THETA]",
         "placement in mm, mm, rad; THETA may be left out when the configuration has one angle"},
        {"mu-jaw M", "friction of part and jaws, >= 0 (default: friction.jaw, on average)"},
        {"mu-support M",
         "friction of part and table, >= 0 (default: friction.support, on average)"},
        {"json", "print the trial as JSON"},
        {"trials FILE.csv",
         "the trials to run: columns x_mm, y_mm, theta_rad, mu_jaw, mu_support in any order; "
         "columns named by uncertain numbers (part.mass_kg) give their values, nominal without; "
         "other columns are copied"},
        {"out FILE",
         "draw the trial: FILE.svg (a strip of its key moments), FILE.png (its end), FILE.gif (an "
         "animation) or FILE.csv (the trajectory); of --trials the file of results, the same rows "
         "and the outcomes"},
        {"threads N", "threads for --trials (default: all)"},
        {"quiet", "show no progress of --trials"},
        {"set KEY=VALUE ...",
         "override a key of the configuration, or take it away (KEY=); may be repeated"}}},
      parsed(simulate_trials),
      keys_of_sweep};
}

namespace {

void check_combination(const Arguments& arguments) {
  const bool has_trial = arguments.operands().size() > 1;
  if (has_trial) arguments.refuse_any({"worst", "cell", "outcome"}, "does not go with TRIAL");
  if (arguments.has("worst")) {
    arguments.refuse_any({"cell", "outcome", "out", "json"}, "does not go with --worst");
  }
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

TrialChoice read_choice(const Arguments& arguments) {
  TrialChoice choice{read_trial(arguments), std::nullopt, read_outcome(arguments)};
  if (!arguments.has("cell")) return choice;
  const std::vector<double> numbers = arguments.numbers("cell");
  if (numbers.size() != 2 && numbers.size() != 3) {
    arguments.refuse("cell", "X,Y in mm, or X,Y,THETA in mm, mm, rad");
  }
  choice.placement_mm = Vec2(numbers[0], numbers[1]);
  if (numbers.size() == 3) choice.theta_rad = numbers[2];
  return choice;
}

/// Prints a trial; differences go to standard error, first of all.
void tell(const RunStore& store, const Reproduction& reproduction, bool as_json) {
  const TrialRow& row = reproduction.story.row;
  const std::string run = run_of(store.file()).string();
  const bool exact = reproduction.is_exact();
  if (!exact) {
    std::cerr << fmt::format(
        "graspmap: trial {} of {} is not reproduced: {} of {} fields differ\n{}", row.index, run,
        reproduction.differences.size(), kTrialFields, difference_text(reproduction, store));
  }
  if (as_json) {
    std::cout << json_document(trial_fields(reproduction.story)) << std::flush;
    return;
  }
  const TrialParameters& p = row.parameters;
  std::cout
      << fmt::format(
             "trial {} of {}: {}\n", row.index, run,
             exact ? "reproduced to the last bit" : "not reproduced; this is how it runs now")
      << fmt::format(
             "placement ({:.6g}, {:.6g}) mm, {:.6g} rad; friction: jaws {:.6g}, table {:.6g}\n",
             p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support)
      << trial_text(reproduction.story) << std::flush;
}

int replay_trial(const Arguments& arguments) {
  const TrialDrawing draw = drawing(arguments);  // a bad ending is reported before anything is run
  const TrialChoice choice = read_choice(arguments);
  const RunStore store = open_stored_run(arguments.operand());
  const TrialRow stored = chosen_trial(store, choice);
  const Reproduction reproduction = reproduce(store.config(), stored);
  tell(store, reproduction, arguments.has("json"));
  if (draw != nullptr) {
    const std::string title = fmt::format("{}, trial {}", store.config().name, stored.index);
    write_file_atomically(arguments.text("out"), draw(reproduction.story, title));
  }
  return reproduction.is_exact() ? 0 : kExitNotReproduced;
}

int list_worst(const Arguments& arguments) {
  const auto count = static_cast<std::size_t>(arguments.count("worst", 0, 1, 10'000));
  const RunStore store = open_stored_run(arguments.operand());
  const std::vector<TrialRow> worst = worst_trials(store, count);
  if (worst.empty()) {
    throw config_error({run_of(store.file()).string()}, "", "has no trials yet");
  }
  std::cout << trial_list_text(worst)
            << fmt::format("\nTo replay the first:\n  {}\n",
                           replay_line(program_of(store.config().scenario), run_of(store.file()),
                                       worst.front().index));
  return 0;
}

int replay_trials(const Arguments& arguments) {
  check_combination(arguments);
  return arguments.has("worst") ? list_worst(arguments) : replay_trial(arguments);
}

}  // namespace

Command replay_command() {
  return {
      {"replay",
       "simulate a trial of a run again, check its bits, explain and draw it",
       "RUNDIR [TRIAL]",
       "Simulates one trial of a run again, checks that all stored values come out the\n"
       "same to the last bit (exit code 3 if not), explains the trial and draws it. TRIAL\n"
       "is its index; --cell and --outcome pick an example; --worst lists the trials with\n"
       "the largest residuals.\n",
       "  graspmap replay outputs/lock_piece 1234\n"
       "  graspmap replay outputs/lock_piece 1234 --out trial.svg        # a strip of pictures\n"
       "  graspmap replay outputs/lock_piece --cell 0,-2 --outcome wedged --out trial.gif\n"
       "  graspmap replay outputs/lock_piece --worst 10\n",
       {{"out FILE",
         "draw the trial: FILE.svg (a strip of its key moments), FILE.png (its end), FILE.gif (an "
         "animation) or FILE.csv (the trajectory, one row per step)"},
        {"json", "print the trial as JSON"},
        {"cell X,Y[,THETA]",
         "replay the first trial of the cell that holds this placement in mm, mm, rad; without "
         "THETA, at any angle"},
        {"outcome WORD",
         "replay the first trial with this outcome: success, wedged, missed, timeout, blocked, "
         "failed"},
        {"worst N", "list the N trials with the largest residuals"}}},
      parsed(replay_trials)};
}

}  // namespace graspmap
