#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "geometry/outline.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/setup/first_config.hpp"

namespace graspmap {
namespace {

OutlineLoop circle(double diameter_mm, const char* left, const char* right) {
  const double r = 0.5 * diameter_mm;
  return {{{0, -r}, 1.0, right}, {{0, r}, 1.0, left}};
}

OutlineLoop hexagon(double across_mm) {
  const double r = across_mm / std::sqrt(3.0);  // of the corners
  const double half = 0.5 * across_mm;
  return {{{half, -0.5 * r}, 0.0, "right"},
          {{half, 0.5 * r}, 0.0, "upper_right"},
          {{0, r}, 0.0, "upper_left"},
          {{-half, 0.5 * r}, 0.0, "left"},
          {{-half, -0.5 * r}, 0.0, "lower_left"},
          {{0, -r}, 0.0, "lower_right"}};
}

OutlineLoop rectangle(double width_mm, double height_mm) {
  const double x = 0.5 * width_mm;
  const double y = 0.5 * height_mm;
  return {{{-x, -y}, 0.0, "bottom"},
          {{x, -y}, 0.0, "right"},
          {{x, y}, 0.0, "top"},
          {{-x, y}, 0.0, "left"}};
}

OutlineLoop slot(double length_mm, double width_mm) {
  const double x = 0.5 * (length_mm - width_mm);
  const double r = 0.5 * width_mm;
  return {{{-x, -r}, 0.0, "bottom"},
          {{x, -r}, 1.0, "right"},
          {{x, r}, 0.0, "top"},
          {{-x, r}, 1.0, "left"}};
}

}  // namespace

Outline first_shape(const std::string& shape, const std::vector<double>& sizes_mm) {
  const auto known = std::find_if(kFirstShapes.begin(), kFirstShapes.end(),
                                  [&](const FirstShape& s) { return shape == s.name; });
  if (known == kFirstShapes.end()) {
    std::vector<std::string> names;
    for (const FirstShape& s : kFirstShapes) names.emplace_back(s.name);
    throw ConfigError(
        fmt::format("--shape: '{}'; must be one of {}", shape, fmt::join(names, ", ")));
  }
  const bool positive =
      std::all_of(sizes_mm.begin(), sizes_mm.end(), [](double size) { return size > 0.0; });
  if (sizes_mm.size() != known->count || !positive) {
    throw ConfigError(fmt::format("--size-mm: '{}'; a {} must have {}, numbers > 0 in mm",
                                  fmt::join(sizes_mm, ","), shape, known->sizes));
  }
  const bool first_is_larger = shape == "ring" || shape == "slot";
  if (first_is_larger && sizes_mm[0] <= sizes_mm[1]) {
    throw ConfigError(fmt::format("--size-mm: '{}'; of a {} the first must be the larger",
                                  fmt::join(sizes_mm, ","), shape));
  }
  if (shape == "disc") return {circle(sizes_mm[0], "left", "right"), {}};
  if (shape == "hexagon") return {hexagon(sizes_mm[0]), {}};
  if (shape == "rectangle") return {rectangle(sizes_mm[0], sizes_mm[1]), {}};
  if (shape == "slot") return {slot(sizes_mm[0], sizes_mm[1]), {}};
  OutlineLoop hole = circle(sizes_mm[1], "", "");
  for (OutlineElement& element : hole) element.bulge = -1.0;
  return {circle(sizes_mm[0], "left", "right"), {hole}};
}

}  // namespace graspmap
