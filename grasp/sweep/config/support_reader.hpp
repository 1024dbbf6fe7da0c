#pragma once

#include "geometry/mass_properties.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// Reads [support]. A radius that is left out is that of uniform pressure; loads that are left out
/// are those of statics. Throws ConfigError.
SupportModel read_support(const TomlTable& table, const Part& part, const MassProperties& mass);

}  // namespace graspmap
