#pragma once

namespace graspmap {

inline constexpr double kMillinewtons = 1000.0;  ///< in a newton
inline constexpr double kNewtons = 1e-3;         ///< in a millinewton

}  // namespace graspmap
