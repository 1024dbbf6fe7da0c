#pragma once

#include <string>

namespace graspmap {

/// The name of this machine; "?" when it has none.
std::string host_name();

}  // namespace graspmap
