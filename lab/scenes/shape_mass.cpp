#include "lab/scenes/shape_mass.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace graspmap {
namespace {

/// Integrals over an area, about the origin of its axes: of 1, x and |x|^2.
struct OriginMoments {
  double area = 0.0;
  Vec2 first = Vec2::Zero();
  double polar = 0.0;

  void add(const OriginMoments& other) {
    area += other.area;
    first += other.first;
    polar += other.polar;
  }

  /// Those of the area moved by `p` after it was turned.
  [[nodiscard]] OriginMoments placed(const Rotation2& R, const Vec2& p) const {
    const Vec2 turned = R * first;
    return {area, turned + area * p, polar + 2.0 * p.dot(turned) + area * p.squaredNorm()};
  }

  [[nodiscard]] AreaIntegrals about_centroid() const {
    return {area, first / area, polar - first.squaredNorm() / area};
  }
};

OriginMoments about_origin(const AreaIntegrals& integrals) {
  const double area = integrals.area_mm2;
  const Vec2& centroid = integrals.centroid_P_mm;
  return {area, area * centroid, integrals.polar_moment_mm4 + area * centroid.squaredNorm()};
}

/// The triangle (0, a, b), by the shoelace formula.
OriginMoments triangle(const Vec2& a, const Vec2& b) {
  const double area = 0.5 * cross(a, b);
  return {area, area / 3.0 * (a + b), area / 6.0 * (a.squaredNorm() + a.dot(b) + b.squaredNorm())};
}

/// The rectangle of width r on the outer side of the edge from a to b.
OriginMoments edge_rectangle(const Vec2& a, const Vec2& b, const Vec2& normal, double r) {
  const double length = (b - a).norm();
  const double area = length * r;
  const Vec2 middle = 0.5 * (a + b) + 0.5 * r * normal;
  return {area, area * middle, area * (middle.squaredNorm() + (length * length + r * r) / 12.0)};
}

/// The sector of radius r about a vertex, between two normals.
OriginMoments corner_sector(const Vec2& vertex, const Vec2& from, const Vec2& to, double r) {
  double angle = std::atan2(cross(from, to), from.dot(to));
  if (angle <= 0.0) angle += 2.0 * std::numbers::pi;  // the half disc at the end of a rod
  const OriginMoments about_vertex{0.5 * angle * r * r, r * r * r / 3.0 * (perp(from) - perp(to)),
                                   0.25 * angle * r * r * r * r};
  return about_vertex.placed(Rotation2(), vertex);
}

OriginMoments moments_of(const RoundedPolygon& shape) {
  OriginMoments sum;
  const std::size_t count = shape.vertices.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2& begin = shape.vertices[(i + count - 1) % count];
    const Vec2& end = shape.vertices[i];
    const Vec2& normal = shape.edges[i].normal;
    sum.add(triangle(begin, end));
    sum.add(edge_rectangle(begin, end, normal, shape.radius_mm));
    sum.add(corner_sector(end, normal, shape.edges[(i + 1) % count].normal, shape.radius_mm));
  }
  return sum;
}

OriginMoments moments_of(const Superellipse& shape) {
  return about_origin(area_integrals(Part{{{"", shape, {}}}}));
}

/// The superellipses as a part; empty when there are other shapes.
Part as_part(const std::vector<PlacedShape>& shapes) {
  Part part;
  for (const PlacedShape& placed : shapes) {
    const auto* superellipse = std::get_if<Superellipse>(&placed.shape);
    if (superellipse == nullptr) return {};
    part.pieces.push_back({"", *superellipse, placed.pose});
  }
  return part;
}

}  // namespace

AreaIntegrals plate_integrals(const RoundedPolygon& shape) {
  return moments_of(shape).about_centroid();
}

AreaIntegrals plate_integrals(const std::vector<PlacedShape>& shapes) {
  const Part part = as_part(shapes);
  if (!part.pieces.empty()) return area_integrals(part);
  OriginMoments sum;
  for (const PlacedShape& placed : shapes) {
    const OriginMoments own =
        std::visit([](const auto& shape) { return moments_of(shape); }, placed.shape);
    sum.add(own.placed(Rotation2(placed.pose.angle_rad), placed.pose.position_mm));
  }
  return sum.about_centroid();
}

bool is_open(const ConvexShape& shape) { return std::isinf(bounding_radius_mm(shape)); }

ConvexShape scaled(const ConvexShape& shape, double factor) {
  if (const auto* superellipse = std::get_if<Superellipse>(&shape)) {
    return Superellipse{factor * superellipse->a_mm, factor * superellipse->b_mm,
                        superellipse->exponent};
  }
  RoundedPolygon polygon = std::get<RoundedPolygon>(shape);
  for (HalfPlane& edge : polygon.edges) edge.offset_mm *= factor;
  for (Vec2& vertex : polygon.vertices) vertex *= factor;
  polygon.radius_mm *= factor;
  return polygon;
}

}  // namespace graspmap
