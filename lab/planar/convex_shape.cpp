#include "lab/planar/convex_shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {
namespace {

/// Step of the search for a bracket of the contact's normal, rad. Larger: more bisection
/// afterwards. Smaller: more steps to the bracket.
constexpr double kNormalBracketRad = 0.1;

/// A Newton step of the normal longer than this times the last one is replaced by bisection.
/// Larger: slow convergence on flat spots. Smaller: Newton's steps are refused near the root.
constexpr double kSlowNormalStep = 0.5;

/// How far an edge's normal may lie outside of the normals' cone at a vertex that stands on the
/// edge: the sine of 30 degrees. Larger: vertices beside an edge stand on it. Smaller: a tilted box
/// that overlaps slightly loses its contacts.
constexpr double kStandingSlack = 0.5;

HalfPlane edge_through(const Vec2& from, const Vec2& to) {
  const Vec2 normal = -perp(to - from).normalized();
  return {normal, normal.dot(from)};
}

}  // namespace

RoundedPolygon half_plane_shape() { return {{HalfPlane{{0.0, 1.0}, 0.0}}, {}, 0.0}; }

RoundedPolygon polygon(const std::vector<Vec2>& vertices_mm) {
  GRASPMAP_CHECK(vertices_mm.size() >= 3);
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
  GRASPMAP_CHECK(length_mm > 0.0 && radius_mm > 0.0);
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
  GRASPMAP_ASSERT(!shape.edges.empty());
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

namespace {

HalfPlane placed(const HalfPlane& edge, const Pose2& pose) {
  const Vec2 normal = Rotation2(pose.angle_rad) * edge.normal;
  return {normal, edge.offset_mm + normal.dot(pose.position_mm)};
}

RoundedWedge wedge_at(const RoundedPolygon& shape, std::size_t vertex, const Pose2& pose) {
  const Rotation2 R(pose.angle_rad);
  const std::size_t next = (vertex + 1) % shape.edges.size();
  return {transform(pose, shape.vertices[vertex]),
          {R * shape.edges[vertex].normal, R * shape.edges[next].normal},
          shape.radius_mm};
}

ConvexRegion region(const Superellipse& shape, const Pose2& pose) {
  return ConvexRegion{{PlacedSuperellipse{shape, pose}}};
}

ConvexRegion region(const RoundedPolygon& shape, const Pose2& pose) {
  ConvexRegion region;
  if (shape.radius_mm == 0.0) {
    for (const HalfPlane& edge : shape.edges) region.functions.emplace_back(placed(edge, pose));
  } else {
    for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
      region.functions.emplace_back(wedge_at(shape, i, pose));
    }
  }
  return region;
}

double bounding_radius(const Superellipse& shape) { return shape.bounding_radius_mm(); }
double bounding_radius(const RoundedPolygon& shape) { return bounding_radius_mm(shape); }

}  // namespace

double bounding_radius_mm(const ConvexShape& shape) {
  return std::visit([](const auto& s) { return bounding_radius(s); }, shape);
}

