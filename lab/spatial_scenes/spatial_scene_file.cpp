#include "lab/spatial_scenes/spatial_scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/articulated/link_kinematics.hpp"
#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "lab/solids/closest_points3.hpp"
#include "lab/spatial/stepper.hpp"
#include "lab/spatial_scenes/articulated_scene_reader.hpp"

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

/// Refuses a scene whose sizes, masses or motions at the start are too far from each other or from
/// the step, see find_scale_fault. Throws ConfigError.
void check_scales(const TomlTable& document, const SpatialSceneFile& file) {
  const auto scales = file.is_articulated() ? scales_of(file.articulated().system.links)
                                            : scales_of(file.rigid().scene.bodies);
  const std::optional<ScaleFault> fault = find_scale_fault(scales, file.run.step_s);
  if (!fault) return;
  const TomlTable table = file.is_articulated() ? table_of_link(document, scales[fault->body].name)
                                                : document.tables("body")[fault->body];
  table.fail(key_of(table, fault->of), fault->text);
}

std::vector<SceneSolid> solids_of(const SpatialScene& scene) {
  std::vector<SceneSolid> solids;
  for (const SpatialBody& body : scene.bodies) {
    solids.push_back({body.name, body.solid, body.is_fixed});
  }
  return solids;
}

std::vector<SceneSolid> solids_of(const ArticulatedSystem& system) {
  std::vector<SceneSolid> solids;
  for (const Link& link : system.links) {
    solids.push_back({link.name, Sphere{link.ball ? link.ball->radius_mm : 0.0}, false});
  }
  for (const ArmObstacle& obstacle : system.obstacles) {
    solids.push_back({obstacle.name, HalfSpace{}, true});
  }
  return solids;
}

SpatialSceneFile read_root(const TomlTable& document, const SceneDocument& from) {
  const SceneKind kind = read_scene_kind(document);
  if (kind == SceneKind::kPlanar) {
    document.fail("kind", "is \"planar\"; must be \"spatial\" or \"articulated\"");
  }
  SpatialSceneFile file;
  file.name = from.name;
  file.toml = from.toml;
  file.title = document.has("title") ? document.text("title") : from.name;
  const TomlTable time = document.table("time");
  if (kind == SceneKind::kSpatial) {
    file.simulated = read_rigid_scene(document);
    file.bodies = solids_of(file.rigid().scene);
  } else {
    file.simulated = read_articulated_scene(document);
    file.bodies = solids_of(file.articulated().system);
  }
  file.run = read_scene_time(time);
  check_scales(document, file);
  check_start(document, file);
  return file;
}

}  // namespace

SpatialSceneFile read_spatial_scene(const SceneDocument& from) {
  return read_toml(from.root, [&](const TomlTable& document) { return read_root(document, from); });
}

std::vector<AskedKey> keys_asked_by_scene(const SceneDocument& from) {
  if (from.kind == SceneKind::kPlanar) return keys_asked_by_planar_scene(from);
  return keys_asked_for(from.root, [&](const TomlTable& document) { read_root(document, from); });
}

SpatialSceneFile read_spatial_scene_file(const std::filesystem::path& file,
                                         const std::vector<std::string>& overrides) {
  return read_spatial_scene(read_scene_document(file, overrides));
}

namespace {

std::vector<std::pair<int, int>> touching_pairs(const SpatialScene& scene) {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
      if (scene.bodies[a].is_fixed && scene.bodies[b].is_fixed) continue;
      const std::pair pair{static_cast<int>(a), static_cast<int>(b)};
      if (contact_law(scene, pair.first, pair.second).touch) pairs.push_back(pair);
    }
  }
  return pairs;
}

std::vector<std::pair<int, int>> touching_pairs(const ArticulatedSystem& system) {
  std::vector<std::pair<int, int>> pairs;
  for (const BallPair& pair : ball_pairs(system)) {
    pairs.emplace_back(pair.link_a, second_body(system, pair));
  }
  return pairs;
}

std::vector<LinkKinematics> links_at_start(const ArticulatedSystem& system) {
  std::vector<LinkKinematics> links;
  place_links(system, coordinate_layout(system), start_state(system).q, links);
  return links;
}

/// As far as overlaps need them: links at their balls, turned as they may be.
std::vector<Pose3> poses_at_start(const ArticulatedSystem& system) {
  const std::vector<LinkKinematics> links = links_at_start(system);
  std::vector<Pose3> poses;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Vec3 centre = system.links[k].ball ? system.links[k].ball->centre_mm : Vec3::Zero();
    poses.push_back({links[k].to_world(centre), Eigen::Quaterniond(links[k].R)});
  }
  for (const ArmObstacle& obstacle : system.obstacles) {
    poses.push_back({obstacle.point_mm, turn_from_z(obstacle.normal)});
  }
  return poses;
}

