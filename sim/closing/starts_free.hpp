#pragma once

#include "sim/closing/model.hpp"

namespace graspmap {

/// True when fingers and palm are clear of the part in a state: a trial that starts there is not
/// blocked.
bool starts_free(const Scenario& scenario, const State& state);

}  // namespace graspmap
