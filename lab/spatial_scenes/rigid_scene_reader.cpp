#include "lab/spatial_scenes/rigid_scene_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "lab/scenes/scene_keys.hpp"
#include "lab/spatial_scenes/rigid_body_reader.hpp"
#include "lab/spatial_scenes/spatial_keys.hpp"

namespace graspmap {
namespace {

constexpr std::array kSpatialSteppers{
    SpatialStepperKind::kImplicit, SpatialStepperKind::kImplicitFull,
    SpatialStepperKind::kStewartTrinkle, SpatialStepperKind::kStewartTrinkleNonlinear,
    SpatialStepperKind::kAnitescuPotra};

constexpr std::array kKickTriggers{KickTrigger::kTurningStops, KickTrigger::kLineContact,
                                   KickTrigger::kSurfaceContact};

void read_rigid_solver(const TomlTable& table, RigidScene& read) {
  table.allow_only({"stepper", "tolerance", "max_iterations", "directions"});
  if (table.has("stepper")) {
    std::vector<std::string_view> words;
    for (const SpatialStepperKind kind : kSpatialSteppers) words.emplace_back(name(kind));
    read.stepper = kSpatialSteppers[table.choice("stepper", words)];
  }
  SpatialStepperSettings& settings = read.settings;
  settings.tolerance = table.number_or(settings.tolerance, "tolerance", kSceneTolerances);
  if (table.has("max_iterations")) {
    settings.max_iterations = static_cast<int>(table.integer("max_iterations", 1, 100'000));
  }
  settings.directions = read_friction_directions(table, settings.directions);
}

/// What a table changes of a law of friction.
EllipticFriction read_friction(const TomlTable& table, EllipticFriction friction) {
  friction.mu = table.number_or(friction.mu, "friction", kFrictionCoefficients);
  friction.e_t = table.number_or(friction.e_t, "e_t", kFrictionRadii);
  friction.e_o = table.number_or(friction.e_o, "e_o", kFrictionRadii);
  friction.e_r_mm = table.number_or(friction.e_r_mm, "e_r_mm", kTorsionRadii_mm);
  return friction;
}

void read_rigid_world(const TomlTable& table, SpatialScene& scene) {
  table.allow_only({"gravity_mm_s2", "friction", "e_t", "e_o", "e_r_mm"});
  if (table.has("gravity_mm_s2")) scene.gravity_mm_s2 = read_vec3(table, "gravity_mm_s2");
  scene.friction = read_friction(table, scene.friction);
}

int body_named(const TomlTable& table, std::string_view key, const std::string& name,
               const SpatialScene& scene) {
  std::vector<std::string> names;
  for (const SpatialBody& body : scene.bodies) names.push_back(body.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  table.fail(key, fmt::format("\"{}\" is no body; must be of {}", name, fmt::join(names, ", ")));
}

/// The body of a push or kick.
int moving_body_named(const TomlTable& table, const SpatialScene& scene) {
  const std::string name = table.text("body");
  const int body = body_named(table, "body", name, scene);
  if (scene.bodies[static_cast<std::size_t>(body)].is_fixed) {
    table.fail("body", fmt::format("\"{}\" is fixed; must be a body that moves", name));
  }
  return body;
}

SpatialContactLaw read_contact_law(const TomlTable& table, const SpatialScene& scene) {
  table.allow_only({"between", "friction", "e_t", "e_o", "e_r_mm", "touch"});
  const auto [name_a, name_b] = names_between(table);
  const auto [a, b] = std::minmax(
      {body_named(table, "between", name_a, scene), body_named(table, "between", name_b, scene)});
  if (a == b) table.fail("between", fmt::format("is \"{}\" twice; must be two bodies", name_a));
  const bool is_known =
      std::any_of(scene.laws.begin(), scene.laws.end(),
                  [a = a, b = b](const auto& law) { return law.body_a == a && law.body_b == b; });
  if (is_known) {
    table.fail("between", fmt::format("{} and {}: must be two bodies, with one law for each pair",
                                      name_a, name_b));
  }
  return {a, b, read_friction(table, scene.friction), table.truth_or(true, "touch")};
}

Push read_push(const TomlTable& table, const SpatialScene& scene) {
  table.allow_only({"body", "start_s", "end_s", "force_n", "torque_n_mm"});
  Push push;
  push.body = moving_body_named(table, scene);
  push.start_s = table.number("start_s", kNonNegative);
  push.end_s = table.number("end_s", {.min = push.start_s, .above_min = true});
  push.force = read_wrench(table, "force_n", "torque_n_mm");
  if (push.force.isZero(0.0)) table.fail("force_n", "missing; give force_n or torque_n_mm, not 0");
  return push;
}

Kick read_kick(const TomlTable& table, const SpatialScene& scene) {
  table.allow_only({"body", "when", "impulse_n_s", "angular_impulse_n_mm_s"});
  Kick kick;
  kick.body = moving_body_named(table, scene);
  kick.when =
      kKickTriggers[table.choice("when", {"turning_stops", "line_contact", "surface_contact"})];
  kick.impulse = read_wrench(table, "impulse_n_s", "angular_impulse_n_mm_s");
  if (kick.impulse.isZero(0.0)) {
    table.fail("impulse_n_s", "missing; give impulse_n_s or angular_impulse_n_mm_s, not 0");
  }
  return kick;
}

}  // namespace

RigidScene read_rigid_scene(const TomlTable& document) {
  document.allow_only(
      {"title", "kind", "time", "solver", "world", "body", "contact", "push", "kick"});
  RigidScene read;
  SpatialScene& scene = read.scene;
  read_rigid_solver(document.table_or_empty("solver"), read);
  read_rigid_world(document.table_or_empty("world"), scene);
  scene.bodies = read_rigid_bodies(document);
  const auto tables = [&](const char* key) {
    return document.has(key) ? document.tables(key) : std::vector<TomlTable>{};
  };
  for (const TomlTable& table : tables("contact")) {
    scene.laws.push_back(read_contact_law(table, scene));
  }
  for (const TomlTable& table : tables("push")) scene.pushes.push_back(read_push(table, scene));
  for (const TomlTable& table : tables("kick")) scene.kicks.push_back(read_kick(table, scene));
  return read;
}

}  // namespace graspmap
