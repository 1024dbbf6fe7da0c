#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/io/request.hpp"
#include "grasp/sweep/setup/first_config.hpp"

namespace graspmap {

/// What options, or a page, say of a drawing and of a first configuration. All throw what
/// values.fail() throws, and ConfigError.

/// How they ask for a drawing to be read.
DrawingOptions read_drawing_options(const RequestValues& values);

/// Reads the drawing that the options ask for. Several outlines apart from each other must be asked
/// for with --bodies, unless `choose` chooses one of them, from 1; 0: it does not.
using ChooseView = std::function<int(const std::vector<Outline>& regions)>;
Drawing read_drawing_of(const RequestValues& values, const std::filesystem::path& file,
                        const ChooseView& choose = {});

/// The file's name as a piece of a part may be called, and differing from all of its elements.
std::string piece_name(const std::filesystem::path& file, const std::vector<Outline>& regions);

bool is_material(const std::string& name);

/// Sets what is given; the rest stays.
void read_first_answers(const RequestValues& values, FirstGrasp& grasp);

}  // namespace graspmap
