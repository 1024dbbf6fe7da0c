#include "lab/spatial_scenes/spatial_scales.hpp"

#include <string_view>

#include "lab/scenes/scene_keys.hpp"
#include "lab/spatial_scenes/link_reader.hpp"

namespace graspmap {
namespace {

BodyScale scale_of(const SpatialBody& body) {
  return {body.name,
          bounding_radius_mm(body.solid),
          body.pose.position_mm.norm(),
          body.is_fixed ? 0.0 : body.mass_kg,
          body.velocity.head<3>().norm(),
          body.velocity.tail<3>().norm()};
}

/// A link by itself: on its joint, with the joint's velocities.
BodyScale scale_of(const Link& link) {
  BodyScale scale{
      link.name, link.ball ? link.ball->radius_mm : 0.0, link.joint.at_mm.norm(), link.mass_kg, 0.0,
      0.0};
  if (link.velocity.size() == 0) return scale;
  switch (link.joint.kind) {
    case JointKind::kSlider:
      scale.speed_mm_s = link.velocity.norm();
      break;
    case JointKind::kPin:
    case JointKind::kBall:
      scale.turning_rad_s = link.velocity.norm();
      break;
    case JointKind::kFree:
      scale.speed_mm_s = link.velocity.head<3>().norm();
      scale.turning_rad_s = link.velocity.tail<3>().norm();
      break;
  }
  return scale;
}

/// The key that a fault is about, of those that bodies and links have.
std::string_view key_of(const TomlTable& table, ScaleFault::Of of) {
  switch (of) {
    case ScaleFault::Of::kSize:
      return table.first_present({"kind", "ball_radius_mm"});
    case ScaleFault::Of::kMass:
      return table.first_present({"mass_kg", "density_kg_per_mm3"});
    case ScaleFault::Of::kSpeed:
      return table.first_present({"velocity_mm_s", "speed_mm_s"});
    case ScaleFault::Of::kTurning:
      break;
  }
  return table.first_present({"angular_velocity_rad_s", "speed_rad_s"});
}

template <typename Bodies>
std::vector<BodyScale> scales_of(const Bodies& bodies) {
  std::vector<BodyScale> scales;
  for (const auto& body : bodies) scales.push_back(scale_of(body));
  return scales;
}

}  // namespace

void check_scales(const TomlTable& document, const SpatialSceneFile& file) {
  const auto scales = file.is_articulated() ? scales_of(file.articulated().system.links)
                                            : scales_of(file.rigid().scene.bodies);
  const std::optional<ScaleFault> fault = find_scale_fault(scales, file.run.step_s);
  if (!fault) return;
  const TomlTable table = file.is_articulated() ? table_of_link(document, scales[fault->body].name)
                                                : document.tables("body")[fault->body];
  table.fail(key_of(table, fault->of), fault->text);
}

}  // namespace graspmap
