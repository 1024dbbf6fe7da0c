#pragma once

#include <vector>

#include "geometry/half_plane.hpp"
#include "geometry/superellipse.hpp"

namespace graspmap {

/// A convex polygon, closed or open to infinity, grown by a disc: the points within `radius_mm` of
/// the core { x : edges[i](x) <= 0 for all i }. A half-plane is open with one edge, a jaw open with
/// two, a rod closed with two edges back to back.
struct RoundedPolygon {
  std::vector<HalfPlane> edges;  ///< outward unit normals, by increasing angle
  std::vector<Vec2> vertices;    ///< of the core: vertices[i] ends edge i and begins the next one
  double radius_mm = 0.0;        ///< >= 0

  /// False for a shape that reaches to infinity.
  [[nodiscard]] bool is_closed() const { return vertices.size() == edges.size(); }
};

/// The half-plane y <= 0.
RoundedPolygon half_plane_shape();

/// The closed polygon with these vertices, counter-clockwise and strictly convex, at least three.
RoundedPolygon polygon(const std::vector<Vec2>& vertices_mm);

/// The regular polygon with `count` >= 3 vertices on a circle, the first at `first_angle_rad`.
RoundedPolygon regular_polygon(int count, double circumradius_mm, double first_angle_rad);

/// A rod along x: a segment of length `length_mm` > 0 with half discs of `radius_mm` > 0 at its
/// ends.
RoundedPolygon rod(double length_mm, double radius_mm);

/// The polygon with `count` >= 3 vertices on the superellipse's boundary, equally spaced in its
/// boundary parameter, the first at -pi/2.
RoundedPolygon inscribed_polygon(const Superellipse& shape, int count);

/// The largest distance of a point of the shape from the origin, infinity when it is open.
double bounding_radius_mm(const RoundedPolygon& shape);

/// The index of the vertex of an edge beyond which x projects, or -1 when x projects onto the edge.
int vertex_beyond(const RoundedPolygon& shape, std::size_t edge, const Vec2& x_mm);

/// The point of a core that is closest to a point x, or x on the closest edge when x is inside.
struct CoreProjection {
  double distance_mm = 0.0;  ///< > 0 outside of the core, <= 0 inside
  Vec2 normal{0, 0};         ///< from the core's point towards x; the edge's normal inside
  Vec2 point_mm{0, 0};
  bool on_edge = false;  ///< false: on a vertex
};

/// Projects x onto the core, the shape without its radius.
CoreProjection project_to_core(const RoundedPolygon& shape, const Vec2& x_mm);

}  // namespace graspmap
