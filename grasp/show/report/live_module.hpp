#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// A file of the pages that this build made: "graspmap.wasm", the engine (web/engine), or
/// "studio.html" (web/studio). Looks where the build leaves them (GRASPMAP_LIVE_FOLDER), then in
/// ../share/graspmap beside the program. Nothing when it is in neither. Throws IoError when it is
/// there and cannot be read.
std::optional<std::string> find_web_file(const char* name);

/// The functions that a WebAssembly module asks its page for, by name, in the module's order.
/// Nothing when the bytes are no whole module (WebAssembly core specification 1.0, section 5.5).
std::optional<std::vector<std::string>> imported_functions(std::string_view module);

/// Why the page whose script is given cannot run a module: the bytes are no module, or the page
/// lacks functions that the module asks for. Empty when it can.
std::string why_page_cannot_run(std::string_view module, std::string_view page_script);

}  // namespace graspmap
