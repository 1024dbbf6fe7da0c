#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace graspmap {

/// The version of the program, as in CMakeLists.txt.
const char* version();

/// What the program was built with: compiler, build type, sanitizers: "GNU 12.2.0, Release".
const char* build_text();

/// The git commit that the program was built from, with "-modified" when files differed from it;
/// "unknown" outside a git checkout.
const char* git_commit();

/// The folder of the examples that came with the running program: share/graspmap/configs beside the
/// folder of an installed program, or configs/ of the repository that it was built in. Nothing when
/// there is neither.
std::optional<std::filesystem::path> examples_folder();

/// "; an example of this name is FILE" for a path at which there is no file, if there is such an
/// example, with or without ".toml"; else "". For messages.
std::string example_hint(const std::filesystem::path& path);

/// `name` in the current folder's configs/ if that has it, else in that of the examples.
std::filesystem::path example_path(const std::filesystem::path& name);

/// The name of this machine; "?" when it has none.
std::string host_name();

/// The time now, in UTC: "2026-11-21T08:15:30Z".
std::string utc_now();

/// Processor time of the calling thread so far, s: it does not count what others do meanwhile.
double thread_seconds();

}  // namespace graspmap
