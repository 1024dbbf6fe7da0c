#include "grasp/decide/lab_plan/lab_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/lab_plan/lab_plan_report.hpp"
#include "grasp/decide/lab_plan/run_sheet.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

CommandSyntax lab_plan_syntax() {
  return {
      "lab-plan",
      "RUNDIR",
      "Plans an experiment in the laboratory: how many trials, and at which placements, for one\n"
      "of three goals. The power is checked by simulated experiments, judged as\n"
      "`graspmap compare` will judge the real one.\n"
      "  --detect CHANGE: find that the laboratory differs from the run by CHANGE: one of\n"
      "      jaw_friction=0.05, support_friction=-0.1 (the mean of the law), shift_x_mm=0.5,\n"
      "      shift_y_mm=0.5, turn_rad=0.02 (the robot is off), size_mm=1, size_percent=2.\n"
      "  --agree-within D: show that both agree within D percentage points, if the model is\n"
      "      right.\n"
      "  --learn PARAMETER --to-width W: know jaw_friction, support_friction, shift_x_mm,\n"
      "      shift_y_mm, turn_rad or level (points) with an interval at most W wide.\n"
      "Writes run_sheet.csv, randomised, to be filled in with success 0 or 1: it is then the\n"
      "EXPERIMENT of compare and calibrate; run_sheet.html, the same to print; lab_plan.json\n"
      "and figures.\n",
      "  graspmap lab-plan outputs/lock_piece --detect jaw_friction=0.05\n"
      "  graspmap lab-plan outputs/lock_piece --detect shift_y_mm=0.8 --placements informative\n"
      "  graspmap lab-plan outputs/lock_piece --agree-within 5 --power 0.9\n"
      "  graspmap lab-plan outputs/lock_piece --learn shift_y_mm --to-width 0.5\n",
      {{"detect KEY=NUMBER", "the change to find"},
       {"agree-within D", "the difference that is still agreement, in percentage points"},
       {"learn PARAMETER", "the parameter to know"},
       {"to-width W", "the widest interval, in the parameter's unit"},
       {"power P", "the share of experiments that reach the goal, 0.5 to 0.99 (default: 0.8)"},
       {"placements HOW",
        "spread over the map, or informative: mostly where a trial tells most (default: spread)"},
       {"sessions K",
        "blocks of trials: friction is constant within each, one pair of surfaces on one day "
        "(default: friction varies from trial to trial)"},
       {"trials-per-placement N", "so many trials at each placement (default: 1)"},
       {"seed N", "of placements, order and simulation (default: 1)"},
       {"experiments N", "experiments to simulate for the power, 200 to 20000 (default: 1000)"},
       {"threads N", "threads (default: all)"},
       {"quiet", "show no progress"}}};
}

LearnGoal read_learn(const Arguments& arguments) {
  if (!arguments.has("to-width")) arguments.fail("--learn needs --to-width W");
  std::vector<std::string> keys;
  for (const Change change : kChanges) keys.emplace_back(key(change));
  LearnGoal goal;
  goal.change = kChanges[arguments.word("learn", keys)];
  goal.width = arguments.number("to-width", "a number > 0",
                                [](double width) { return width > 0 && width <= 1e6; });
  if (goal.change == Change::kLevel) goal.width /= 100;
  return goal;
}

LabGoal read_goal(const Arguments& arguments) {
  const int goals = static_cast<int>(arguments.has("detect")) +
                    static_cast<int>(arguments.has("agree-within")) +
                    static_cast<int>(arguments.has("learn"));
  if (goals != 1) {
    arguments.fail(
        "must have one goal: --detect CHANGE, --agree-within D, or --learn PARAMETER --to-width W");
  }
  if (arguments.has("to-width") && !arguments.has("learn")) {
    arguments.fail("--to-width belongs to --learn");
  }
  if (arguments.has("detect")) {
    const auto change = arguments.named_number("detect");
    return DetectGoal{change ? lab_change(change->first, change->second)
                             : parse_lab_change(arguments.text("detect"))};
  }
  if (arguments.has("learn")) return read_learn(arguments);
  return AgreeGoal{arguments.number("agree-within", "percentage points > 0, at most 50",
                                    [](double points) { return points > 0 && points <= 50; }) /
                   100};
}

