#include "lab/scenes/scene_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "lab/scenes/picture_window.hpp"
#include "lab/scenes/scene_colors.hpp"
#include "lab/scenes/shape_mass.hpp"

namespace graspmap {
namespace {

constexpr double kPi = std::numbers::pi;

const PlanarBody& body_at(const PlanarScene& scene, int body) {
  return scene.bodies[static_cast<std::size_t>(body)];
}

const Vec3& pose_at(const PlanarSnapshot& at, int body) {
  return at.poses[static_cast<std::size_t>(body)];
}

DrawnPolygon outline(const Superellipse& shape, int points) {
  DrawnPolygon outline;
  for (int k = 0; k < points; ++k) {
    outline.push_back(boundary_point(shape, 2.0 * kPi * k / points).position_mm);
  }
  return outline;
}

/// The boundary of a closed rounded polygon: an arc about each vertex.
DrawnPolygon outline(const RoundedPolygon& shape, int points) {
  if (shape.radius_mm == 0.0) return shape.vertices;
  DrawnPolygon outline;
  for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
    const Vec2& from = shape.edges[i].normal;
    const Vec2& to = shape.edges[(i + 1) % shape.edges.size()].normal;
    double angle = std::atan2(cross(from, to), from.dot(to));
    if (angle <= 0.0) angle += 2.0 * kPi;
    const int steps = std::max(1, static_cast<int>(std::ceil(points * angle / (2.0 * kPi))));
    for (int k = 0; k <= steps; ++k) {
      outline.push_back(shape.vertices[i] +
                        shape.radius_mm * (Rotation2(angle * k / steps) * from));
    }
  }
  return outline;
}

/// The part of a polygon in a half-plane (Sutherland and Hodgman).
DrawnPolygon clipped(const DrawnPolygon& polygon, const HalfPlane& half_plane) {
  DrawnPolygon inside;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2& a = polygon[i];
    const Vec2& b = polygon[(i + 1) % polygon.size()];
    const double f_a = value(half_plane, a);
    const double f_b = value(half_plane, b);
    if (f_a <= 0) inside.push_back(a);
    if ((f_a <= 0) != (f_b <= 0)) inside.push_back(a + f_a / (f_a - f_b) * (b - a));
  }
  return inside;
}

/// The points of a full turn for a shape that is as large as this in the window.
int points_per_turn(const ConvexShape& shape, const Box& window) {
  const double share = bounding_radius_mm(shape) / (window.max - window.min).x();
  return std::clamp(static_cast<int>(720.0 * share), 16, 96);
}

DrawnPolygon rectangle(const Box& box) {
  return {box.min, {box.max.x(), box.min.y()}, box.max, {box.min.x(), box.max.y()}};
}

/// An open shape as far as the window shows it.
DrawnPolygon open_outline(const RoundedPolygon& shape, const Pose2& pose, const Box& window) {
  DrawnPolygon polygon = rectangle(window);
  const Rotation2 R(pose.angle_rad);
  for (const HalfPlane& edge : shape.edges) {
    const Vec2 normal = R * edge.normal;
    polygon =
        clipped(polygon, {normal, edge.offset_mm + shape.radius_mm + normal.dot(pose.position_mm)});
  }
  return polygon;
}

DrawnPolygon placed_outline(const PlacedShape& placed, const Vec3& pose, int points,
                            const Box& window) {
  const Pose2 X_GA = compose({pose.head<2>(), pose[2]}, placed.pose);
  if (is_open(placed.shape)) {
    return open_outline(std::get<RoundedPolygon>(placed.shape), X_GA, window);
  }
  DrawnPolygon polygon =
      std::visit([&](const auto& shape) { return outline(shape, points); }, placed.shape);
  for (Vec2& point : polygon) point = transform(X_GA, point);
  return polygon;
}

void add_closed_shapes(const PlanarBody& body, const Vec3& pose, GrowingBox& box) {
  constexpr int kRough = 16;
  for (const PlacedShape& placed : body.shapes) {
    if (is_open(placed.shape)) continue;
    for (const Vec2& point : placed_outline(placed, pose, kRough, {})) box.add(point);
  }
}

std::string point_line(const Vec2& p) { return fmt::format("{:.6g} {:.6g}\n", p.x(), p.y()); }

}  // namespace

std::vector<DrawnPolygon> body_outlines(const PlanarBody& body, const Vec3& pose,
                                        const Box& window) {
  std::vector<DrawnPolygon> outlines;
  for (const PlacedShape& placed : body.shapes) {
    const int points = is_open(placed.shape) ? 0 : points_per_turn(placed.shape, window);
    outlines.push_back(placed_outline(placed, pose, points, window));
  }
  return outlines;
}

Box scene_window_mm(const SceneFile& file, const PlanarRecording& recording) {
  GrowingBox moving;
  for (std::size_t k = 0; k < file.scene.bodies.size(); ++k) {
    const PlanarBody& body = file.scene.bodies[k];
    if (!body.moves_freely()) continue;
    for (const PlanarSample& sample : recording.samples) {
      add_closed_shapes(body, sample.shown.poses[k], moving);
    }
  }
  GrowingBox all = moving;
  for (const PlanarBody& body : file.scene.bodies) {
    GrowingBox fixed;
    if (!body.moves_freely()) add_closed_shapes(body, body.pose, fixed);
    if (!fixed.is_empty() && is_near(moving, fixed)) all.add(fixed);
  }
  return window_about(all);
}

std::string block_color(const SceneFile& file, std::size_t block) {
  const auto moves = [&](std::size_t k) {
    return body_at(file.scene, file.blocks[k].bodies.front()).moves_freely();
  };
  if (!moves(block)) return kFixedColor;
  std::size_t before = 0;
  for (std::size_t k = 0; k < block; ++k) before += moves(k) ? 1 : 0;
  return moving_color(before);
}

std::string outlines_data(const SceneFile& file, std::size_t block, const PlanarSnapshot& at,
                          const Box& window) {
  std::string data;
  for (const int body : file.blocks[block].bodies) {
    for (const DrawnPolygon& polygon :
         body_outlines(body_at(file.scene, body), pose_at(at, body), window)) {
      if (polygon.empty()) continue;
      for (const Vec2& point : polygon) data += point_line(point);
      data += point_line(polygon.front()) + "\n";
    }
  }
  return data.empty() ? "NaN NaN\n" : data;
}

std::string marks_data(const SceneFile& file, std::size_t block, const PlanarSnapshot& at,
                       const Box& window) {
  std::string data;
  for (const int body : file.blocks[block].bodies) {
    const PlanarBody& of = body_at(file.scene, body);
    const Vec3& pose = pose_at(at, body);
    if (!of.moves_freely()) continue;
    const auto polygons = body_outlines(of, pose, window);
    data += point_line(pose.head<2>()) + point_line(polygons.front().front()) + "\n";
  }
  return data.empty() ? "NaN NaN\n" : data;
}

}  // namespace graspmap
