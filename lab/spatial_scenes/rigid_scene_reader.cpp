#include "lab/spatial_scenes/rigid_scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/soft_layer_reader.hpp"
#include "lab/spatial_scenes/rigid_body_reader.hpp"
#include "lab/spatial_scenes/spatial_joint_reader.hpp"
#include "lab/spatial_scenes/spatial_keys.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostSpatialBodies = 1000;
constexpr std::size_t kMostSpatialPairs = 10'000;

constexpr std::array kSpatialSteppers{SpatialStepperKind::kImplicit,
                                      SpatialStepperKind::kImplicitFull,
                                      SpatialStepperKind::kStewartTrinkle,
                                      SpatialStepperKind::kStewartTrinkleNonlinear,
                                      SpatialStepperKind::kAnitescuPotra,
                                      SpatialStepperKind::kAnitescuHart,
                                      SpatialStepperKind::kAnitescuHartUnstabilised};

constexpr std::array kKickTriggers{KickTrigger::kTurningStops, KickTrigger::kLineContact,
                                   KickTrigger::kSurfaceContact};

void read_rigid_solver(const TomlTable& table, RigidScene& read) {
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
  table.check_keys();
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
  if (table.has("gravity_mm_s2")) scene.gravity_mm_s2 = read_vec3(table, "gravity_mm_s2");
  scene.friction = read_friction(table, scene.friction);
  table.check_keys();
}

/// The body of a push or kick.
int moving_body_named(const TomlTable& table, const std::string& name, const SpatialScene& scene) {
  const int body = body_named(table, "body", name, scene.bodies);
  if (scene.bodies[static_cast<std::size_t>(body)].is_fixed) {
    table.fail("body", fmt::format("\"{}\" is fixed; must be a body that moves", name));
  }
  return body;
}

SpatialContactLaw read_contact_law(const TomlTable& table, const SpatialScene& scene) {
  const auto [name_a, name_b] = names_between(table);
  const EllipticFriction friction = read_friction(table, scene.friction);
  const bool touch = table.truth_or(true, "touch");
  SoftLayers layers = read_soft_layers(table, 3);
  table.check_keys();
  int a = body_named(table, "between", name_a, scene.bodies);
  int b = body_named(table, "between", name_b, scene.bodies);
  if (b < a) {
    std::swap(a, b);
    std::swap(layers[0], layers[1]);
  }
  if (a == b) table.fail("between", fmt::format("is \"{}\" twice; must be two bodies", name_a));
  const bool is_known = std::any_of(scene.laws.begin(), scene.laws.end(), [&](const auto& law) {
    return law.body_a == a && law.body_b == b;
  });
  if (is_known) {
    table.fail("between", fmt::format("{} and {}: must be two bodies, with one law for each pair",
                                      name_a, name_b));
  }
  return {a, b, friction, touch, layers};
}

/// The linear steps take soft bodies for rigid.
void check_layers(const TomlTable& solver, const RigidScene& read) {
  const SpatialStepperKind kind = read.stepper;
  if (kind == SpatialStepperKind::kImplicit || kind == SpatialStepperKind::kImplicitFull) return;
  const auto& laws = read.scene.laws;
  if (std::any_of(laws.begin(), laws.end(),
                  [](const SpatialContactLaw& law) { return is_soft(law.layers); })) {
    solver.fail("stepper", fmt::format("is \"{}\", which has no soft contacts; must be "
                                       "\"implicit\" or \"implicit-full\"",
                                       name(kind)));
  }
}

Push read_push(const TomlTable& table, const SpatialScene& scene) {
  Push push;
  const std::string body = table.text("body");
  push.start_s = table.number("start_s", {.min = 0.0, .max = kTimes_s.max});
  push.end_s = table.number("end_s", {.min = push.start_s, .max = kTimes_s.max, .above_min = true});
  push.force = read_wrench(table, "force_n", "torque_n_mm");
  table.check_keys();
  push.body = moving_body_named(table, body, scene);
  if (push.force.isZero(0.0)) table.fail("force_n", "missing; give force_n or torque_n_mm, not 0");
  return push;
}

Kick read_kick(const TomlTable& table, const SpatialScene& scene) {
  Kick kick;
  const std::string body = table.text("body");
  kick.when =
      kKickTriggers[table.choice("when", {"turning_stops", "line_contact", "surface_contact"})];
  kick.impulse = read_wrench(table, "impulse_n_s", "angular_impulse_n_mm_s");
  table.check_keys();
  kick.body = moving_body_named(table, body, scene);
  if (kick.impulse.isZero(0.0)) {
    table.fail("impulse_n_s", "missing; give impulse_n_s or angular_impulse_n_mm_s, not 0");
  }
  return kick;
}

}  // namespace

RigidScene read_rigid_scene(const TomlTable& document) {
  const TomlTable solver = document.table_or_empty("solver");
  const TomlTable world = document.table_or_empty("world");
  const std::vector<TomlTable> bodies = document.tables("body");
  const std::vector<TomlTable> contacts = document.tables_or_none("contact");
  const std::vector<TomlTable> joints = document.tables_or_none("joint");
  const std::vector<TomlTable> pushes = document.tables_or_none("push");
  const std::vector<TomlTable> kicks = document.tables_or_none("kick");
  document.check_keys();
  check_count(document, "body", bodies.size(), kMostSpatialBodies);
  check_count(document, "contact", contacts.size(), kMostSpatialPairs);
  check_count(document, "joint", joints.size(), kMostSceneBodies);
  check_count(document, "push", pushes.size(), kMostSceneBodies);
  check_count(document, "kick", kicks.size(), kMostSceneBodies);

  RigidScene read;
  SpatialScene& scene = read.scene;
  read_rigid_solver(solver, read);
  read_rigid_world(world, scene);
  scene.bodies = read_rigid_bodies(bodies);
  if (std::all_of(scene.bodies.begin(), scene.bodies.end(),
                  [](const SpatialBody& body) { return body.is_fixed; })) {
    document.fail("body", "no body moves; at least one must be without fixed");
  }
  for (const TomlTable& table : contacts) scene.laws.push_back(read_contact_law(table, scene));
  for (const TomlTable& table : joints) read_spatial_joint(table, scene);
  check_layers(solver, read);
  for (const TomlTable& table : pushes) scene.pushes.push_back(read_push(table, scene));
  for (const TomlTable& table : kicks) scene.kicks.push_back(read_kick(table, scene));
  return read;
}

}  // namespace graspmap
