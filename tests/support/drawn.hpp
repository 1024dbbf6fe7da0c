#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "grasp/base/drawings/drawing.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {

/// A file of tests/data.
inline std::filesystem::path data_file(const std::string& name) {
  return std::filesystem::path(testing::source_dir()) / "tests" / "data" / name;
}

/// Group codes and values from "0 LINE 10 3.5 ...": pairs of words; '_' in a value is a blank.
inline std::string groups(const std::string& words) {
  std::string text = words;
  for (char& c : text) c = c == ' ' ? '\n' : c == '_' ? ' ' : c;
  return text.empty() ? text : text + "\n";
}

/// A DXF file with entities in mm, and with blocks or tables before them.
inline std::string dxf(const std::string& entities, const std::string& sections = "") {
  return groups("0 SECTION 2 HEADER 9 $INSUNITS 70 4 0 ENDSEC") + groups(sections) +
         groups("0 SECTION 2 ENTITIES") + groups(entities) + groups("0 ENDSEC 0 EOF");
}

inline std::string dxf_line(double x1, double y1, double x2, double y2) {
  return fmt::format("0 LINE 10 {} 20 {} 11 {} 21 {} ", x1, y1, x2, y2);
}

/// Lines around a rectangle; the last blank is left out.
inline std::string dxf_rectangle(double x1, double y1, double x2, double y2) {
  std::string text = dxf_line(x1, y1, x2, y1) + dxf_line(x2, y1, x2, y2) +
                     dxf_line(x2, y2, x1, y2) + dxf_line(x1, y2, x1, y1);
  text.pop_back();
  return text;
}

/// An SVG file whose unit is a mm, 100 of them wide and high.
inline std::string svg(const std::string& elements) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"x\" xmlns:inkscape=\"i\" "
         "width=\"100mm\" height=\"100mm\" viewBox=\"0 0 100 100\">\n" +
         elements + "\n</svg>\n";
}

/// What a text is read as; `name` ends in .dxf or .svg.
inline Drawing drawn(const std::string& name, const std::string& text,
                     const DrawingOptions& options = {}) {
  return parse_drawing(text, name, options);
}

/// The message when a text cannot be read: "NAME:LINE: ...".
inline std::string drawing_error(const std::string& name, const std::string& text,
                                 const DrawingOptions& options = {}) {
  return config_error([&] { parse_drawing(text, name, options); });
}

}  // namespace graspmap::testing
