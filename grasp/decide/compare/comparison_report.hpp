#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/compare/experiment_comparison.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// For a person: whether run and experiment agree, by how much they differ, where; then the tests,
/// the sessions, the numbers of both maps and the worst cells.
std::string comparison_text(const ExperimentComparison& comparison);

/// compare.csv: one row per cell; docs/reference/formats.md lists the columns.
Table comparison_table(const ExperimentComparison& comparison);

/// compare.json: everything but the cells.
Object comparison_fields(const ExperimentComparison& comparison);

/// placements.csv: one row per placement (or cell) and session of the experiment; those that are
/// only planned come last. Intervals are of this confidence.
Table placements_table(const ExperimentPrediction& prediction,
                       const std::vector<std::string>& sessions, double confidence);

/// "Predicted in placements.csv: 12 placements without a result."; nothing without any.
std::string planned_text(const ExperimentPrediction& prediction);

/// The table of tests, and of sessions where there are any.
std::string agreement_tests_text(const ExperimentComparison& comparison);

/// "measured: Fig. 10a of ...": where an experiment's numbers come from.
std::string origin_text(ExperimentOrigin origin, const std::string& source);

/// "lock_piece", "lock_piece at 0.1 rad (5.73 degrees)".
std::string run_text(const std::string& run_name, const std::optional<double>& theta_rad);

/// The figures of a comparison, none where there is no grid: `comparison` (the maps of
/// experiment and run and their difference) and `comparison_3d` (the first two as 3-D histograms
/// side by side, of the cells with x >= 0 where there are any).
std::vector<Figure> comparison_figures(const ExperimentComparison& comparison,
                                       const Scenario& scenario);

/// The observed success against the predicted one and, where the cells form a grid, the map of
/// differences in standard deviations.
std::vector<Figure> agreement_figures(const ExperimentComparison& comparison,
                                      const Scenario& scenario);

/// Two maps side by side as such histograms, of the cells with x >= 0 or of all of them. NAME.csv
/// holds what is drawn, a table for each. Titles are any text.
struct HistogramPairInput {
  std::string name;  ///< of the files: letters, digits, '_'
  std::string title;
  std::string subtitle;
  std::string left_title;
  const SuccessMap& left;
  std::string right_title;
  const SuccessMap& right;
  bool only_right_half = true;  ///< the cells with x >= 0 only, where both maps have some
};

Figure histogram_pair_figure(const HistogramPairInput& input);

/// A figure for a paper, `experiment`: at the left the run's map (of one cell of angles) with the
/// experiment's placements, each in the colour of its observed share of successes; at the right the
/// observed share against the predicted one, in ten bins, with intervals.
Figure experiment_figure(const SuccessMap& run, const ExperimentComparison& comparison,
                         const SweepConfig& config);

}  // namespace graspmap
