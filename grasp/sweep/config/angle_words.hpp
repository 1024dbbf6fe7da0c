#pragma once

#include <string>

namespace graspmap {

/// An angle with three digits, without the noise of rounding ("0", not "-1e-17").
std::string short_angle(double angle);

/// An angle in both units, for text: "0.1 rad (5.73 degrees)".
std::string angle_text(double angle_rad);

/// The same for pictures: "0.1 rad (5.73°)".
std::string angle_label(double angle_rad);

}  // namespace graspmap
