#include "lab/scenes/scene_shapes.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

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
  check_count(table, "vertices_mm", vertices.size(), kMostVertices);
  for (const Vec2& vertex : vertices) {
    if (vertex.cwiseAbs().maxCoeff() <= kLengths_mm.max) continue;
    table.fail("vertices_mm", fmt::format("has the vertex [{}, {}]; none may be larger than {:g}",
                                          vertex.x(), vertex.y(), kLengths_mm.max));
  }
  if (table.has("vertices_mm")) check_convex(table, vertices);
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

}  // namespace graspmap