ConvexRegion region_at(const ConvexShape& shape, const Pose2& pose) {
  return std::visit([&](const auto& s) { return region(s, pose); }, shape);
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A boundary point of a superellipse carried into G.
struct PlacedPoint {
  Vec2 position_mm{0, 0};
  double radius_mm = 0.0;
};

PlacedPoint support_point_at(const Superellipse& shape, const Pose2& pose, const Vec2& u) {
  const Rotation2 R(pose.angle_rad);
  const BoundaryPoint point = support_boundary_point(shape, R.inverse_times(u));
  return {pose.position_mm + R * point.position_mm, 1.0 / point.curvature_per_mm};
}

/// The extreme points of two superellipses along a normal at angle phi, with the slope of
/// psi(phi) = n . (c_A - c_B) - h_A(-n) - h_B(n), which is t . (a - b).
struct AlongNormal {
  Vec2 n{0, 0};
  PlacedPoint a;
  PlacedPoint b;
  double psi = 0.0;
  double slope = 0.0;
};

class SmoothPair {
 public:
  SmoothPair(const Superellipse& a, const Pose2& X_GA, const Superellipse& b, const Pose2& X_GB)
      : a_(a), X_GA_(X_GA), b_(b), X_GB_(X_GB) {}

  [[nodiscard]] AlongNormal at(double phi) const {
    AlongNormal along;
    along.n = unit_vector(phi);
    along.a = support_point_at(a_, X_GA_, -along.n);
    along.b = support_point_at(b_, X_GB_, along.n);
    const Vec2 apart = along.a.position_mm - along.b.position_mm;
    along.psi = along.n.dot(apart);
    along.slope = perp(along.n).dot(apart);
    return along;
  }

  /// The maximum of psi: bracketed from the line of centres, then Newton (psi'' = -(psi + rho_a +
  /// rho_b)), with bisection where it leaves the bracket or is slow.
  [[nodiscard]] AlongNormal closest() const {
    const Vec2 apart = X_GA_.position_mm - X_GB_.position_mm;
    double low =
        apart == Vec2::Zero() ? 0.5 * std::numbers::pi : elementary::atan2(apart.y(), apart.x());
    double high = low;
    AlongNormal at_low = at(low);
    AlongNormal at_high = at_low;
    if (at_low.slope == 0.0) return at_low;
    if (at_low.slope > 0.0) {
      while (high - low < std::numbers::pi && at_high.slope > 0.0) {
        at_high = at(high += kNormalBracketRad);
      }
    } else {
      while (high - low < std::numbers::pi && at_low.slope < 0.0) {
        at_low = at(low -= kNormalBracketRad);
      }
    }
    double phi = 0.5 * (low + high);
    double last_step = high - low;
    for (int i = 0; i < tolerances::kMostIterations && phi > low && phi < high; ++i) {
      const AlongNormal now = at(phi);
      if (now.slope == 0.0) return now;
      (now.slope > 0.0 ? low : high) = phi;
      (now.slope > 0.0 ? at_low : at_high) = now;
      const double step = now.slope / (now.psi + now.a.radius_mm + now.b.radius_mm);
      const double newton = phi + step;
      const bool good =
          newton > low && newton < high && std::abs(step) < kSlowNormalStep * last_step;
      const double next = good ? newton : 0.5 * (low + high);
      last_step = good ? std::abs(step) : high - low;
      phi = next;
    }
    return between(at_low, at_high);
  }

 private:
  /// The points between those of two normals that differ by rounding, such that they lie along the
  /// normal: on a flat spot a rounding error of the normal moves a point far.
  static AlongNormal between(const AlongNormal& low, const AlongNormal& high) {
    const double range = low.slope - high.slope;
    const double part = range > 0.0 ? low.slope / range : 0.0;
    AlongNormal result = low;
    result.a.position_mm += part * (high.a.position_mm - low.a.position_mm);
    result.b.position_mm += part * (high.b.position_mm - low.b.position_mm);
    result.psi = result.n.dot(result.a.position_mm - result.b.position_mm);
    result.slope = 0.0;
    return result;
  }

  const Superellipse& a_;
  const Pose2& X_GA_;
  const Superellipse& b_;
  const Pose2& X_GB_;
};

ShapeContact smooth_contact(const Superellipse& a, const Pose2& X_GA, const Superellipse& b,
                            const Pose2& X_GB) {
  if (a.is_disc() && b.is_disc() && X_GA.position_mm != X_GB.position_mm) {
    const Vec2 apart = X_GA.position_mm - X_GB.position_mm;
    const Vec2 n = apart.normalized();
    return {apart.norm() - a.a_mm - b.a_mm, n,      X_GA.position_mm - a.a_mm * n,
            X_GB.position_mm + b.a_mm * n,  a.a_mm, b.a_mm};
  }
  const AlongNormal along = SmoothPair(a, X_GA, b, X_GB).closest();
  return {along.psi,           along.n,           along.a.position_mm,
          along.b.position_mm, along.a.radius_mm, along.b.radius_mm};
}

/// A superellipse A against the edges and vertices of a polygon B. The edge with the largest gap
/// holds the closest point, or one of its ends does.
ShapeContact smooth_polygon_contact(const Superellipse& a, const Pose2& X_GA,
                                    const RoundedPolygon& b, const Pose2& X_GB) {
  const Rotation2 R_GB(X_GB.angle_rad);
  const Vec2 centre_B = inverse_transform(X_GB, X_GA.position_mm);
  double gap = -kInfinity;
  std::size_t best = 0;
  PlacedPoint on_a;
  for (std::size_t k = 0; k < b.edges.size(); ++k) {
    if (value(b.edges[k], centre_B) <= gap) continue;  // its gap is smaller still
    const Vec2 n = R_GB * b.edges[k].normal;
    const PlacedPoint point = support_point_at(a, X_GA, -n);
    const double candidate = n.dot(point.position_mm - X_GB.position_mm) - b.edges[k].offset_mm;
    if (candidate > gap) {
      gap = candidate;
      best = k;
      on_a = point;
    }
  }
  const int end = vertex_beyond(b, best, inverse_transform(X_GB, on_a.position_mm));
  if (end < 0) {
    const Vec2 n = R_GB * b.edges[best].normal;
    gap -= b.radius_mm;
    return {gap, n, on_a.position_mm, on_a.position_mm - gap * n, on_a.radius_mm, kInfinity};
  }
  const Vec2 vertex = transform(X_GB, b.vertices[static_cast<std::size_t>(end)]);
  const Rotation2 R_GA(X_GA.angle_rad);
  const BoundaryPoint boundary = closest_boundary_point(a, inverse_transform(X_GA, vertex));
  const Vec2 n = -(R_GA * boundary.normal);
  const Vec2 point = X_GA.position_mm + R_GA * boundary.position_mm;
  return {n.dot(point - vertex) - b.radius_mm, n,          point, vertex + b.radius_mm * n,
          1.0 / boundary.curvature_per_mm,     b.radius_mm};
}

/// True when `outward` (in A's axes) is about a normal of polygon A at a vertex: in the cone of its
/// edges' normals, or not far from it.
bool is_normal_at(const RoundedPolygon& a, std::size_t vertex, const Vec2& outward) {
  const Vec2& first = a.edges[vertex].normal;
  const Vec2& next = a.edges[(vertex + 1) % a.edges.size()].normal;
  return cross(first, outward) >= -kStandingSlack && cross(outward, next) >= -kStandingSlack &&
         outward.dot(first + next) >= -kStandingSlack;
}

/// The pose of a polygon A in another one's frame B.
struct PolygonPlace {
  Vec2 position_mm{0, 0};
  Rotation2 R;
};

PolygonPlace place_in(const Pose2& X_GB, const Pose2& X_GA) {
  return {inverse_transform(X_GB, X_GA.position_mm), Rotation2(X_GA.angle_rad - X_GB.angle_rad)};
}

/// The point of polygon B's core opposite to a vertex of polygon A. For a vertex inside of B, or on
/// its boundary to rounding, it is on the closest edge that the vertex can stand on: of two
/// boxes flush on each other the vertices stand on the horizontal edges, not beside the vertical
/// ones, which are as close.
CoreProjection vertex_foot(const RoundedPolygon& a, std::size_t vertex, const RoundedPolygon& b,
                           const PolygonPlace& X_BA) {
  const Vec2 x = X_BA.position_mm + X_BA.R * a.vertices[vertex];
  CoreProjection foot = project_to_core(b, x);
  if (foot.distance_mm > tolerances::kRounding * (1.0 + x.norm())) return foot;
  double closest = -kInfinity;
  for (const HalfPlane& edge : b.edges) {
    const double distance = value(edge, x);
    if (distance <= closest || !is_normal_at(a, vertex, X_BA.R.inverse_times(-edge.normal)))
      continue;
    closest = distance;
    foot = {distance, edge.normal, x - distance * edge.normal, true};
  }
  return foot;
}

/// Vertex `vertex` of polygon A against polygon B.
ShapeContact vertex_contact(const RoundedPolygon& a, const Pose2& X_GA, int vertex,
                            const RoundedPolygon& b, const Pose2& X_GB) {
  const Vec2 v = transform(X_GA, a.vertices[static_cast<std::size_t>(vertex)]);
  const CoreProjection foot =
      vertex_foot(a, static_cast<std::size_t>(vertex), b, place_in(X_GB, X_GA));
  const Vec2 n = Rotation2(X_GB.angle_rad) * foot.normal;
  return {foot.distance_mm - a.radius_mm - b.radius_mm,
          n,
          v - a.radius_mm * n,
          transform(X_GB, foot.point_mm) + b.radius_mm * n,
          a.radius_mm,
          foot.on_edge ? kInfinity : b.radius_mm};
}

/// The same contact seen from the other shape.
ShapeContact swapped(const ShapeContact& contact) {
  return {contact.gap_mm,  -contact.normal,     contact.on_b_mm,
          contact.on_a_mm, contact.radius_b_mm, contact.radius_a_mm};
}

struct Contact {
  const Pose2& X_GA;
  const Pose2& X_GB;
  const ContactFeature& feature;

  ShapeContact operator()(const Superellipse& a, const Superellipse& b) const {
    return smooth_contact(a, X_GA, b, X_GB);
  }
  ShapeContact operator()(const Superellipse& a, const RoundedPolygon& b) const {
    return smooth_polygon_contact(a, X_GA, b, X_GB);
  }
  ShapeContact operator()(const RoundedPolygon& a, const Superellipse& b) const {
    return swapped(smooth_polygon_contact(b, X_GB, a, X_GA));
  }
  ShapeContact operator()(const RoundedPolygon& a, const RoundedPolygon& b) const {
    if (feature.kind == ContactFeature::Kind::kVertexOfB) {
      return swapped(vertex_contact(b, X_GB, feature.vertex, a, X_GA));
    }
    return vertex_contact(a, X_GA, feature.vertex, b, X_GB);
  }
};

/// Vertices of polygon A that are within reach of polygon B, without those closest to a vertex of
/// B when `edges_only`.
void near_vertices(const RoundedPolygon& a, const Pose2& X_GA, const RoundedPolygon& b,
                   const Pose2& X_GB, double reach_mm, ContactFeature::Kind kind, bool edges_only,
                   std::vector<ContactFeature>& features) {
  const double reach = reach_mm + a.radius_mm + b.radius_mm;
  const PolygonPlace X_BA = place_in(X_GB, X_GA);
  for (std::size_t i = 0; i < a.vertices.size(); ++i) {
    const CoreProjection foot = vertex_foot(a, i, b, X_BA);
    if (foot.distance_mm <= reach && (foot.on_edge || !edges_only)) {
      features.push_back({kind, static_cast<int>(i)});
    }
  }
}

}  // namespace

