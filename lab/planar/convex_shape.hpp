#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "geometry/convex_region.hpp"
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

/// A convex shape in its own axes.
using ConvexShape = std::variant<Superellipse, RoundedPolygon>;

/// A convex piece of a body: X_BA places the shape's axes in the body's frame.
struct PlacedShape {
  ConvexShape shape;
  Pose2 pose;
};

/// The largest distance of a point of the shape from its origin, infinity when it is open.
double bounding_radius_mm(const ConvexShape& shape);

/// The shape at a pose as an intersection of convex functions, Chakraborty et al. 2014, eq. (23):
/// one for a superellipse, one an edge for a polygon, one a vertex for a rounded polygon.
ConvexRegion region_at(const ConvexShape& shape, const Pose2& pose);

/// Which features of two shapes A and B a contact is between. Two polygons touch at vertices, so
/// each vertex of one and the whole other are a contact of their own; all other pairs have one.
struct ContactFeature {
  enum class Kind : std::uint8_t { kWhole, kVertexOfA, kVertexOfB };
  Kind kind = Kind::kWhole;
  int vertex = 0;  ///< index into RoundedPolygon::vertices, 0 for kWhole

  bool operator==(const ContactFeature&) const = default;
};

/// The closest points of two shapes, in the frame G of both poses.
struct ShapeContact {
  double gap_mm = 0.0;  ///< psi: distance when apart, minus the penetration depth when not
  Vec2 normal{0, 0};    ///< n, unit, out of B into A
  Vec2 on_a_mm{0, 0};
  Vec2 on_b_mm{0, 0};
  double radius_a_mm = 0.0;  ///< of curvature at on_a: 0 at a sharp vertex, infinity on an edge
  double radius_b_mm = 0.0;
};

/// psi = max over unit normals n of n . (c_A - c_B) - h_A(-n) - h_B(n), h the support functions:
/// the distance of the closest points, Chakraborty et al. 2014, eq. (9)-(14). Exact to rounding
/// when apart, touching, or overlapping by less than the radii of curvature.
ShapeContact shape_contact(const ConvexShape& a, const Pose2& X_GA, const ConvexShape& b,
                           const Pose2& X_GB, const ContactFeature& feature);

/// Appends the features whose gap is at most `reach_mm`, in a fixed order. Where two vertices are
/// closest to each other, the one of A stands for both.
void near_features(const ConvexShape& a, const Pose2& X_GA, const ConvexShape& b, const Pose2& X_GB,
                   double reach_mm, std::vector<ContactFeature>& features);

}  // namespace graspmap
