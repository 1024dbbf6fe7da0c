#include "lab/scenes/scene_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/assert.hpp"
#include "lab/planar/convex_shape.hpp"
#include "lab/scenes/scene_keys.hpp"

namespace graspmap {
namespace {

constexpr NumberRange kExponents{.min = 2.0, .max = 100.0};
constexpr std::int64_t kMostVertices = 10'000;

std::array<double, 2> read_lengths(const TomlTable& table, std::string_view key) {
  const std::array<double, 2> lengths = table.numbers<2>(key);
  if (!kLengths_mm.contains(lengths[0]) || !kLengths_mm.contains(lengths[1])) {
    table.fail(key, fmt::format("is [{}, {}]; both must be > 0, from {:g} to {:g}", lengths[0],
                                lengths[1], kLengths_mm.min, kLengths_mm.max));
  }
  return lengths;
}

ConvexShape read_disc(const TomlTable& table) {
  const double radius = table.number("radius_mm", kLengths_mm);
  return Superellipse{radius, radius, 2.0};
}

ConvexShape read_superellipse(const TomlTable& table) {
  const auto [a, b] = read_lengths(table, "semi_axes_mm");
  return Superellipse{a, b, table.number_or(2.0, "exponent", kExponents)};
}

/// Throws unless the vertices turn left at each of them, once around.
void check_convex(const TomlTable& table, const std::vector<Vec2>& vertices) {
  constexpr const char* kAllowed =
      "must be at least 3 vertices, counter-clockwise and strictly convex";
  const std::size_t count = vertices.size();
  if (count < 3) table.fail("vertices_mm", fmt::format("is a list of {}; {}", count, kAllowed));
  double turned = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 in = vertices[i] - vertices[(i + count - 1) % count];
    const Vec2 out = vertices[(i + 1) % count] - vertices[i];
    if (cross(in, out) <= 1e-12 * in.norm() * out.norm()) {
      table.fail("vertices_mm", fmt::format("does not turn left at vertex {} = [{}, {}]; {}", i,
                                            vertices[i].x(), vertices[i].y(), kAllowed));
    }
    turned += std::atan2(cross(in, out), in.dot(out));
  }
  if (turned > 3.0 * std::numbers::pi) {
    table.fail("vertices_mm", fmt::format("goes around more than once; {}", kAllowed));
  }
}

ConvexShape read_polygon(const TomlTable& table) {
  std::vector<Vec2> vertices;
  for (const auto& [x, y] : table.pairs("vertices_mm")) vertices.emplace_back(x, y);
  if (!table.has("vertices_mm")) return half_plane_shape();  // a stand-in until check_keys
  check_count(table, "vertices_mm", vertices.size(), kMostVertices);
  for (const Vec2& vertex : vertices) {
    if (vertex.cwiseAbs().maxCoeff() <= kLengths_mm.max) continue;
    table.fail("vertices_mm", fmt::format("has the vertex [{}, {}]; none may be larger than {:g}",
                                          vertex.x(), vertex.y(), kLengths_mm.max));
  }
  check_convex(table, vertices);
  return polygon(vertices);
}

ConvexShape read_rectangle(const TomlTable& table) {
  const auto [width, height] = read_lengths(table, "size_mm");
  const Vec2 half(0.5 * width, 0.5 * height);
  const Vec2 other(half.x(), -half.y());
  return polygon({-half, other, half, -other});
}

ConvexShape read_regular_polygon(const TomlTable& table) {
  const auto count = static_cast<int>(table.integer("vertices", 3, kMostVertices));
  const double circumradius_mm = table.number("circumradius_mm", kLengths_mm);
  return regular_polygon(count, circumradius_mm,
                         table.number_or(-0.5 * std::numbers::pi, "first_angle_rad", kAngles_rad));
}

ConvexShape read_rod(const TomlTable& table) {
  const double length_mm = table.number("length_mm", kLengths_mm);
  return rod(length_mm, table.number("radius_mm", kLengths_mm));
}

ConvexShape read_half_plane(const TomlTable&) { return half_plane_shape(); }

struct ShapeKind {
  std::string_view word;
  ConvexShape (*read)(const TomlTable& table);
};

const std::vector<ShapeKind>& shape_kinds() {
  static const std::vector<ShapeKind> kinds = {
      {"disc", read_disc},
      {"superellipse", read_superellipse},
      {"rectangle", read_rectangle},
      {"polygon", read_polygon},
      {"regular_polygon", read_regular_polygon},
      {"rod", read_rod},
      {"half_plane", read_half_plane},
  };
  return kinds;
}

}  // namespace

