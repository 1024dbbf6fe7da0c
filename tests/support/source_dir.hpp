#pragma once

#include <string>

namespace graspmap::testing {

/// The repository's folder, where tests find configs/ and other files. One source names it, so that
/// what one clone has compiled, ccache gives another.
std::string source_dir();

}  // namespace graspmap::testing
