#pragma once

#include <filesystem>

#include "geometry/mass_properties.hpp"
#include "geometry/part.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

inline constexpr NumberRange kExponents{.min = 2.0, .max = 100.0};

/// Reads the pieces of the table [part]; `folder` is where drawings are. Throws ConfigError.
Part read_part(const TomlTable& table, const std::filesystem::path& folder);

/// Reads how much larger the part of the scenario is than it is drawn, and makes it so. Throws
/// ConfigError.
void read_part_offset(const TomlTable& table, Scenario& scenario);

/// Reads the mass properties of the table [part], or computes them from density and thickness.
/// Checks the keys of the table, all of whose others have been read. Throws ConfigError.
MassProperties read_mass(const TomlTable& table, const Part& part);

}  // namespace graspmap
