#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {

/// The keys that a sweep configuration may have, sorted, each once. The readers themselves say
/// them: they read short documents, with each of the words that a key may have, and what they ask
/// for is kept. Elements of arrays have the index 0.
std::vector<AskedKey> sweep_keys();

/// The same, and besides the keys of the pieces and alternatives that a file has; without them when
/// it cannot be read.
std::vector<AskedKey> sweep_keys_for(const std::filesystem::path& file);

/// The keys that reading a document asks for, until an error. Files are looked for in `folder`.
std::vector<AskedKey> keys_asked_by_sweep(const toml::table& document,
                                          const std::filesystem::path& folder);

}  // namespace graspmap
