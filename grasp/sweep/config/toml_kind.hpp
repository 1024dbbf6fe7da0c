#pragma once

#include <toml++/toml.h>

#include <cstdint>

namespace graspmap {

/// The documents in TOML that graspmap's programs read.
enum class TomlKind : std::uint8_t { kSweep, kScene, kFacts };

/// Throws ConfigError when a document is plainly one of another kind: "FILE:LINE: body: this is a
/// scene, for graspmap-lab simulate; ...".
void check_toml_kind(const toml::table& document, TomlKind expected);

}  // namespace graspmap
