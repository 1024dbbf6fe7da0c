#include "grasp/sweep/config/outline_write.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace graspmap {
namespace {

std::string element_value(const OutlineElement& element) {
  const Vec2& begin_mm = element.begin_mm;
  if (element.bulge == 0.0) return toml_value(begin_mm);
  return fmt::format("[{}, {}, {}]", toml_value(begin_mm.x()), toml_value(begin_mm.y()),
                     toml_value(element.bulge));
}

std::vector<std::string> element_values(const OutlineLoop& loop) {
  std::vector<std::string> values;
  for (const OutlineElement& element : loop) values.push_back(element_value(element));
  return values;
}

/// A list with a line for each of its values.
std::string long_list(const std::vector<std::string>& values) {
  return fmt::format("[\n  {},\n]", fmt::join(values, ",\n  "));
}

std::string names_value(const OutlineLoop& loop) {
  std::vector<std::string> names;
  for (const OutlineElement& element : loop) names.push_back(toml_value(element.name));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

}  // namespace

std::vector<TomlLine> outline_lines(const Outline& outline) {
  std::vector<TomlLine> lines = {{"outline_mm", long_list(element_values(outline.outer))}};
  if (!outline.holes.empty()) {
    std::vector<std::string> holes;
    for (const OutlineLoop& hole : outline.holes) {
      holes.push_back(fmt::format("[{}]", fmt::join(element_values(hole), ", ")));
    }
    lines.emplace_back("holes_mm", long_list(holes));
  }
  const auto has_name = [](const OutlineElement& element) { return !element.name.empty(); };
  if (std::any_of(outline.outer.begin(), outline.outer.end(), has_name)) {
    lines.emplace_back("names", names_value(outline.outer));
  }
  return lines;
}

}  // namespace graspmap
