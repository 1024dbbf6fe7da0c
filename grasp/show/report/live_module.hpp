#pragma once

#include <optional>
#include <string>

namespace graspmap {

/// The simulator for a page, WebAssembly (grasp/show/report/live). Looks where the build leaves it
/// (GRASPMAP_LIVE_FOLDER), then in ../share/graspmap beside the program. Nothing when it is in
/// neither. Throws IoError when it is there and cannot be read.
std::optional<std::string> find_live_module();

}  // namespace graspmap
