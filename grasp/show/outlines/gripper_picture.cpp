#include <fmt/format.h>

#include <algorithm>

#include "grasp/show/outlines/drawing_picture.hpp"

namespace graspmap {
namespace {

constexpr double kPxPerMm = 2.5;
constexpr double kNamesPx = 250.0;  ///< the column of names
constexpr double kEdgePx = 20.0;
constexpr double kTextLinePx = 16.0;
constexpr double kLabelPx = 26.0;  ///< half of an opening's number

std::vector<Vec2> rectangle(const Vec2& low, const Vec2& high) {
  return {low, {high.x(), low.y()}, high, {low.x(), high.y()}};
}

}  // namespace

PictureShapes gripper_picture(std::span<const GripperModel> models) {
  double widest_mm = 0.0;
  for (const GripperModel& model : models) {
    widest_mm = std::max(widest_mm, model.opening_mm + 2.0 * model.pad_depth_mm);
  }
  const double width_px = kNamesPx + kPxPerMm * widest_mm + 2.0 * kEdgePx;
  const double middle_px = kNamesPx + 0.5 * (width_px - kNamesPx);
  PictureShapes picture;
  double top_px = kEdgePx;
  const auto add = [&](ShapeStyle style, std::vector<Vec2> points, const std::string& text = "") {
    picture.shapes.push_back({style, std::move(points), text});
  };
  for (const GripperModel& model : models) {
    const double height_px = std::max(kPxPerMm * model.pad_width_mm, 3.0 * kTextLinePx);
    const double y_px = top_px + 0.5 * height_px;
    const Vec2 half(0.0, 0.5 * kPxPerMm * model.pad_width_mm);
    for (const double side : {-1.0, 1.0}) {
      const Vec2 inside(middle_px + side * 0.5 * kPxPerMm * model.opening_mm, y_px);
      const Vec2 outside = inside + Vec2(side * kPxPerMm * model.pad_depth_mm, 0.0);
      add(ShapeStyle::kFinger, rectangle(inside - half, outside + half));
      const Vec2 label_end(middle_px + side * kLabelPx, y_px);
      if (side * (inside - label_end).x() > 0.0) add(ShapeStyle::kSize, {label_end, inside});
    }
    add(ShapeStyle::kLabel, {Vec2(middle_px, y_px)}, fmt::format("{}", model.opening_mm));
    const Vec2 text(kEdgePx, y_px);
    add(ShapeStyle::kNote, {text - Vec2(0, kTextLinePx)}, model.product);
    add(ShapeStyle::kNote, {text}, model.id);
    add(ShapeStyle::kNote, {text + Vec2(0, kTextLinePx)},
        fmt::format("{} N, {} mm/s on each jaw", model.force_n, model.speed_mm_s));
    top_px += height_px + kEdgePx;
  }
  add(ShapeStyle::kNote, {Vec2(kEdgePx, top_px)},
      "From above, open, to one scale. Lengths in mm; forces and speeds are the largest.");
  picture.size_px = Vec2(width_px, top_px + kEdgePx);
  return picture;
}

}  // namespace graspmap
