#include "grasp/sweep/config/angle_words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace graspmap {
namespace {

std::string degrees(double angle_rad) { return short_angle(angle_rad * 180.0 / std::numbers::pi); }

}  // namespace

std::string short_angle(double angle) {
  constexpr double kDigits = 1e9;
  return fmt::format("{:.3g}", std::round(angle * kDigits) / kDigits + 0.0);
}

std::string angle_text(double angle_rad) {
  return fmt::format("{} rad ({} degrees)", short_angle(angle_rad), degrees(angle_rad));
}

std::string angle_label(double angle_rad) {
  return fmt::format("{} rad ({}°)", short_angle(angle_rad), degrees(angle_rad));
}

}  // namespace graspmap
