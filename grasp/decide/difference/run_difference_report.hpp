#pragma once

#include <string>

#include "grasp/decide/difference/run_difference.hpp"

namespace graspmap {

/// For a person: the answer first, then what differs and how the trials are paired, then a table.
std::string difference_text(const RunDifference& result);

/// difference.csv: a row per cell, x fastest.
std::string difference_csv(const RunDifference& result);

/// difference.json: the same as the text, in numbers.
std::string difference_json(const RunDifference& result);

}  // namespace graspmap