double read_power(const Arguments& arguments) {
  if (!arguments.has("power")) return 0.8;
  return arguments.number("power", "a number from 0.5 to 0.99",
                          [](double value) { return value >= 0.5 && value <= 0.99; });
}

PlacementChoice read_choice(const Arguments& arguments, const LabGoal& goal) {
  const std::vector<std::string> words{name(PlacementChoice::kSpread),
                                       name(PlacementChoice::kInformative)};
  if (arguments.word("placements", words) == 0) return PlacementChoice::kSpread;
  if (!has_informative_placements(goal)) {
    arguments.fail(
        "--placements informative: not for this goal, which is about success all over the map");
  }
  return PlacementChoice::kInformative;
}

LabQuestion read_question(const Arguments& arguments) {
  LabQuestion question;
  question.request = {read_goal(arguments), read_power(arguments), read_confidence(arguments)};
  question.choice = read_choice(arguments, question.request.goal);
  question.trials_per_placement = arguments.count("trials-per-placement", 1, 1, 1000);
  question.sessions = arguments.count("sessions", 0, 1, 1000);
  question.seed = static_cast<std::uint64_t>(arguments.count("seed", 1, 0, 1'000'000'000));
  question.experiments = arguments.count("experiments", 1000, 200, 20'000);
  return question;
}

std::vector<AnalysisFile> lab_plan_files(const LabPlan& plan, const SweepConfig& config) {
  LabDesign design = plan.answer.design;
  design.places.resize(plan.answer.placements());
  const std::vector<SheetRow> rows =
      run_sheet(design, plan.answer.search.trials, plan.question.seed);
  const std::string sentence = lab_plan_sentence(plan);
  const bool with_angle = !config.placement.theta_rad.is_fixed();
  return {{"run_sheet.csv", run_sheet_table(design, rows, with_angle,
                                            {"run sheet of graspmap lab-plan: " + plan.name,
                                             sentence, "success: 1 or 0 in each row"})},
          {"run_sheet.html", lab_page_html({config, design, rows, sentence + "."})},
          {"lab_plan.json", lab_plan_fields(plan)}};
}

Analysis analyse_lab_plan(const Arguments& arguments, const AnalysisWatch& watch) {
  const LabQuestion question = read_question(arguments);
  const RunStore store = open_stored_run(arguments);
  const SweepConfig& config = store.config();
  // A bar while trials are simulated, a line after simulated experiments.
  TrialCounters counters;
  std::shared_ptr<const void> bar;
  const LabPlanWatcher watcher{
      [&](std::int64_t trials) {
        bar.reset();
        if (trials == 0) return;
        for (auto& count : counters.by_outcome) count.store(0);
        bar = shown(watch.trials, counters, trials);
      },
      [&](PlacementChoice choice, const LabPower& power) {
        if (!watch.line) return;
        watch.line(fmt::format("{}: {} trials: power {} in {} simulated experiments\n",
                               name(choice), power.trials, percent(power.power()),
                               power.experiments));
      }};
  const auto plan =
      make_lab_plan(config, question, {}, {arguments.threads(), watch.stop, &counters}, watcher);
  if (!plan) throw AnalysisStopped();
  if (!plan->answer.search.found) throw ConfigError("lab-plan: " + unreachable_text(*plan));
  return {lab_plan_text(*plan), lab_plan_files(*plan, config), lab_plan_figures(*plan, config)};
}

}  // namespace

AnalysisCommand lab_plan_analysis() {
  return {lab_plan_syntax(), "RUNDIR/lab_plan", analyse_lab_plan};
}

}  // namespace graspmap
