#pragma once

#include <string>

namespace graspmap {

/// The name of this machine; "?" when it has none.
std::string host_name();

/// This moment in UTC: "2026-11-21T08:15:30Z".
std::string utc_now();

}  // namespace graspmap
