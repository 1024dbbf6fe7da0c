#include "geometry/rounded_polygon.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numbers>

#include "geometry/unit_vector.hpp"

namespace graspmap {
namespace {

HalfPlane edge_through(const Vec2& from, const Vec2& to) {
  const Vec2 normal = -perp(to - from).normalized();
  return {normal, normal.dot(from)};
}

}  // namespace

RoundedPolygon half_plane_shape() { return {{HalfPlane{{0.0, 1.0}, 0.0}}, {}, 0.0}; }

RoundedPolygon polygon(const std::vector<Vec2>& vertices_mm) {
  RoundedPolygon shape;
  shape.vertices = vertices_mm;
  const std::size_t count = vertices_mm.size();
  for (std::size_t i = 0; i < count; ++i) {
    shape.edges.push_back(edge_through(vertices_mm[(i + count - 1) % count], vertices_mm[i]));
  }
  return shape;
}

RoundedPolygon regular_polygon(int count, double circumradius_mm, double first_angle_rad) {
  std::vector<Vec2> vertices;
  for (int i = 0; i < count; ++i) {
    const double angle = first_angle_rad + 2.0 * std::numbers::pi * i / count;
    vertices.push_back(circumradius_mm * unit_vector(angle));
  }
  return polygon(vertices);
}

RoundedPolygon rod(double length_mm, double radius_mm) {
  const Vec2 end(0.5 * length_mm, 0.0);
  return {{HalfPlane{{0.0, -1.0}, 0.0}, HalfPlane{{0.0, 1.0}, 0.0}}, {end, -end}, radius_mm};
}

RoundedPolygon inscribed_polygon(const Superellipse& shape, int count) {
  std::vector<Vec2> vertices;
  for (int i = 0; i < count; ++i) {
    const double parameter = (2.0 * i / count - 0.5) * std::numbers::pi;
    vertices.push_back(boundary_point(shape, parameter).position_mm);
  }
  return polygon(vertices);
}

int vertex_beyond(const RoundedPolygon& shape, std::size_t edge, const Vec2& x_mm) {
  const std::size_t edges = shape.edges.size();
  const std::size_t previous = (edge + edges - 1) % edges;
  const bool has_begin = shape.is_closed() || edge > 0;
  const bool has_end = shape.is_closed() || edge + 1 < edges;
  const Vec2 along = perp(shape.edges[edge].normal);
  if (has_end && along.dot(x_mm - shape.vertices[edge]) > 0.0) return static_cast<int>(edge);
  if (has_begin && along.dot(x_mm - shape.vertices[previous]) < 0.0) {
    return static_cast<int>(previous);
  }
  return -1;
}

double bounding_radius_mm(const RoundedPolygon& shape) {
  if (!shape.is_closed()) return std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (const Vec2& vertex : shape.vertices) largest = std::max(largest, vertex.norm());
  return largest + shape.radius_mm;
}

CoreProjection project_to_core(const RoundedPolygon& shape, const Vec2& x_mm) {
  // The edge that x is furthest out of holds the closest point, or one of its ends does.
  std::size_t k = 0;
  double distance = value(shape.edges[0], x_mm);
  for (std::size_t i = 1; i < shape.edges.size(); ++i) {
    const double candidate = value(shape.edges[i], x_mm);
    if (candidate > distance) {
      distance = candidate;
      k = i;
    }
  }
  const HalfPlane& edge = shape.edges[k];
  const CoreProjection on_edge{distance, edge.normal, x_mm - distance * edge.normal, true};
  const int end = vertex_beyond(shape, k, x_mm);
  if (distance < 0.0 || end < 0) return on_edge;
  const Vec2& vertex = shape.vertices[static_cast<std::size_t>(end)];
  const Vec2 away = x_mm - vertex;
  if (away == Vec2::Zero()) return on_edge;
  return {away.norm(), away.normalized(), vertex, false};
}

}  // namespace graspmap
