#include "grasp/show/story/trial_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/show/story/trial_report.hpp"

namespace graspmap {

// Blue and vermillion of Okabe and Ito's palette, for colour-blind eyes; the marks' shapes differ
// too.
const char* const kTrialStyleSheet = R"css(text {
  font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 13px; fill: #222222;
}
.heading { font-size: 17px; font-weight: bold; }
.number { fill: #777777; }
.legend { font-size: 12px; }
.moment { font-weight: bold; }
.label { font-size: 11px; stroke: white; stroke-width: 2.5px; paint-order: stroke;
  stroke-linejoin: round; }
.frame { fill: none; stroke: #999999; stroke-width: 1; }
.table { stroke: #c9b98f; stroke-width: 1; }
.jaw { fill: url(#hatch); stroke: none; }
.jaw_edge { fill: none; stroke: #444444; stroke-width: 1.6; stroke-linejoin: round; }
.piece { fill: #e4ecf5; stroke: #a9b8c9; stroke-width: 0.7; }
.body { fill: #e4ecf5; stroke: none; }
.boundary { fill: none; stroke: #26394d; stroke-width: 1.5; stroke-linecap: round; }
.ghost { fill: none; stroke: #9aa3ad; stroke-width: 0.9; stroke-dasharray: 3 3; }
.path { fill: none; stroke: #117a5b; stroke-width: 1.6; }
.path_start { fill: white; stroke: #117a5b; stroke-width: 1.3; }
.origin { stroke: #117a5b; stroke-width: 1.6; }
.sticks { color: #0072b2; }
.slides { color: #c44e00; }
.rests { color: #666666; }
.cone { fill: currentColor; opacity: 0.3; }
.shaft { stroke: currentColor; stroke-width: 2.2; }
.head { fill: currentColor; }
.mark { fill: currentColor; stroke: white; stroke-width: 1; }
.open_mark { fill: white; stroke: currentColor; stroke-width: 1.4; }
.bar { stroke: #222222; stroke-width: 1.6; }
)css";

const char* const kTrialDefinitions =
    "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\">\n<rect width=\"6\" height=\"6\" fill=\"#e3e3e3\"/>\n"
    "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#b5b5b5\" stroke-width=\"2\"/>\n"
    "</pattern>\n";

namespace {

constexpr double kMark_px = 3.8;
constexpr double kCone_px = 30.0;
constexpr double kBeyond_px = 5.0;  ///< how far jaws reach out of the picture

/// One panel while it is drawn.
class Panel {
 public:
  Panel(SvgWriter& svg, const PanelView& view, const Part& part, const PartShape& shape,
        const Scene& scene)
      : svg_(svg),
        view_(view),
        part_(part),
        shape_(shape),
        scene_(scene),
        labels_({Vec2::Constant(2.0), view.size_px() - Vec2::Constant(2.0)}) {}

  void draw(const Pose2& start, const Points& path_G_mm) {
    place_fingers();
    if (scene_.gripper) draw_table(*scene_.gripper);
    for (const JawSide side : kJawSides) draw_jaw(side);
    for (const Points& arc : shape_.boundary) svg_.polyline(in_px(start, arc), "ghost");
    draw_part();
    for (const JawSide side : kJawSides) draw_jaw_edge(side);
    draw_path(path_G_mm);
    for (const SceneContact& contact : scene_.contacts) draw_contact(contact);
    draw_piece_names();
    draw_element_names();
    draw_force_labels();
  }

 private:
  [[nodiscard]] Points in_px(const Pose2& X_GP, const Points& points_P_mm) const {
    Points points = transformed(X_GP, points_P_mm);
    for (Vec2& point : points) point = view_.to_px(point);
    return points;
  }

  void draw_table(const Pose2& gripper) {
    constexpr double kArm_px = 3.5;
    const Rotation2 R_GT(-gripper.angle_rad);
    for (const Vec2& mark_G : table_marks(view_.window_mm, gripper)) {
      for (const Vec2& axis : {Vec2(1, 0), Vec2(0, 1)}) {
        const Vec2 arm = kArm_px * PanelView::turned_down(R_GT * axis);
        svg_.line(view_.to_px(mark_G) - arm, view_.to_px(mark_G) + arm, "table");
      }
    }
  }

  /// Where a jaw leaves the picture, to the side.
  [[nodiscard]] double outside_px(JawSide side) const {
    return side == JawSide::kRight ? view_.size_px().x() + kBeyond_px : -kBeyond_px;
  }

  /// Puts the outlines of fingers and palm where they are, as far as the picture reaches.
  void place_fingers() {
    const Vec2 beyond_mm = Vec2::Constant(kBeyond_px / view_.px_per_mm);
    const Box shown_mm{view_.window_mm.min - beyond_mm, view_.window_mm.max + beyond_mm};
    for (const JawSide side : kJawSides) {
      std::vector<Points>& polygons = fingers_px_[side_index(side)];
      polygons = view_.fingers[side_index(side)];
      const Pose2 pose = side_pose(scene_, side);
      for (Points& polygon : polygons) polygon = transformed(pose, polygon);
      polygons = clipped(polygons, shown_mm);
      for (Points& polygon : polygons) {
        for (Vec2& point : polygon) point = view_.to_px(point);
      }
    }
  }

  [[nodiscard]] bool is_quarter_plane(JawSide side) const {
    return (side == JawSide::kRight || side == JawSide::kLeft) &&
           view_.fingers[side_index(side)].empty();
  }

  [[nodiscard]] const std::vector<Points>& finger_px(JawSide side) const {
    return fingers_px_[side_index(side)];
  }

  void draw_jaw(JawSide side) {
    if (!is_quarter_plane(side)) return draw_region(finger_px(side), "jaw");
    const Vec2 tip = view_.to_px({side_pose(scene_, side).position_mm.x(), 0.0});
    const double outside = outside_px(side);
    svg_.rectangle({std::min(tip.x(), outside), tip.y()},
                   {std::abs(outside - tip.x()), view_.size_px().y() + kBeyond_px - tip.y()},
                   "jaw");
  }

  void draw_region(const std::vector<Points>& polygons, const char* style) {
    if (!polygons.empty()) svg_.region(polygons, style);
  }

  void draw_jaw_edge(JawSide side) {
    if (!is_quarter_plane(side)) {
      draw_region(finger_px(side), "jaw_edge");
      for (const Points& polygon : finger_px(side)) labels_.block_path(polygon, 1.0);
      return;
    }
    const Vec2 tip = view_.to_px({side_pose(scene_, side).position_mm.x(), 0.0});
    const Vec2 below(tip.x(), view_.size_px().y() + kBeyond_px);
    const Vec2 aside(outside_px(side), tip.y());
    svg_.polyline({below, tip, aside}, "jaw_edge");
    labels_.block_line(tip, below, 1.0);
    labels_.block_line(tip, aside, 1.0);
  }

  void draw_part() {
    for (const Points& piece : shape_.pieces) {
      svg_.polygon(in_px(scene_.part_pose, piece), "piece");
    }
    for (const std::vector<Points>& outline : shape_.outlines) {
      std::vector<Points> polygons;
      for (const Points& loop : outline) polygons.push_back(in_px(scene_.part_pose, loop));
      svg_.region(polygons, "piece");
    }
    for (const Points& arc : shape_.boundary) {
      const Points points = in_px(scene_.part_pose, arc);
      svg_.polyline(points, "boundary");
      labels_.block_path(points, 1.0);
    }
  }

  /// The path of the part's origin, and at its end a cross along the part's axes.
  void draw_path(const Points& path_G_mm) {
    Points path;
    for (const Vec2& point : path_G_mm) path.push_back(view_.to_px(point));
    svg_.polyline(path, "path");
    svg_.circle(path.front(), 2.5, "path_start");
    constexpr double kArm_px = 6.0;
    const Rotation2 rotation(scene_.part_pose.angle_rad);
    for (const Vec2& axis : {Vec2(1, 0), Vec2(0, 1)}) {
      const Vec2 arm = kArm_px * PanelView::turned_down(rotation * axis);
      svg_.line(path.back() - arm, path.back() + arm, "origin");
    }
    labels_.block(box_about(path.back(), Vec2::Constant(2.0 * kArm_px)));
    labels_.block_path(path, 2.0);
  }

  [[nodiscard]] Vec2 arrow_px(const SceneContact& contact) const {
    return view_.px_per_n * PanelView::turned_down(contact.force_n);
  }

  void draw_contact(const SceneContact& contact) {
    const Vec2 at = view_.to_px(contact.point_G_mm);
    svg_.open_group(grip_style(contact.grip),
                    fmt::format("{} on the {}: {:.4g} N", feature_name(part_, contact.feature),
                                jaw_words(contact.side), contact.force_n.norm()));
    if (contact.grip != Grip::kResting) {
      draw_friction_cone(svg_, at, -PanelView::turned_down(contact.normal_G), contact.cone_rad());
    }
    draw_arrow(svg_, at, arrow_px(contact));
    draw_contact_mark(svg_, at, contact.grip);
    svg_.close_group();
    labels_.block(box_about(at, Vec2::Constant(2.0 * kMark_px)));
    labels_.block_line(at, at - arrow_px(contact), 4.0);
  }

  /// The size of a label with some room about it.
  static Vec2 label_size(const std::string& text) {
    return {text_width_px(text, kSmallFont_px) + 2.0, kSmallFont_px + 2.0};
  }

  /// Writes a label at the first of some places that is free.
  void label(const std::string& text, const std::vector<Vec2>& centers) {
    const Vec2 size = label_size(text);
    const std::optional<Vec2> center = labels_.place(size, centers);
    if (!center) return;
    const double rise = 0.36 * kSmallFont_px;  // half of a capital's height
    svg_.centered_text(*center + Vec2(0.0, rise), text, "label");
  }

  [[nodiscard]] bool is_touched(std::size_t piece) const {
    return std::any_of(scene_.contacts.begin(), scene_.contacts.end(), [&](const SceneContact& c) {
      return static_cast<std::size_t>(c.feature) == piece;
    });
  }

  /// Names stand inside their pieces; those of small pieces beside them, when a jaw touches them.
  void draw_piece_names() {
    for (std::size_t k = 0; k < part_.pieces.size(); ++k) {
      const Piece& piece = part_.pieces[k];
      std::vector<Vec2> centers = places_inside(piece);
      if (centers.empty() && is_touched(k)) centers = places_beside(piece);
      label(piece.name, centers);
    }
  }

  /// Names of an outline's elements stand within the part, where there is room.
  void draw_element_names() {
    for (const ElementLabel& element : scene_.labels) {
      std::vector<Vec2> centers =
          places_about(view_.to_px(element.at_G_mm), label_size(element.text), 2.0 * kMark_px,
                       PanelView::turned_down(element.inward_G));
      std::stable_partition(centers.begin(), centers.end(),
                            [&](const Vec2& place) { return contains(part_, in_part_mm(place)); });
      label(element.text, centers);
    }
  }

  [[nodiscard]] Vec2 center_px(const Piece& piece) const {
    return view_.to_px(transform(scene_.part_pose, piece.pose.position_mm));
  }

  /// A point of the picture in P.
  [[nodiscard]] Vec2 in_part_mm(const Vec2& px) const {
    return inverse_transform(scene_.part_pose, view_.to_mm(px));
  }

  [[nodiscard]] bool is_inside(const Box& box, const Piece& piece) const {
    const std::array corners = {box.min, box.max, Vec2(box.min.x(), box.max.y()),
                                Vec2(box.max.x(), box.min.y())};
    return std::all_of(corners.begin(), corners.end(), [&](const Vec2& corner) {
      return value(piece.shape, inverse_transform(piece.pose, in_part_mm(corner))) < 0;
    });
  }

  /// Places for a piece's name inside it, from the middle outwards.
  [[nodiscard]] std::vector<Vec2> places_inside(const Piece& piece) const {
    std::vector<Vec2> centers;
    for (const int row : {0, 1, -1, 2, -2, 3, -3, 4, -4, 6, -6}) {
      for (const int column : {0, 1, -1, 2, -2, 3, -3}) {
        const Vec2 center = center_px(piece) + Vec2(12.0 * column, 9.0 * row);
        if (is_inside(box_about(center, label_size(piece.name)), piece)) centers.push_back(center);
      }
    }
    return centers;
  }

  /// Places for a piece's name beside the part, near the piece, the nearest first.
  [[nodiscard]] std::vector<Vec2> places_beside(const Piece& piece) const {
    const Vec2 center = center_px(piece);
    const Vec2 outwards = center - view_.to_px(scene_.part_pose.position_mm);
    std::vector<Vec2> centers =
        places_about(center, label_size(piece.name),
                     view_.px_per_mm * piece.shape.bounding_radius_mm(), outwards);
    std::erase_if(centers, [&](const Vec2& place) { return contains(part_, in_part_mm(place)); });
    return centers;
  }

  /// The centres of boxes about a point, at growing distances beyond `radius_px` from it; at each
  /// distance that in the direction `first`, if it is not zero, comes first.
  static std::vector<Vec2> places_about(const Vec2& point, const Vec2& size, double radius_px,
                                        const Vec2& first) {
    constexpr int kHalfTurn = 8;  // of 16 directions
    const double first_angle = std::atan2(first.y(), first.x());
    std::vector<Vec2> centers;
    for (const double distance : {4.0, 10.0, 18.0, 28.0, 40.0}) {
      for (int k = 0; k <= 2 * kHalfTurn; ++k) {
        const int turn = k % 2 == 0 ? k / 2 : -(k + 1) / 2;  // 0, -1, 1, -2, 2, ...
        const double angle = first_angle + std::numbers::pi * turn / kHalfTurn;
        const Vec2 direction(std::cos(angle), std::sin(angle));
        centers.push_back(point + (radius_px + distance) * direction +
                          0.5 * direction.cwiseProduct(size));
      }
    }
    return centers;
  }

  /// The size of each force, at the arrow's tail or the contact.
  void draw_force_labels() {
    for (const SceneContact& contact : scene_.contacts) {
      if (contact.grip == Grip::kResting) continue;
      const std::string text = force_text(contact.force_n.norm());
      const Vec2 size = label_size(text);
      const Vec2 at = view_.to_px(contact.point_G_mm);
      const Vec2 arrow = arrow_px(contact);
      std::vector<Vec2> centers = places_about(at - arrow, size, 1.0, -arrow);
      const std::vector<Vec2> near = places_about(at, size, kMark_px, -arrow);
      centers.insert(centers.end(), near.begin(), near.end());
      label(text, centers);
    }
  }

  SvgWriter& svg_;
  const PanelView& view_;
  const Part& part_;
  const PartShape& shape_;
  const Scene& scene_;
  FingerShapes fingers_px_;
  LabelPlacer labels_;
};

}  // namespace

std::string force_text(double force_n) {
  return force_n >= 9.95 ? fmt::format("{:.0f} N", force_n) : fmt::format("{:.2g} N", force_n);
}

const char* grip_style(Grip grip) {
  switch (grip) {
    case Grip::kResting:
      return "rests";
    case Grip::kSticking:
      return "sticks";
    case Grip::kSliding:
      break;
  }
  return "slides";
}

void draw_contact_mark(SvgWriter& svg, const Vec2& at_px, Grip grip) {
  switch (grip) {
    case Grip::kResting:
      return svg.circle(at_px, kMark_px - 1.0, "open_mark");
    case Grip::kSticking:
      return svg.circle(at_px, kMark_px, "mark");
    case Grip::kSliding:
      break;
  }
  const double half = 1.3 * kMark_px;
  svg.polygon(
      {at_px + Vec2(half, 0), at_px + Vec2(0, half), at_px - Vec2(half, 0), at_px - Vec2(0, half)},
      "mark");
}

void draw_arrow(SvgWriter& svg, const Vec2& tip_px, const Vec2& length_px) {
  constexpr double kHead_px = 11.0;
  const double length = length_px.norm();
  if (length < 1.0) return;
  const Vec2 direction = length_px / length;
  const double head = std::min(kHead_px, length);
  const Vec2 neck = tip_px - head * direction;
  const Vec2 side = 0.4 * head * perp(direction);
  svg.line(tip_px - length_px, neck, "shaft");
  svg.polygon({tip_px, neck + side, neck - side}, "head");
}

void draw_friction_cone(SvgWriter& svg, const Vec2& apex_px, const Vec2& direction,
                        double half_angle_rad) {
  const Vec2 one = Rotation2(half_angle_rad) * direction;
  const Vec2 other = Rotation2(-half_angle_rad) * direction;
  svg.polygon({apex_px, apex_px + kCone_px * one, apex_px + kCone_px * other}, "cone");
}

void draw_trial_panel(SvgWriter& svg, const PanelView& view, const Part& part,
                      const PartShape& shape, const Scene& scene, const Pose2& start,
                      const Points& path_G_mm) {
  Panel(svg, view, part, shape, scene).draw(start, path_G_mm);
}

}  // namespace graspmap
