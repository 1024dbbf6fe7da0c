#include "grasp/decide/compare/comparison_report.hpp"

namespace graspmap {
namespace {

/// An estimate with its bounds beside it.
Object flat(const Estimate& estimate) {
  return {
      {"value", estimate.value}, {"low", estimate.interval.low}, {"high", estimate.interval.high}};
}

Object bounds(const Interval& interval) { return {{"low", interval.low}, {"high", interval.high}}; }

Object rectangle_fields(const Rectangle& cell) {
  return {{"x_min_mm", cell.x_min_mm},
          {"x_max_mm", cell.x_max_mm},
          {"y_min_mm", cell.y_min_mm},
          {"y_max_mm", cell.y_max_mm}};
}

Object total_fields(const SampleCounts& counts) {
  return {{"trials", counts.trials}, {"successes", counts.successes}, {"failed", counts.failed}};
}

Object left_out_fields(const LeftOut& left_out) {
  return {{"trials", left_out.trials}, {"cells", left_out.cells}};
}

Object test_fields(const TestResult& test) {
  return {{"p_value", test.p_value}, {"adjusted_p_value", test.adjusted_p}};
}

Object changes_fields(const Agreement& agreement) {
  Object changes;
  for (const ChangeResult& result : agreement.changes) {
    changes.add({key(result.change),
                 Object{{"estimate", flat(result.estimate)},
                        {"at_bound", result.at_bound, "the estimate is cut at a friction of 0"},
                        {"p_value", result.p_value},
                        {"adjusted_p_value", result.adjusted_p},
                        {"largest_effect", result.largest_effect,
                         "mean change of success that is not excluded"},
                        {"detectable_80", result.detectable_80, "found with 80 % probability"},
                        {"detectable_90", result.detectable_90}}});
  }
  return changes;
}

Object agreement_fields(const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  const ExperimentPrediction& prediction = comparison.prediction;
  const auto session_fields = [&](const SessionResult& session) {
    return Object{{"session", comparison.experiment.sessions[session.session]},
                  {"trials", session.trials},
                  {"successes", session.successes},
                  {"expected", session.expected},
                  {"expected_sd", session.expected_sd}};
  };
  Object fields{{"verdict", name(agreement.verdict),
                 "agrees, even if small differences are significant; differs; cannot tell"},
                {"within", agreement.within},
                {"smallest_within", agreement.smallest_within, "that agrees; 1: no such margin"},
                {"significant", agreement.significant, "a test found a difference"},
                {"p_value", agreement.p_value, "the smallest, corrected"},
                {"trials", agreement.trials},
                {"successes", agreement.successes},
                {"expected", agreement.expected, "successes, if the model is true"},
                {"expected_sd", agreement.expected_sd, "of the difference"},
                {"replicates", agreement.replicates, "simulated experiments"},
                {"simulated_at_placements", prediction.simulated},
                {"simulated_trials", prediction.simulated_trials},
                {"simulated_failed", prediction.failed},
                {"placements", prediction.placements, "different ones, or cells"},
                {"changes", changes_fields(agreement),
                 "each as if it were the only one; those known of level, shift_x_mm, shift_y_mm, "
                 "turn_rad, jaw_friction, support_friction"},
                {"places", test_fields(agreement.places)},
                {"between_sessions", maybe(agreement.between_sessions, test_fields)},
                {"mean_difference", agreement.mean_difference, "over cells: absolute, by trials"},
                {"mean_difference_by_chance", agreement.mean_by_chance},
                {"largest_mean_difference", agreement.largest_mean, "upper limit"}};
  if (agreement.sessions.empty()) return fields;
  fields.add({"session_widening", agreement.session_widening, "of the total's standard deviation"});
  fields.add({"sessions", list_of(agreement.sessions, session_fields)});
  return fields;
}

Object largest_fields(const CellComparison& cell) {
  return {rectangle_fields(cell.cell.bounds),
          {"run", flat(cell.cell.run_probability)},
          {"experiment", flat(cell.experiment)},
          {"difference", flat(cell.difference)},
          {"adjusted_p_value", cell.adjusted_p}};
}

Object map_fields(const MapNumbers& numbers) {
  Object fields{{"cells", numbers.cells},
                {"plateau_probability", numbers.plateau_probability},
                {"lines_from_x_mm", numbers.x_mm, "the run's sweet spot among the cells"},
                {"lines_from_y_mm", numbers.y_mm},
                {"replicates", numbers.replicates}};
  for (const MapNumber& number : numbers.numbers) {
    fields.add({number.key, Object{{"run", flat(number.run)},
                                   {"experiment", flat(number.experiment)},
                                   {"difference", flat(number.difference)},
                                   {"difference_by_chance", bounds(number.by_chance)}}});
  }
  fields.add({"sweet_spot_displacement_mm", flat(numbers.displacement_mm)});
  fields.add({"sweet_spot_displacement_by_chance_mm", bounds(numbers.displacement_by_chance_mm)});
  fields.add({"plateau_overlap", flat(numbers.plateau_overlap), "common / joint area"});
  fields.add({"plateau_overlap_by_chance", bounds(numbers.overlap_by_chance)});
  return fields;
}

}  // namespace

Table comparison_table(const ExperimentComparison& comparison) {
  return table_of<CellComparison>(comparison.cells, [](const CellComparison& row) {
    const SampleCounts& run = row.cell.run;
    const SampleCounts& experiment = row.cell.experiment;
    return Object{
        rectangle_fields(row.cell.bounds),
        {"run_trials", run.trials,
         "stored, without failed ones; effective if simulated or the cell is not the run's"},
        {"run_successes", run.successes},
        {"run_failed", run.failed},
        {"run_probability", row.cell.run_probability.value},
        {"run", row.cell.run_probability.interval, "failed trials widen it"},
        {"experiment_trials", experiment.trials},
        {"experiment_successes", experiment.successes},
        {"experiment_probability", row.experiment.value},
        {"experiment", row.experiment.interval, "Wilson's"},
        {"difference", estimate_fields(row.difference), "experiment - run, Newcombe's interval"},
        {"p_value", row.p_value, "Fisher's exact test"},
        {"adjusted_p_value", row.adjusted_p, "Benjamini and Hochberg"},
        {"significant", row.significant, "adjusted_p_value <= 1 - confidence"}};
  });
}

Object comparison_fields(const ExperimentComparison& comparison) {
  const HomogeneityTest& test = comparison.test;
  const Experiment& experiment = comparison.experiment;
  return {{"run", comparison.run_name},
          {"theta_rad", comparison.theta_rad, "the cell's, for a run with several angles"},
          {"experiment", Object{{"file", experiment.file},
                                {"origin", name(experiment.origin)},
                                {"source", experiment.source}}},
          {"confidence", comparison.confidence},
          {"cells_compared", comparison.cells.size()},
          {"are_cells_of_run", comparison.are_cells_of_run},
          {"run_total", total_fields(comparison.run_total)},
          {"experiment_total", total_fields(comparison.experiment_total)},
          {"outside", left_out_fields(comparison.outside), "not wholly on the map: left out"},
          {"unknown", left_out_fields(comparison.unknown),
           "the run covers less than half of the area: left out"},
          {"agreement", agreement_fields(comparison), "in probabilities, not percentage points"},
          {"same_process", Object{{"p_value", test.p_value},
                                  {"deviance", test.deviance},
                                  {"informative_cells", test.informative_cells},
                                  {"replicates", test.replicates},
                                  {"mean_difference", test.mean_difference},
                                  {"mean_difference_by_chance", test.mean_by_chance}}},
          {"cells_significant", comparison.significant.size()},
          {"typical_half_width", comparison.typical_half_width, "median, of differences"},
          {"largest_difference",
           maybe(comparison.largest,
                 [&](std::size_t cell) { return largest_fields(comparison.cells[cell]); }),
           "its cell, among those with 10 trials of both"},
          {"maps", maybe(comparison.numbers, map_fields),
           "if cells form a grid and some have 10 trials of both"}};
}

Table placements_table(const ExperimentPrediction& prediction,
                       const std::vector<std::string>& sessions, double confidence) {
  std::vector<PredictedSite> sites = prediction.sites;
  sites.insert(sites.end(), prediction.planned.begin(), prediction.planned.end());
  const auto& places = prediction.places;
  const double z = two_sided_z(confidence);
  return table_of<PredictedSite>(sites, [&](const PredictedSite& site) {
    const Place place = site.place < places.size() ? places[site.place] : Place{};
    return Object{{"x_mm", site.x_mm},
                  {"y_mm", site.y_mm},
                  {"theta_min_rad", place.theta_min_rad},
                  {"theta_max_rad", place.theta_max_rad},
                  {"session", sessions.empty() ? Value() : Value(sessions[site.session])},
                  {"trials", site.trials},
                  {"successes", site.successes},
                  {"simulated_trials", site.model.trials},
                  {"simulated_successes", site.model.successes},
                  {"simulated_failed", site.model.failed},
                  {"expected_probability", site.model.probability()},
                  {"expected", site.model.interval(z),
                   "of the simulation, failed trials widen it; for what is unknown: calibrate"}};
  });
}

}  // namespace graspmap
