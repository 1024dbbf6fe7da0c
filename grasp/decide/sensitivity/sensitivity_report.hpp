#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"

namespace graspmap {

/// For a person: the answer first, then a table of the inputs.
std::string sensitivity_text(const Sensitivity& result, double confidence);

/// sensitivity.csv: a row per cell, x fastest, with the effects of all inputs in it.
Table sensitivity_table(const Sensitivity& result);

/// halved.csv: a row for the laws as they are, and one for each input whose law is half as wide.
/// For a result that has them.
Table halved_table(const Sensitivity& result);

/// sensitivity.json: the same as the text, in numbers.
Object sensitivity_fields(const Sensitivity& result, double confidence);

/// "the whole map", "placements around (0, -7) mm with errors of 2 and 2 mm".
std::string subject(const Sensitivity& result);

/// A bar chart of the effects of all inputs with their intervals, where they are known, and a map
/// of each input's total effect in the cells.
std::vector<Figure> sensitivity_figures(const Sensitivity& result, const SweepConfig& config,
                                        double confidence);

}  // namespace graspmap
