#pragma once

#include <cstddef>
#include <string>

namespace graspmap {

inline constexpr const char* kFixedColor = "#8c8c8c";  ///< of what does not move
inline constexpr const char* kForceColor = "#b00020";

/// The colour "#rrggbb" of the k-th thing that moves: Okabe and Ito's, for colour-blind eyes.
const char* moving_color(std::size_t k);

/// "#rrggbb" mixed with white: `share` of it, from 0 to 1. For GIFs, which have no transparency.
std::string mixed_with_white(const std::string& color, double share);

}  // namespace graspmap
