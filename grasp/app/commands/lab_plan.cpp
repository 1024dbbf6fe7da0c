#include "grasp/decide/lab_plan/lab_plan.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/lab_plan/run_sheet.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {
namespace {

/// Throws ConfigError where a run sheet is there that the laboratory has begun to fill in.
void check_not_filled_in(const std::filesystem::path& sheet) {
  if (!std::filesystem::exists(sheet) || read_experiment(sheet, {}, false).single_trials.empty()) {
    return;
  }
  throw config_error(
      {sheet.string()}, "success",
      "has a result of the laboratory; move the run sheet away, or give --out another folder");
}

std::vector<ResultFile> lab_plan_files(const LabPlan& plan, const SweepConfig& config) {
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

Analysis analyse_lab_plan(const std::vector<std::string>& operands, const LabPlanRequest& request,
                          const AnalysisWatch& watch) {
  const RunStore store = open_stored_run(operands.front());
  const SweepConfig& config = store.config();
  const std::filesystem::path beside = store_file(operands.front()).parent_path() / "lab_plan";
  check_not_filled_in((watch.out.empty() ? beside : watch.out) / "run_sheet.csv");
  // A bar while trials are simulated, a line after simulated experiments.
  TrialCounters counters;
  std::shared_ptr<const void> bar;
  TimeLeft time(watch);
  const LabPlanWatcher watcher{
      [&](std::int64_t trials, std::int64_t left) {
        bar.reset();
        time.tell(static_cast<double>(left));
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
  const LabPlan plan =
      lab_plan_run(store, request, {request.threads, watch.stop, &counters}, watcher);
  return {lab_plan_text(plan), lab_plan_files(plan, config), lab_plan_figures(plan, config)};
}

}  // namespace

AnalysisCommand lab_plan_analysis() {
  return {
      {"lab-plan", "plan an experiment: how many trials, where, and the sheet to fill in", "RUNDIR",
       "Plans an experiment in the laboratory: how many trials, and at which placements, for one\n"
       "of four goals. The power is checked by simulated experiments, judged as\n"
       "`graspmap compare` will judge the real one.\n"
       "  --detect CHANGE: find that the laboratory differs from the run by CHANGE: one of\n"
       "      jaw_friction=0.05, support_friction=-0.1 (the mean), shift_x_mm=0.5,\n"
       "      shift_y_mm=0.5, turn_rad=0.02 (the robot is off), size_mm=1, size_percent=2.\n"
       "  --agree-within D: show that both agree within D percentage points, if the model is\n"
       "      right.\n"
       "  --learn PARAMETER --to-width W: know jaw_friction, support_friction, shift_x_mm,\n"
       "      shift_y_mm, turn_rad or level (points) with an interval at most W wide.\n"
       "  --trials N: you have N trials: what can they show?\n"
       "Placements at which the open fingers would overlap the part are left out.\n"
       "Writes run_sheet.csv, randomised, to be filled in with success 0 or 1: it is then the\n"
       "EXPERIMENT of compare and calibrate; run_sheet.html, the same to print; lab_plan.json\n"
       "and figures.\n",
       "  graspmap lab-plan outputs/lock_piece --detect jaw_friction=0.05\n"
       "  graspmap lab-plan outputs/lock_piece --detect shift_y_mm=0.8 --placements informative\n"
       "  graspmap lab-plan outputs/lock_piece --agree-within 5 --power 0.9\n"
       "  graspmap lab-plan outputs/lock_piece --learn shift_y_mm --to-width 0.5\n"
       "  graspmap lab-plan outputs/lock_piece --trials 60\n"},
      "RUNDIR/lab_plan",
      analyse_lab_plan};
}

}  // namespace graspmap