ConvexShape read_scene_shape(const TomlTable& table) {
  std::vector<std::string_view> words;
  for (const ShapeKind& kind : shape_kinds()) words.push_back(kind.word);
  return shape_kinds()[table.kind("kind", words)].read(table);
}

PlacedShape read_scene_piece(const TomlTable& table) {
  PlacedShape placed;
  placed.shape = read_scene_shape(table);
  if (table.has("position_mm")) {
    const auto [x, y] = read_components2(table, "position_mm");
    placed.pose.position_mm = {x, y};
  }
  placed.pose.angle_rad = table.number_or(0.0, "angle_rad", kAngles_rad);
  table.check_keys();
  return placed;
}

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
  GRASPMAP_CHECK(factor > 0.0);
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

namespace {

/// The depth of B's core below the edge of A that it is least below; <= 0 when an edge separates.
double depth_below_edges(const RoundedPolygon& a, const Pose2& X_GA, const RoundedPolygon& b,
                         const Pose2& X_GB) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<Vec2> in_a;
  for (const Vec2& vertex : b.vertices) {
    in_a.push_back(inverse_transform(X_GA, transform(X_GB, vertex)));
  }
  for (const HalfPlane& edge : a.edges) {
    double depth = 0.0;
    for (const Vec2& vertex : in_a) depth = std::max(depth, -value(edge, vertex));
    least = std::min(least, depth);
  }
  return least;
}

/// By the separating axes of the cores: two rods may cross without a vertex of one in the other.
double core_overlap_mm(const RoundedPolygon& a, const Pose2& X_GA, const RoundedPolygon& b,
                       const Pose2& X_GB) {
  if (!a.is_closed() || !b.is_closed()) return 0.0;
  return std::min(depth_below_edges(a, X_GA, b, X_GB), depth_below_edges(b, X_GB, a, X_GA));
}

double body_overlap_mm(const PlanarBody& a, const Vec3& pose_a, const PlanarBody& b,
                       const Vec3& pose_b) {
  const Pose2 X_GA{pose_a.head<2>(), pose_a[2]};
  const Pose2 X_GB{pose_b.head<2>(), pose_b[2]};
  double deepest = 0.0;
  for (const PlacedShape& piece_a : a.shapes) {
    for (const PlacedShape& piece_b : b.shapes) {
      deepest = std::max(deepest, overlap_mm({piece_a.shape, compose(X_GA, piece_a.pose)},
                                             {piece_b.shape, compose(X_GB, piece_b.pose)}));
    }
  }
  return deepest;
}

/// How deep two bodies may overlap by their law: as deep as a soft layer, or without limit.
double lawful_depth_mm(const PlanarScene& scene, std::size_t a, std::size_t b) {
  const ContactLaw law = contact_law(scene, static_cast<int>(a), static_cast<int>(b));
  if (!law.touch) return std::numeric_limits<double>::infinity();
  return law.soft ? law.soft->max_deflection_mm : max_deflection_mm(law.layers);
}

}  // namespace

double overlap_mm(const PlacedShape& a, const PlacedShape& b) {
  std::vector<ContactFeature> features;
  near_features(a.shape, a.pose, b.shape, b.pose, 0.0, features);
  double deepest = 0.0;
  for (const ContactFeature& feature : features) {
    deepest = std::max(deepest, -shape_contact(a.shape, a.pose, b.shape, b.pose, feature).gap_mm);
  }
  const auto* core_a = std::get_if<RoundedPolygon>(&a.shape);
  const auto* core_b = std::get_if<RoundedPolygon>(&b.shape);
  if (core_a == nullptr || core_b == nullptr) return deepest;
  return std::max(deepest, core_overlap_mm(*core_a, a.pose, *core_b, b.pose));
}

std::optional<BodyOverlap> deepest_overlap(const PlanarScene& scene,
                                           const std::vector<Vec3>& poses) {
  constexpr double kRounding = 1e-6;
  std::optional<BodyOverlap> deepest;
  std::vector<double> radii;
  for (const PlanarBody& body : scene.bodies) radii.push_back(bounding_radius_mm(body));
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < scene.bodies.size(); ++j) {
      const PlanarBody& a = scene.bodies[i];
      const PlanarBody& b = scene.bodies[j];
      if (!a.moves_freely() && !b.moves_freely()) continue;
      const double apart = (poses[i] - poses[j]).head<2>().norm();
      if (apart > radii[i] + radii[j]) continue;
      const double depth = body_overlap_mm(a, poses[i], b, poses[j]) - lawful_depth_mm(scene, i, j);
      if (depth <= kRounding * std::min(radii[i], radii[j])) continue;
      if (deepest && depth <= deepest->depth_mm) continue;
      deepest = {static_cast<int>(i), static_cast<int>(j), depth};
    }
  }
  return deepest;
}

}  // namespace graspmap
