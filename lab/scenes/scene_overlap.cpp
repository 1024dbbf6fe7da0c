#include "lab/scenes/scene_overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/shape_contact.hpp"

namespace graspmap {
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
