#include "geometry/convex_shape.hpp"

namespace graspmap {
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

}  // namespace graspmap
