#pragma once

#include <optional>
#include <string>

namespace graspmap {

/// The simulator for a page: graspmap_live.wasm and the JavaScript that starts it.
struct LiveModule {
  std::string wasm;
  std::string javascript;  ///< a module that leaves `makeSimulator` in globalThis
};

/// Looks where the build was told that it lies (GRASPMAP_LIVE_FOLDER), then in ../share/graspmap
/// beside the program. Nothing when it is in neither. Throws IoError when it is there and cannot be
/// read.
std::optional<LiveModule> find_live_module();

}  // namespace graspmap
