#pragma once

#include <string>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/tolerances/tolerance_budget.hpp"

namespace graspmap {

/// For a person: the answer in words, then a table.
std::string budget_text(const ToleranceBudget& budget);
/// tolerances.json.
std::string budget_json(const ToleranceBudget& budget);
/// tolerances.csv: a row for each tolerance.
std::string budget_csv(const ToleranceBudget& budget);
/// tolerance_widths.gp draws tolerance_widths.png and .svg from tolerance_widths.csv.
Figure budget_figure(const ToleranceBudget& budget);

}  // namespace graspmap
