#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/drawings/drawing.hpp"

namespace graspmap {

/// The options by which commands read a drawing, and then those of the command.
Options with_drawing_options(std::initializer_list<std::pair<const char*, std::string>> own);

/// Reads the drawing that the options ask for. Several outlines apart from each other must be asked
/// for with --bodies, unless `choose` chooses one of them, from 1; 0: it does not. Throws
/// UsageError, ConfigError.
using ChooseView = std::function<int(const std::vector<Outline>& regions)>;
Drawing read_drawing_of(const Arguments& arguments, const std::filesystem::path& file,
                        const ChooseView& choose = {});

/// The file's name as a piece of a part may be called, and differing from all of its elements.
std::string piece_name(const std::filesystem::path& file, const std::vector<Outline>& regions);

}  // namespace graspmap
