#include <filesystem>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/decide/compare/experiment_comparison.hpp"
#include "grasp/decide/compare/published_facts.hpp"
#include "grasp/decide/difference/run_difference.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

Analysis check_published_facts(const RunStore& run, const fs::path& file,
                               const CompareRequest& request) {
  const FactCheck check = check_run_facts(run, file, request);
  return {fact_check_text(check),
          {{"facts.csv", fact_check_table(check)}, {"facts.json", fact_check_fields(check)}},
          {}};
}

bool has_results(const Experiment& experiment) {
  return !experiment.single_trials.empty() || !experiment.cells.empty();
}

/// The predictions for an experiment none of whose trials has a result.
Analysis planned_alone(const RunStore& run, const Experiment& experiment,
                       const CompareRequest& request, const ShowTrials& show) {
  const ExperimentPrediction prediction = predict_run(run, experiment, request, show);
  return Analysis{
      "Nothing to compare: no trial has a result.\n" + planned_text(prediction),
      {{"compare.json",
        Object{
            {"run", run.config().name},
            {"experiment", Object{{"file", experiment.file},
                                  {"origin", name(experiment.origin)},
                                  {"source", experiment.source}}},
            {"agreement", Object{{"verdict", name(AgreementVerdict::kCannotTell)}, {"trials", 0}}},
            {"planned_placements", prediction.planned.size()}}},
       {"placements.csv", placements_table(prediction, experiment.sessions, request.confidence)}},
      {}};
}

std::vector<Figure> figures_of(const ExperimentComparison& comparison, const RunStore& run) {
  const Scenario& scenario = run.config().scenario;
  std::vector<Figure> figures = agreement_figures(comparison, scenario);
  if (!comparison.theta_rad && run.config().placement.theta_rad.cells == 1) {
    figures.push_back(experiment_figure(read_totals(run).map(), comparison, run.config()));
  }
  for (Figure& figure : comparison_figures(comparison, scenario))
    figures.push_back(std::move(figure));
  return figures;
}

Analysis analyse_comparison(const std::vector<std::string>& operands, const CompareRequest& request,
                            const AnalysisWatch& watch) {
  const RunStore run = open_stored_run(operands[0]);
  const fs::path file = operands[1];
  if (file.extension() == ".toml") return check_published_facts(run, file, request);
  const Experiment experiment = read_any_experiment(file, request);
  if (!has_results(experiment)) return planned_alone(run, experiment, request, watch.trials);
  const ExperimentComparison comparison = compare_run(run, experiment, request, watch.trials);
  const std::string next = is_experiment_file(file) ? next_step_text(comparison, run, request) : "";
  return {
      comparison_text(comparison) + next,
      {{"compare.csv", comparison_table(comparison)},
       {"compare.json", comparison_fields(comparison)},
       {"placements.csv", placements_table(comparison.prediction, comparison.experiment.sessions,
                                           comparison.confidence)}},
      figures_of(comparison, run)};
}

}  // namespace

AnalysisCommand compare_analysis() {
  return {
      {"compare", "compare a run with an experiment or with published facts", "RUNDIR EXPERIMENT",
       "Reports whether an experiment agrees with a run, differs, or cannot tell; by how much;\n"
       "and where. EXPERIMENT is one of\n"
       "  FILE.csv  lab trials. It begins with a line '# origin = measured' (or digitised,\n"
       "            simulated). A row for each trial, x_mm,y_mm,success, or for each cell,\n"
       "            x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes. A column theta_rad\n"
       "            gives angles; success may be yes or no, and empty where a trial is not yet\n"
       "            made: it is predicted in placements.csv. --columns names other columns;\n"
       "            fields may be separated by semicolons. A column session names trials with\n"
       "            the same friction: one pair of surfaces, one day.\n"
       "  RUNDIR    another run, finished or not, or a map.csv of graspmap\n"
       "  FILE.toml facts that are published in words\n"
       "Simulates the run's model at the experiment's own placements, with friction, noise and\n"
       "[uncertain] numbers from the run's distributions, so that trials on a lattice are\n"
       "compared correctly. It then tests the total, shifts, a turn, other friction, and\n"
       "differences by place, corrected for their number. 'Agrees within D points' is said\n"
       "when, at the confidence asked, neither the total nor any of these changes can make a\n"
       "larger difference. The table says which changes this experiment would have found.\n"
       "The exit code is 0 when the comparison was made, whatever it says.\n",
       "  graspmap compare outputs/lock_piece lab.csv\n"
       "  graspmap compare outputs/lock_piece lab.csv --within 5 --confidence 0.99\n"
       "  graspmap compare outputs/lock_piece outputs/other_friction\n"
       "  graspmap compare outputs/lock_piece configs/published/brost_christiansen_1996.toml\n"},
      "RUNDIR/compare",
      analyse_comparison};
}

namespace {

/// What a run is called: its folder's name, or the file's when it has another name than in a run
/// folder.
std::string name_of(const fs::path& store) {
  const fs::path run = run_of(fs::absolute(store).lexically_normal());
  return run.stem().empty() ? "run" : run.filename().string();
}

Analysis analyse_difference(const std::vector<std::string>& operands,
                            const DifferenceRequest& request, const AnalysisWatch& /*watch*/) {
  const RunStore a = open_stored_run(operands[0]);
  const RunStore b = open_stored_run(operands[1]);
  const RunDifference result = compare_runs(a, b, request);
  return {difference_text(result),
          {{"difference.csv", difference_table(result)},
           {"difference.json", difference_fields(result)}},
          difference_figures(result),
          {},
          a.file().parent_path() / "difference" / name_of(b.file())};
}

}  // namespace

AnalysisCommand difference_analysis() {
  return {
      {"difference", "compare two designs: where one succeeds more often", "RUN_A RUN_B",
       "Compares two designs on the same grid of placements: another jaw force, jaw shape,\n"
       "speed, part or friction. Shows how much more often B succeeds than A on the whole map,\n"
       "on the plateaus, at the sweet spots and in each cell, and in which cells chance does\n"
       "not explain it.\n"
       "Runs of the same seed have the same random numbers in each trial. They are compared\n"
       "in pairs, which is worth many times the trials. Runs of different seeds are\n"
       "compared as independent samples. Writes difference.csv, difference.json and a\n"
       "figure into RUN_A/difference/NAME_OF_B.\n",
       "  graspmap run configs/lock_piece.toml --out outputs/strong \\\n"
       "      --set gripper.closing_force_n=20\n"
       "  graspmap difference outputs/lock_piece outputs/strong\n"},
      "RUN_A/difference/NAME_OF_B",
      analyse_difference};
}

}  // namespace graspmap
