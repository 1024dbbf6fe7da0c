#include "grasp/sweep/config/outline_toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/outline_faults.hpp"
#include "geometry/outline_shapes.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kLeastNumbers = 2;  // of an element: [x, y] or [x, y, bulge]
constexpr std::size_t kMostNumbers = 3;
constexpr std::string_view kElementNames =
    "a list of names, one for each element of outline_mm, \"\" for none";

OutlineLoop read_loop(const TomlTable& table, std::string_view key,
                      const std::vector<std::vector<double>>& elements) {
  OutlineLoop loop;
  for (const std::vector<double>& numbers : elements) {
    for (const double number : numbers) check_limits(table, key, number, limits::kPositions_mm);
    const double bulge = numbers.size() == kMostNumbers ? numbers[2] : 0.0;
    loop.push_back({{numbers[0], numbers[1]}, bulge, {}});
  }
  if (loop.size() > 1 && loop.front().begin_mm == loop.back().begin_mm) {
    table.fail(key, fmt::format("the last point repeats the first, ({}, {}); must be left out, "
                                "because the last element ends at the first point",
                                loop[0].begin_mm.x(), loop[0].begin_mm.y()));
  }
  return loop;
}

Outline read_points(const TomlTable& table) {
  Outline outline;
  outline.outer =
      read_loop(table, "outline_mm", table.number_lists("outline_mm", kLeastNumbers, kMostNumbers));
  for (const auto& hole : table.number_tables_or_none("holes_mm", kLeastNumbers, kMostNumbers)) {
    outline.holes.push_back(read_loop(table, "holes_mm", hole));
  }
  return outline;
}

DrawingOptions read_drawing_options(const TomlTable& table, const std::filesystem::path& folder) {
  DrawingOptions options;
  KeyReader keys(table, folder);
  drawing_keys(keys, options);
  if (table.has("origin_mm")) {
    table.refuse_both("origin_mm", "origin");
    options.origin = DrawingOrigin::kPoint;
  }
  return options;
}

Outline read_file(const TomlTable& table, const std::filesystem::path& folder) {
  const DrawingOptions options = read_drawing_options(table, folder);
  try {
    Outline outline = read_outline(folder / table.text("file"), options);
    // Nothing reaches into holes, and a stored configuration has no names for their elements.
    for (OutlineLoop& hole : outline.holes) {
      for (OutlineElement& element : hole) element.name.clear();
    }
    return outline;
  } catch (const ConfigError& error) {
    table.fail_in_file("file", error);
  }
}

/// True for what elements without a name of their own are called: "edge 7", "arc 12".
bool is_number_name(std::string_view name) {
  const std::size_t space = name.find(' ');
  if (space == std::string_view::npos || space + 1 == name.size()) return false;
  const std::string_view kind = name.substr(0, space);
  return (kind == "edge" || kind == "arc") &&
         name.find_first_not_of("0123456789", space + 1) == std::string_view::npos;
}

void read_names(const TomlTable& table, OutlineLoop& loop) {
  const std::vector<std::string> names = table.texts("names", loop.size(), kElementNames);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    if (!names[k].empty() && !is_name(names[k]) && !is_number_name(names[k])) {
      table.fail("names", fmt::format("has \"{}\"; must be \"\" or {}", names[k], kNameText));
    }
    loop[k].name = names[k];
  }
}

void check_faults(const TomlTable& table, std::string_view key, const Outline& outline) {
  const std::vector<OutlineFault> faults = outline_faults(outline);
  if (faults.empty()) return;
  const bool in_hole = faults[0].loop > 0 && key == "outline_mm";
  const std::string more =
      faults.size() > 1 ? fmt::format(" ({} faults more)", faults.size() - 1) : "";
  table.fail(in_hole ? "holes_mm" : key,
             fmt::format("{}{}; must be a closed chain of segments and arcs that do not touch or "
                         "cross, with such chains inside as holes",
                         describe(faults[0]), more));
}

}  // namespace

std::string_view outline_key(const TomlTable& table) {
  return table.first_present({"outline_mm", "file"});
}

Outline read_table_outline(const TomlTable& table, const std::filesystem::path& folder) {
  const std::string_view key = outline_key(table);
  Outline outline = key == "file" ? read_file(table, folder) : read_points(table);
  if (table.has("names")) read_names(table, outline.outer);
  check_faults(table, key, outline);
  return oriented(outline);
}

namespace {

std::vector<std::string> element_values(const OutlineLoop& loop) {
  std::vector<std::string> values;
  for (const OutlineElement& element : loop) {
    const Vec2& begin_mm = element.begin_mm;
    values.push_back(element.bulge == 0.0
                         ? toml_value(begin_mm)
                         : fmt::format("[{}, {}, {}]", toml_value(begin_mm.x()),
                                       toml_value(begin_mm.y()), toml_value(element.bulge)));
  }
  return values;
}

/// A list with a line for each of its values.
std::string long_list(const std::vector<std::string>& values) {
  return fmt::format("[\n  {},\n]", fmt::join(values, ",\n  "));
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
    std::vector<std::string> names;
    for (const OutlineElement& element : outline.outer) names.push_back(toml_value(element.name));
    lines.emplace_back("names", fmt::format("[{}]", fmt::join(names, ", ")));
  }
  return lines;
}

}  // namespace graspmap
