#pragma once

namespace graspmap {

inline constexpr double kMillinewtonsPerNewton = 1000.0;
inline constexpr double kNewtonsPerMillinewton = 1e-3;
inline constexpr double kMetresPerMillimetre = 1e-3;
inline constexpr double kMillisecondsPerSecond = 1e3;

}  // namespace graspmap
