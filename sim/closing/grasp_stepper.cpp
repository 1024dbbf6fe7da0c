#include "sim/closing/grasp_stepper.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "geometry/convex_shape.hpp"

namespace graspmap {

PlacedShape piece_shape(const Scenario& scenario, const Piece& piece) {
  const Pose2 pose{piece.pose.position_mm - scenario.mass.center_of_mass_P_mm,
                   piece.pose.angle_rad};
  if (scenario.polygon_vertices == 0) return {piece.shape, pose};
  return {inscribed_polygon(piece.shape, scenario.polygon_vertices), pose};
}

RoundedPolygon jaw_shape(JawSide side) {
  const HalfPlane inside{inside_normal(side), 0.0};
  const HalfPlane top{top_normal(), 0.0};
  RoundedPolygon shape;
  shape.vertices = {{0.0, 0.0}};
  if (side == JawSide::kRight) {
    shape.edges = {top, inside};
  } else {
    shape.edges = {inside, top};
  }
  return shape;
}

double polygon_gap_mm(const Scenario& scenario, const Piece& piece, const Configuration& q,
                      JawSide side) {
  const auto [polygon, X_BA] = piece_shape(scenario, piece);
  const Pose2 X_GA = compose({q.part_pose.head<2>(), q.part_pose[2]}, X_BA);
  const Pose2 X_GJ{{q.jaw_mm(side), 0.0}, 0.0};
  const ConvexShape jaw = jaw_shape(side);
  std::vector<ContactFeature> features;
  near_features(polygon, X_GA, jaw, X_GJ, std::numeric_limits<double>::infinity(), features);
  double smallest = std::numeric_limits<double>::infinity();
  for (const ContactFeature& feature : features) {
    smallest = std::min(smallest, shape_contact(polygon, X_GA, jaw, X_GJ, feature).gap_mm);
  }
  return smallest;
}

}  // namespace graspmap
