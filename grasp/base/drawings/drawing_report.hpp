#pragma once

#include <optional>
#include <string>

#include "grasp/base/drawings/drawing.hpp"

namespace graspmap {

/// What was understood of a drawing, for a person: a few lines, each of one fact. `kg_per_mm2` is
/// density times thickness, for the mass.
std::string drawing_text(const Drawing& drawing, const std::string& file,
                         std::optional<double> kg_per_mm2);

}  // namespace graspmap
