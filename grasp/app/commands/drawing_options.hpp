#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/solids/solid_drawing.hpp"

namespace graspmap {

/// The options by which commands read a drawing or a solid, and then those of the command.
Options with_drawing_options(std::initializer_list<std::pair<const char*, std::string>> own);

/// Reads the solid that the options ask for.
SolidDrawing read_solid_of(const Arguments& arguments, const std::filesystem::path& file);

/// What [hold] needs to know of a solid, as comment lines.
std::string hold_comment(const SolidDrawing& solid);

/// Fails when an option is given that is for solids only.
void refuse_solid_options(const Arguments& arguments);

}  // namespace graspmap
