#include "grasp/base/pictures/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/assert.hpp"
#include "geometry/mass_properties.hpp"
#include "grasp/base/io/printable_text.hpp"

namespace graspmap {

Box box_about(const Vec2& center, const Vec2& size) {
  return {center - 0.5 * size, center + 0.5 * size};
}

void LabelPlacer::block_line(const Vec2& from, const Vec2& to, double distance) {
  const int squares = 1 + static_cast<int>((to - from).norm() / distance);
  for (int k = 0; k <= squares; ++k) {
    const Vec2 center = from + (to - from) * k / squares;
    block(box_about(center, Vec2::Constant(2.0 * distance)));
  }
}

void LabelPlacer::block_path(const Points& points, double distance) {
  for (std::size_t k = 1; k < points.size(); ++k) block_line(points[k - 1], points[k], distance);
}

bool LabelPlacer::is_free(const Box& box) const {
  return area_.contains(box) && std::none_of(blocked_.begin(), blocked_.end(),
                                             [&](const Box& b) { return b.overlaps(box); });
}

std::optional<Vec2> LabelPlacer::place(const Vec2& size, const std::vector<Vec2>& centers) {
  for (const Vec2& center : centers) {
    const Box box = box_about(center, size);
    if (!is_free(box)) continue;
    block(box);
    return center;
  }
  return std::nullopt;
}

namespace {

/// The chords of an arc: with the angle 2 a between their ends they are r (1 - cos a) from it at
/// most, which is less than r a^2 / 2.
int chord_count(const OutlineCurve& curve, double tolerance_mm) {
  if (!curve.is_arc()) return 1;
  const double most_rad = 2.0 * std::sqrt(2.0 * tolerance_mm / curve.radius_mm);
  return std::max(1, static_cast<int>(std::ceil(std::abs(curve.turn_rad) / most_rad)));
}

/// The part of a polygon where n . p <= offset.
Points clipped(const Points& polygon, const Vec2& n, double offset) {
  Points inside;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2& a = polygon[k];
    const Vec2& b = polygon[(k + 1) % polygon.size()];
    const double f_a = n.dot(a) - offset;
    const double f_b = n.dot(b) - offset;
    if (f_a <= 0.0) inside.push_back(a);
    if ((f_a <= 0.0) != (f_b <= 0.0)) inside.emplace_back(a + f_a / (f_a - f_b) * (b - a));
  }
  return inside;
}

/// A way from a polygon's point to a hole's.
struct Cut {
  std::size_t from = 0;
  std::size_t to = 0;
  const Points* hole = nullptr;
};

Cut nearest_cut(const Points& outer, const Points& hole) {
  Cut cut{0, 0, &hole};
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < outer.size(); ++i) {
    for (std::size_t j = 0; j < hole.size(); ++j) {
      const double distance = (outer[i] - hole[j]).squaredNorm();
      if (distance >= nearest) continue;
      nearest = distance;
      cut = {i, j, &hole};
    }
  }
  return cut;
}

}  // namespace

Points loop_points(const OutlineLoop& loop, double tolerance_mm) {
  GRASPMAP_CHECK(tolerance_mm > 0.0);
  Points points;
  for (const OutlineCurve& curve : outline_curves(loop)) {
    const int chords = chord_count(curve, tolerance_mm);
    for (int k = 0; k < chords; ++k) {
      points.push_back(point_at(curve, static_cast<double>(k) / chords));
    }
  }
  return points;
}

std::vector<Points> outline_polygons(const Outline& outline, double tolerance_mm) {
  std::vector<Points> polygons;
  for (const OutlineLoop* loop : loops_of(outline)) {
    polygons.push_back(loop_points(*loop, tolerance_mm));
  }
  return polygons;
}

Points clipped(const Points& polygon, const Box& box) {
  Points inside = polygon;
  for (const Vec2& axis : {Vec2(1, 0), Vec2(0, 1)}) {
    inside = clipped(inside, axis, axis.dot(box.max));
    inside = clipped(inside, -axis, -axis.dot(box.min));
  }
  return inside;
}

std::vector<Points> clipped(const std::vector<Points>& polygons, const Box& box) {
  std::vector<Points> inside;
  for (const Points& polygon : polygons) inside.push_back(clipped(polygon, box));
  std::erase_if(inside, [](const Points& polygon) { return polygon.empty(); });
  return inside;
}

std::vector<Points> polygons_within(const Outline& outline, const Vec2& at_mm, const Box& picture) {
  const double tolerance_mm = 1e-3 * (picture.max - picture.min).maxCoeff();
  return clipped(outline_polygons(placed(outline, {at_mm, 0.0}), tolerance_mm), picture);
}

Points joined_polygon(const std::vector<Points>& polygons) {
  if (polygons.empty()) return {};
  const Points& outer = polygons.front();
  std::vector<Cut> cuts;
  for (std::size_t k = 1; k < polygons.size(); ++k) {
    cuts.push_back(nearest_cut(outer, polygons[k]));
  }
  Points joined;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    joined.push_back(outer[i]);
    for (const Cut& cut : cuts) {
      if (cut.from != i) continue;
      for (std::size_t j = 0; j <= cut.hole->size(); ++j) {
        joined.push_back((*cut.hole)[(cut.to + j) % cut.hole->size()]);
      }
      joined.push_back(outer[i]);
    }
  }
  return joined;
}

