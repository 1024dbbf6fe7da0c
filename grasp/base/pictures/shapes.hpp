#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/outline.hpp"
#include "geometry/part.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// A line through points, or a polygon.
using Points = std::vector<Vec2>;

/// A rectangle with sides along the axes.
struct Box {
  Vec2 min = Vec2::Zero();
  Vec2 max = Vec2::Zero();

  [[nodiscard]] bool overlaps(const Box& other) const {
    return (min.array() < other.max.array()).all() && (other.min.array() < max.array()).all();
  }
  [[nodiscard]] bool contains(const Box& other) const {
    return (min.array() <= other.min.array()).all() && (other.max.array() <= max.array()).all();
  }
};

/// The box of a size about a centre.
Box box_about(const Vec2& center, const Vec2& size);

/// Finds places for labels that overlap neither each other nor what must stay visible.
class LabelPlacer {
 public:
  /// Labels stay within `area`.
  explicit LabelPlacer(const Box& area) : area_(area) {}

  void block(const Box& box) { blocked_.push_back(box); }
  /// Keeps labels off a line by `distance`.
  void block_line(const Vec2& from, const Vec2& to, double distance);

  void block_path(const Points& points, double distance);

  [[nodiscard]] bool is_free(const Box& box) const;
  /// Takes the first free place for a label among some centres, and blocks it.
  std::optional<Vec2> place(const Vec2& size, const std::vector<Vec2>& centers);

 private:
  Box area_;
  std::vector<Box> blocked_;
};

/// The points of a loop, which is closed by a line from the last one to the first: its corners, and
/// so many points of its arcs that no chord is farther than `tolerance_mm` > 0 from its arc.
Points loop_points(const OutlineLoop& loop, double tolerance_mm);

/// The outer loop and the holes of an outline as polygons.
std::vector<Points> outline_polygons(const Outline& outline, double tolerance_mm);

/// The part of a polygon within a box (Sutherland and Hodgman), which may be empty. What was
/// cut into several pieces stays one polygon: lines on the box's sides connect them.
Points clipped(const Points& polygon, const Box& box);

/// Polygons within a box; those of which nothing is left are left out.
std::vector<Points> clipped(const std::vector<Points>& polygons, const Box& box);

/// What of an outline whose frame is at `at_mm` lies within a picture.
std::vector<Points> polygons_within(const Outline& outline, const Vec2& at_mm, const Box& picture);

/// A polygon and its holes as one closed polygon: a cut of no width leads to each hole, from the
/// nearest of the first polygon's points. Empty without polygons; none of them is empty.
Points joined_polygon(const std::vector<Points>& polygons);

/// A part's shape as polygons, in P, mm.
struct PartShape {
  std::vector<Points> pieces;                 ///< the boundary of each superellipse
  std::vector<std::vector<Points>> outlines;  ///< of each outline, and of its holes
  std::vector<Points> boundary;               ///< that of their union, in arcs or whole
};

PartShape part_shape(const Part& part);

/// The points of P's frame in G.
Points transformed(const Pose2& X_GP, const Points& points_P_mm);

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
  void polyline(const Points& points, const char* style);
  void polygon(const Points& points, const char* style);
  /// What lies within an odd number of polygons: a polygon with holes.
  void region(const std::vector<Points>& polygons, const char* style);
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
  void points(const char* element, const Points& points, const char* style);

  std::string svg_;
};

}  // namespace graspmap
