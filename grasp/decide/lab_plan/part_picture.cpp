#include "grasp/decide/lab_plan/part_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/boundary_points.hpp"
#include "geometry/outline.hpp"
#include "geometry/union_boundary.hpp"
#include "grasp/base/pictures/label_placer.hpp"
#include "grasp/base/pictures/polygons.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/base/pictures/svg.hpp"

namespace graspmap {
namespace {

constexpr double kPictureWidth_px = 680.0;
constexpr double kMostHeight_px = 560.0;
constexpr double kCross_px = 3.5;
constexpr std::size_t kMostNumbered = 60;
constexpr int kPointsPerTurn = 180;
constexpr double kOutlineTolerance_mm = 0.02;

const char* const kPictureStyle =
    ".part{fill:#e6e6e6;stroke:none}.edge{fill:none;stroke:#444;stroke-width:1.2}"
    ".finger{fill:#9ecae1;fill-opacity:0.55;stroke:#3182bd;stroke-width:1}"
    ".axis{stroke:#000;stroke-width:1;fill:none}"
    ".size{stroke:#c0392b;stroke-width:1;stroke-dasharray:4 3;fill:none}"
    ".cross{stroke:#08306b;stroke-width:1.1}.first{stroke:#c0392b;stroke-width:2}"
    "text{font-family:sans-serif;font-size:12px}.number{font-size:9px;fill:#08306b}"
    ".sizetext{fill:#c0392b;font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:3px}";

/// What is drawn, in a frame at the part's origin with the gripper's axes.
struct PartOutline {
  std::vector<std::vector<Vec2>> areas;
  std::vector<std::vector<Vec2>> edges;
};

void turn(std::vector<std::vector<Vec2>>& lines, const Rotation2& rotation) {
  for (std::vector<Vec2>& line : lines) {
    for (Vec2& point : line) point = rotation * point;
  }
}

PartOutline part_outline(const Part& part, double theta_rad) {
  PartOutline outline;
  for (std::size_t k = 0; k < part.pieces.size(); ++k) {
    outline.areas.push_back(boundary_points(part, piece_boundary(part, k).front(), kPointsPerTurn));
  }
  for (const OutlinePiece& piece : part.outlines) {
    outline.areas.push_back(
        joined_polygon(outline_polygons(placed(piece.outline, piece.pose), kOutlineTolerance_mm)));
  }
  for (const BoundaryArc& arc : union_boundary(part)) {
    outline.edges.push_back(boundary_points(part, arc, kPointsPerTurn));
  }
  turn(outline.areas, Rotation2(theta_rad));
  turn(outline.edges, Rotation2(theta_rad));
  return outline;
}

void include_point(Box& box, const Vec2& point) {
  box.min = box.min.cwiseMin(point);
  box.max = box.max.cwiseMax(point);
}

class LabPicture {
 public:
  LabPicture(const Scenario& scenario, const std::vector<IntendedPlacement>& places)
      : gripper_(scenario.gripper),
        places_(places),
        part_(part_outline(scenario.part, places.front().theta_rad)),
        window_(window()),
        scale_(std::min(kPictureWidth_px / (window_.max.x() - window_.min.x()),
                        kMostHeight_px / (window_.max.y() - window_.min.y()))),
        svg_(scale_ * (window_.max - window_.min), kPictureStyle, "") {}

  std::string draw() {
    for (const auto& area : part_.areas) svg_.polygon(all_px(area), "part");
    for (const auto& edge : part_.edges) svg_.polyline(all_px(edge), "edge");
    draw_gripper();
    draw_axes();
    draw_places();
    draw_first();
    return svg_.finish();
  }

 private:
  [[nodiscard]] Vec2 first() const { return {places_.front().x_mm, places_.front().y_mm}; }

