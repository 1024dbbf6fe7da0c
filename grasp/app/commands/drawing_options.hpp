#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "grasp/app/commands/options.hpp"

namespace graspmap {

/// The options by which commands read a drawing, and then those of the command.
Options with_drawing_options(std::initializer_list<std::pair<const char*, std::string>> own);

}  // namespace graspmap
