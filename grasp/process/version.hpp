#pragma once

namespace graspmap {

/// The version of the program, as in CMakeLists.txt.
const char* version();

/// The git commit that the program was built from, with "-modified" when files differed from it;
/// "unknown" outside a git checkout.
const char* git_commit();

}  // namespace graspmap
