#pragma once

#include <string>
#include <vector>

#include "bench/compare/comparison.hpp"
#include "grasp/base/pictures/figure.hpp"

namespace graspmap::bench {

/// The comparison in words and tables: the reference and which trials are robust, one row a
/// setting, the verdict, and what each engine cannot model.
std::string comparison_text(const Comparison& comparison);

/// The table of main_scores(), and what each engine cannot model, for a page in Markdown.
std::string comparison_markdown(const Comparison& comparison);

/// One row a setting.
std::string comparison_csv(const Comparison& comparison);

/// One row a trial: its parameters, the reference's outcome and final pose, and whether it is
/// robust. For peers elsewhere (bench/peers/npm).
std::string trials_csv(const Comparison& comparison);

/// One row a setting and robust trial whose outcome it gets wrong.
std::string wrong_trials_csv(const Comparison& comparison);

/// The settings with all their numbers, and where they were measured.
std::string comparison_json(const Comparison& comparison);

/// Trials per second against wrong outcomes, and against the error of the final pose.
Figure work_precision_figure(const Comparison& comparison);

}  // namespace graspmap::bench
