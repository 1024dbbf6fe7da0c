#pragma once

#include <string>

namespace graspmap {

/// The time now, in UTC: "2026-11-21T08:15:30Z".
std::string utc_now();

}  // namespace graspmap