namespace {

/// A hundredth of a pixel is enough; no minus zero.
std::string px(double value) { return fmt::format("{:.7g}", std::round(value * 100) / 100 + 0.0); }

/// Appends an arc of a part's boundary. Elements of an outline that follow each other become one
/// line.
void append_boundary(const Part& part, const BoundaryArc& arc, std::vector<Points>& boundary) {
  constexpr int kPointsPerTurn = 120;
  constexpr int kPointsPerOutlineTurn = 480;  // arcs of a small turn may be long
  const bool is_outline = arc.piece >= part.pieces.size();
  const Points points =
      boundary_points(part, arc, is_outline ? kPointsPerOutlineTurn : kPointsPerTurn);
  if (is_outline && !boundary.empty() && boundary.back().back() == points.front()) {
    boundary.back().insert(boundary.back().end(), points.begin() + 1, points.end());
  } else {
    boundary.push_back(points);
  }
}

}  // namespace

PartShape part_shape(const Part& part) {
  PartShape shape;
  for (std::size_t k = 0; k < part.pieces.size(); ++k) {
    append_boundary(part, piece_boundary(part, k).front(), shape.pieces);
  }
  constexpr double kTolerance = 1e-4;  // of the part's size
  const double tolerance_mm = kTolerance * bounding_radius_mm(part, Vec2::Zero());
  for (const OutlinePiece& piece : part.outlines) {
    shape.outlines.push_back(outline_polygons(placed(piece.outline, piece.pose), tolerance_mm));
  }
  for (const BoundaryArc& arc : union_boundary(part)) append_boundary(part, arc, shape.boundary);
  return shape;
}

Points transformed(const Pose2& X_GP, const Points& points_P_mm) {
  const Rotation2 rotation(X_GP.angle_rad);
  Points points;
  points.reserve(points_P_mm.size());
  for (const Vec2& p : points_P_mm) points.push_back(X_GP.position_mm + rotation * p);
  return points;
}

std::string xml_text(std::string_view text) {
  return rewritten(text, [](const FirstCharacter& character) -> std::string_view {
    switch (character.code) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      default:
        return character.is_harmless() ? character.text : " ";
    }
  });
}

SvgWriter::SvgWriter(const Vec2& size_px, std::string_view style_sheet,
                     std::string_view definitions) {
  const std::string width = px(size_px.x());
  const std::string height = px(size_px.y());
  svg_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n<style>\n{2}</style>\n<defs>\n{3}</defs>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height, style_sheet, definitions);
}

void SvgWriter::line(const Vec2& from, const Vec2& to, const char* style) {
  svg_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", style,
                      px(from.x()), px(from.y()), px(to.x()), px(to.y()));
}

void SvgWriter::polyline(const Points& points, const char* style) {
  this->points("polyline", points, style);
}

void SvgWriter::polygon(const Points& points, const char* style) {
  this->points("polygon", points, style);
}

void SvgWriter::region(const std::vector<Points>& polygons, const char* style) {
  svg_ += fmt::format("<path class=\"{}\" fill-rule=\"evenodd\" d=\"", style);
  for (const Points& polygon : polygons) {
    const char* command = "M";
    for (const Vec2& point : polygon) {
      svg_ += fmt::format("{}{},{}", std::exchange(command, " "), px(point.x()), px(point.y()));
    }
    if (!polygon.empty()) svg_ += "Z";
  }
  svg_ += "\"/>\n";
}

void SvgWriter::points(const char* element, const Points& points, const char* style) {
  svg_ += fmt::format("<{} class=\"{}\" points=\"", element, style);
  for (std::size_t k = 0; k < points.size(); ++k) {
    svg_ += fmt::format("{}{},{}", k > 0 ? " " : "", px(points[k].x()), px(points[k].y()));
  }
  svg_ += "\"/>\n";
}

void SvgWriter::circle(const Vec2& center, double radius, const char* style) {
  svg_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", style,
                      px(center.x()), px(center.y()), px(radius));
}

void SvgWriter::rectangle(const Vec2& corner, const Vec2& size, const char* style) {
  svg_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", style,
                      px(corner.x()), px(corner.y()), px(size.x()), px(size.y()));
}

void SvgWriter::text(const Vec2& at, std::string_view text, const char* style) {
  svg_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", style, px(at.x()),
                      px(at.y()), xml_text(text));
}

void SvgWriter::centered_text(const Vec2& at, std::string_view text, const char* style) {
  svg_ += fmt::format("<text class=\"{}\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                      style, px(at.x()), px(at.y()), xml_text(text));
}

void SvgWriter::open_group(const char* style, std::string_view tooltip) {
  svg_ += fmt::format("<g class=\"{}\">\n", style);
  if (!tooltip.empty()) svg_ += fmt::format("<title>{}</title>\n", xml_text(tooltip));
}

void SvgWriter::close_group() { svg_ += "</g>\n"; }

void SvgWriter::open_viewport(const Vec2& corner, const Vec2& size) {
  svg_ += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">\n", px(corner.x()),
                      px(corner.y()), px(size.x()), px(size.y()));
}

void SvgWriter::close_viewport() { svg_ += "</svg>\n"; }

std::string SvgWriter::finish() { return svg_ + "</svg>\n"; }

}  // namespace graspmap