  /// The part, the placements and the fingertips of the first one, and a rim.
  [[nodiscard]] Box window() const {
    Box box{first(), first()};
    for (const auto& edge : part_.edges) {
      for (const Vec2& point : edge) include_point(box, point);
    }
    for (const IntendedPlacement& place : places_) include_point(box, {place.x_mm, place.y_mm});
    const double half_mm = 0.5 * gripper_.opening_mm;
    include_point(box, first() + Vec2(half_mm, 0));
    include_point(box, first() - Vec2(half_mm, 0));
    const Vec2 rim = Vec2::Constant(0.08 * (box.max - box.min).maxCoeff());
    return {box.min - rim, box.max + rim};
  }

  [[nodiscard]] Vec2 px(const Vec2& mm) const {
    return scale_ * Vec2(mm.x() - window_.min.x(), window_.max.y() - mm.y());
  }
  [[nodiscard]] std::vector<Vec2> all_px(const std::vector<Vec2>& points) const {
    std::vector<Vec2> all;
    for (const Vec2& point : points) all.push_back(px(point));
    return all;
  }

  /// A finger in its own frame: its outline, or the quarter-plane as far as the window shows it.
  [[nodiscard]] std::vector<std::vector<Vec2>> finger(const std::optional<Outline>& outline,
                                                      double side) const {
    if (outline) return outline_polygons(*outline, kOutlineTolerance_mm);
    const double far_mm = 2 * (window_.max - window_.min).sum();
    return {{{0, 0}, {side * far_mm, 0}, {side * far_mm, -far_mm}, {0, -far_mm}}};
  }

  void draw_finger(const std::optional<Outline>& outline, double side) {
    const Vec2 origin = first() + Vec2(0.5 * side * gripper_.opening_mm, 0);
    auto polygons = finger(outline, side);
    for (auto& polygon : polygons) {
      for (Vec2& point : polygon) point += origin;
    }
    for (const auto& polygon : clipped(polygons, window_)) svg_.polygon(all_px(polygon), "finger");
  }

  void draw_gripper() {
    draw_finger(gripper_.right_finger, 1);
    draw_finger(gripper_.left_finger, -1);
  }

  void draw_arrow_to(const Vec2& tip_mm, const char* label, const Vec2& beside_px) {
    const Vec2 tip = px(tip_mm);
    const Vec2 along = (tip - px({0, 0})).normalized();
    const Vec2 across(-along.y(), along.x());
    svg_.line(px({0, 0}), tip, "axis");
    svg_.polyline({tip - 7 * along + 3 * across, tip, tip - 7 * along - 3 * across}, "axis");
    svg_.text(tip + beside_px, label, "label");
  }

  void draw_axes() {
    const double length_mm = 60 / scale_;
    draw_arrow_to({length_mm, 0}, "x", {5, 4});
    draw_arrow_to({0, length_mm}, "y", {-4, -6});
    svg_.circle(px({0, 0}), 3, "axis");
  }

  void draw_places() {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Vec2 at = px({places_[k].x_mm, places_[k].y_mm});
      const char* style = k == 0 ? "first" : "cross";
      svg_.line(at - Vec2(kCross_px, 0), at + Vec2(kCross_px, 0), style);
      svg_.line(at - Vec2(0, kCross_px), at + Vec2(0, kCross_px), style);
      if (places_.size() <= kMostNumbered) {
        svg_.text(at + Vec2(kCross_px, -kCross_px), fmt::format("{}", k + 1), "number");
      }
    }
  }

  /// The x and y of the first placement, as distances from the part's origin.
  void draw_first() {
    svg_.line(px({first().x(), 0}), px(first()), "size");
    svg_.line(px({0, first().y()}), px(first()), "size");
    svg_.centered_text(px({0.5 * first().x(), first().y()}) + Vec2(0, 14),
                       "x = " + short_mm(first().x()), "sizetext");
    svg_.text(px({first().x(), 0.5 * first().y()}) + Vec2(5, 0), "y = " + short_mm(first().y()),
              "sizetext");
  }

  const Gripper& gripper_;
  const std::vector<IntendedPlacement>& places_;
  PartOutline part_;
  Box window_;
  double scale_;
  SvgWriter svg_;
};

}  // namespace

std::string part_picture(const Scenario& scenario, const std::vector<IntendedPlacement>& places) {
  return LabPicture(scenario, places).draw();
}

}  // namespace graspmap
