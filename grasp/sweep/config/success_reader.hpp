#pragma once

#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/success_rule.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// Reads the tables [[success]] of a scenario. Throws ConfigError.
std::vector<SuccessAlternative> read_success(const std::vector<TomlTable>& tables,
                                             const Scenario& scenario);

}  // namespace graspmap
