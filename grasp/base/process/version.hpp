#pragma once

namespace graspmap {

/// The version of the program, as in CMakeLists.txt.
const char* version();

/// What the program was built with: compiler, build type, sanitizers: "GNU 12.2.0, Release".
const char* build_text();

/// The git commit that the program was built from, with "-modified" when files differed from it;
/// "unknown" outside a git checkout.
const char* git_commit();

}  // namespace graspmap