/// Reports an overlap of an articulated system at the table and key that can mend it.
[[noreturn]] void refuse_articulated(const TomlTable& document, const SpatialSceneFile& file,
                                     const BodyOverlap& overlap, const std::string& what) {
  const auto b = static_cast<std::size_t>(overlap.body_b);
  const std::size_t links = file.articulated().system.links.size();
  if (b >= links) document.tables("obstacle")[b - links].fail("point_mm", what + "; move it away");
  table_of_link(document, file.bodies[b].name)
      .fail("at_mm", what +
                         "; move them apart, or let links pass through each other: [world] "
                         "self_contact = false");
}

void check_closures(const TomlTable& document, const ArticulatedSystem& system) {
  constexpr double kClosed_mm = 1e-3;
  const std::vector<LinkKinematics> links = links_at_start(system);
  for (std::size_t k = 0; k < system.closures.size(); ++k) {
    const double apart_mm = closure_gap(system.closures[k], links).norm();
    if (apart_mm <= kClosed_mm) continue;
    document.tables("closure")[k].fail(
        "point_a_mm", fmt::format("the two points are {:.6g} mm apart at the start; must meet to "
                                  "{} mm",
                                  apart_mm, kClosed_mm));
  }
}

}  // namespace

OverlapFinder::OverlapFinder(const SpatialSceneFile& file) {
  for (const SceneSolid& body : file.bodies) solids_.push_back(body.solid);
  pairs_ = file.is_articulated() ? touching_pairs(file.articulated().system)
                                 : touching_pairs(file.rigid().scene);
  for (const auto& [a, b] : pairs_) {
    lawful_mm_.push_back(file.is_articulated()
                             ? 0.0
                             : max_deflection_mm(contact_law(file.rigid().scene, a, b).layers));
  }
}

std::optional<BodyOverlap> OverlapFinder::deepest(const std::vector<Pose3>& poses) const {
  constexpr double kRounding = 1e-6;
  std::optional<BodyOverlap> deepest;
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    const auto [body_a, body_b] = pairs_[pair];
    const auto a = static_cast<std::size_t>(body_a);
    const auto b = static_cast<std::size_t>(body_b);
    const double radius_a = bounding_radius_mm(solids_[a]);
    const double radius_b = bounding_radius_mm(solids_[b]);
    if ((poses[a].position_mm - poses[b].position_mm).norm() > radius_a + radius_b) continue;
    const double depth =
        -closest_points(solids_[a], poses[a], solids_[b], poses[b]).gap_mm - lawful_mm_[pair];
    if (depth <= kRounding * std::min(radius_a, radius_b)) continue;
    if (deepest && depth <= deepest->depth_mm) continue;
    deepest = {body_a, body_b, depth};
  }
  return deepest;
}

void check_start(const TomlTable& document, const SpatialSceneFile& file) {
  const std::vector<Pose3> poses = file.is_articulated() ? poses_at_start(file.articulated().system)
                                                         : start_state(file.rigid().scene).poses;
  if (const auto overlap = OverlapFinder(file).deepest(poses)) {
    const std::string what =
        fmt::format("{} and {} overlap by {:.4g} mm at the start",
                    file.bodies[static_cast<std::size_t>(overlap->body_a)].name,
                    file.bodies[static_cast<std::size_t>(overlap->body_b)].name, overlap->depth_mm);
    if (file.is_articulated()) refuse_articulated(document, file, *overlap, what);
    document.tables("body")[static_cast<std::size_t>(overlap->body_b)].fail(
        "position_mm", what +
                           "; move them apart, or let them pass through each other: "
                           "[[contact]] touch = false");
  }
  if (file.is_articulated()) check_closures(document, file.articulated().system);
}

SceneRun simulate(const SpatialSceneFile& file, const SnapshotObserver& observer) {
  if (file.is_articulated()) {
    const ArticulatedScene& scene = file.articulated();
    return simulate_articulated(scene.system, scene.settings, file.run, observer);
  }
  const RigidScene& scene = file.rigid();
  const auto stepper = make_spatial_stepper(scene.stepper, scene.settings);
  return simulate_spatial(scene.scene, *stepper, file.run, observer);
}

}  // namespace graspmap
