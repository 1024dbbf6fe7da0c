#pragma once

#include <optional>
#include <string>

#include "grasp/decide/compare/experiment_comparison.hpp"

namespace graspmap {

/// For a person: whether run and experiment agree, by how much they differ, where; then the tests,
/// the sessions, the numbers of both maps and the worst cells.
std::string comparison_text(const ExperimentComparison& comparison);

/// compare.csv: one row per cell; docs/reference/formats.md lists the columns.
std::string comparison_csv(const ExperimentComparison& comparison);

/// compare.json: everything but the cells.
std::string comparison_json(const ExperimentComparison& comparison);

/// placements.csv: one row per placement (or cell) and session of the experiment.
std::string placements_csv(const ExperimentComparison& comparison);

/// The verdict, the total at the experiment's own placements, and what agreement is shown.
std::string agreement_verdict_text(const Agreement& agreement);

/// The table of tests, and of sessions where there are any.
std::string agreement_tests_text(const ExperimentComparison& comparison);

/// "measured: Fig. 10a of ...": where an experiment's numbers come from.
std::string origin_text(ExperimentOrigin origin, const std::string& source);

/// "lock_piece", "lock_piece at 0.1 rad (5.73 degrees)".
std::string run_text(const std::string& run_name, const std::optional<double>& theta_rad);

/// "0.043", "< 0.0001" with the smallest that can be told.
std::string p_value_text(double p_value);

}  // namespace graspmap
