#pragma once

#include <string>

#include "grasp/base/io/json.hpp"
#include "grasp/decide/tolerances/lots.hpp"

namespace graspmap {

/// For a person: the next part, the next lot.
std::string lots_text(const LotSuccess& lots);
/// The fields of an object in a JSON document.
void write_lots(JsonWriter& json, const LotSuccess& lots);

}  // namespace graspmap
