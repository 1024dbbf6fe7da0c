#pragma once

#include <cstddef>

namespace graspmap {

/// i >= 0 as an index into a container of the standard library.
inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace graspmap
