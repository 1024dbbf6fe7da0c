#pragma once

#include <string>

namespace graspmap::bench {

/// The machine as far as it matters for speed: "AMD EPYC, 2 cores".
std::string machine_name();

}  // namespace graspmap::bench
