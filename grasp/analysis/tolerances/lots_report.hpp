#pragma once

#include <string>

#include "grasp/analysis/tolerances/lots.hpp"
#include "grasp/io/json.hpp"

namespace graspmap {

/// For a person: the next part, the next lot.
std::string lots_text(const LotSuccess& lots);
/// The fields of an object in a JSON document.
void write_lots(JsonWriter& json, const LotSuccess& lots);

}  // namespace graspmap
