#pragma once

#include <string>

#include "grasp/base/io/result.hpp"

namespace graspmap {

/// YAML 1.2 that readers of YAML 1.1 understand alike. Objects and lists of objects in blocks,
/// lists of plain values in one line; texts in double quotes; numbers have the fewest digits that
/// read back the same double, and a point, so that they are no integers. A field without a value is
/// left out.
std::string yaml_text(const Value& value);

}  // namespace graspmap
