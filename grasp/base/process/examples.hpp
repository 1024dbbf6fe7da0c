#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace graspmap {

/// The folder of the examples that came with the running program: share/graspmap/configs beside the
/// folder of an installed program, or configs/ of the repository that it was built in. Nothing when
/// there is neither.
std::optional<std::filesystem::path> examples_folder();

/// "; an example of this name is FILE" for a path at which there is no file, if there is such an
/// example, with or without ".toml"; else "". For messages.
std::string example_hint(const std::filesystem::path& path);

/// `name` in the current folder's configs/ if that has it, else in that of the examples.
std::filesystem::path example_path(const std::filesystem::path& name);

}  // namespace graspmap
