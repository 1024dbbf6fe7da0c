#include "lab/spatial_scenes/spatial_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lab/articulated/ball_contacts.hpp"
#include "lab/articulated/closures.hpp"
#include "lab/solids/closest_points3.hpp"
#include "lab/spatial_scenes/link_reader.hpp"

namespace graspmap {
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
  for (const Obstacle& obstacle : system.obstacles) {
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

}  // namespace graspmap
