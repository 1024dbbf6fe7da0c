#include "lab/scenes/scene_colors.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace graspmap {

const char* moving_color(std::size_t k) {
  constexpr std::array<const char*, 7> kColours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                   "#d55e00", "#56b4e9", "#f0e442"};
  return kColours[k % kColours.size()];
}

std::string mixed_with_white(const std::string& color, double share) {
  std::string text = "#";
  for (const std::size_t at : {1U, 3U, 5U}) {
    const int part = std::stoi(color.substr(at, 2), nullptr, 16);
    text += fmt::format("{:02x}", static_cast<int>(std::lround(255.0 + share * (part - 255))));
  }
  return text;
}

}  // namespace graspmap