ShapeContact shape_contact(const ConvexShape& a, const Pose2& X_GA, const ConvexShape& b,
                           const Pose2& X_GB, const ContactFeature& feature) {
  return std::visit(Contact{X_GA, X_GB, feature}, a, b);
}

void near_features(const ConvexShape& a, const Pose2& X_GA, const ConvexShape& b, const Pose2& X_GB,
                   double reach_mm, std::vector<ContactFeature>& features) {
  const double centres = (X_GA.position_mm - X_GB.position_mm).norm();
  if (centres - bounding_radius_mm(a) - bounding_radius_mm(b) > reach_mm) return;
  const auto* polygon_a = std::get_if<RoundedPolygon>(&a);
  const auto* polygon_b = std::get_if<RoundedPolygon>(&b);
  if (polygon_a == nullptr || polygon_b == nullptr) {
    const ContactFeature whole;
    if (shape_contact(a, X_GA, b, X_GB, whole).gap_mm <= reach_mm) features.push_back(whole);
    return;
  }
  near_vertices(*polygon_a, X_GA, *polygon_b, X_GB, reach_mm, ContactFeature::Kind::kVertexOfA,
                false, features);
  near_vertices(*polygon_b, X_GB, *polygon_a, X_GA, reach_mm, ContactFeature::Kind::kVertexOfB,
                true, features);
}

}  // namespace graspmap
