#include "lab/spatial_scenes/spatial_joint_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lab/scenes/scene_keys.hpp"
#include "lab/spatial_scenes/rigid_body_reader.hpp"
#include "lab/spatial_scenes/spatial_keys.hpp"

namespace graspmap {
namespace {

constexpr std::array kSpatialJoints{SpatialJointKind::kSpherical, SpatialJointKind::kRevolute,
                                    SpatialJointKind::kPrismatic};

void let_pass(int body_a, int body_b, SpatialScene& scene) {
  const auto [a, b] = std::minmax(body_a, body_b);
  for (const SpatialContactLaw& law : scene.laws) {
    if (law.body_a == a && law.body_b == b) return;
  }
  scene.laws.push_back({a, b, scene.friction, false});
}

}  // namespace

void read_spatial_joint(const TomlTable& table, SpatialScene& scene) {
  std::vector<std::string_view> words;
  for (const SpatialJointKind kind : kSpatialJoints) words.emplace_back(name(kind));
  const SpatialJointKind kind = kSpatialJoints[table.choice("kind", words)];
  const auto [name_a, name_b] = names_between(table);
  const Vec3 at_mm = read_vec3(table, "at_mm");
  const bool has_axis = kind != SpatialJointKind::kSpherical;
  if (!has_axis && table.has("axis")) {
    table.fail("axis", "does not go with kind = \"spherical\", which turns about any axis");
  }
  const Vec3 axis = has_axis ? read_direction3(table, "axis") : Vec3(Vec3::UnitZ());
  const bool touch = table.truth_or(false, "touch");
  table.check_keys();
  const int a = body_named(table, "between", name_a, scene.bodies);
  const int b = body_named(table, "between", name_b, scene.bodies);
  if (a == b) table.fail("between", fmt::format("is \"{}\" twice; must be two bodies", name_a));
  const SpatialBody& body_a = scene.bodies[static_cast<std::size_t>(a)];
  const SpatialBody& body_b = scene.bodies[static_cast<std::size_t>(b)];
  if (body_a.is_fixed && body_b.is_fixed) {
    table.fail("between", fmt::format("{} and {} are both fixed; one must move", name_a, name_b));
  }
  scene.joints.push_back(joint_at(kind, a, body_a.pose, b, body_b.pose, at_mm, axis));
  if (!touch) let_pass(a, b, scene);
}

}  // namespace graspmap
