#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geometry/types.hpp"

namespace graspmap {

/// Text as character data or an attribute's value of XML: markup is escaped; control characters,
/// which XML does not allow, become blanks.
std::string xml_text(std::string_view text);

/// Writes a picture as SVG. Lengths are in pixels, y points down. Every element has a class, which
/// the style sheet gives its colours and lines.
class SvgWriter {
 public:
  /// A white picture. `style_sheet` is CSS; `definitions` are elements to refer to (patterns).
  SvgWriter(const Vec2& size_px, std::string_view style_sheet, std::string_view definitions);

  void line(const Vec2& from, const Vec2& to, const char* style);
  void polyline(const std::vector<Vec2>& points, const char* style);
  void polygon(const std::vector<Vec2>& points, const char* style);
  /// What lies within an odd number of polygons: a polygon with holes.
  void region(const std::vector<std::vector<Vec2>>& polygons, const char* style);
  void circle(const Vec2& center, double radius, const char* style);
  void rectangle(const Vec2& corner, const Vec2& size, const char* style);
  /// A line of text that begins at `at`, on its base line.
  void text(const Vec2& at, std::string_view text, const char* style);
  /// The same with its middle at `at`.
  void centered_text(const Vec2& at, std::string_view text, const char* style);

  /// Opens a group of elements; `tooltip`, if not empty, is shown for them.
  void open_group(const char* style, std::string_view tooltip = "");
  void close_group();

  /// Opens a part of the picture with an origin of its own, beyond whose size nothing is drawn.
  void open_viewport(const Vec2& corner, const Vec2& size);
  void close_viewport();

  /// Ends the picture and returns it.
  std::string finish();

 private:
  void points(const char* element, const std::vector<Vec2>& points, const char* style);

  std::string svg_;
};

}  // namespace graspmap
