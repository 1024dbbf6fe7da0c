#include "lab/scenes/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/sweep/config/scenario_reader.hpp"
#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/scene_laws.hpp"
#include "lab/scenes/scene_overlap.hpp"

namespace graspmap {
namespace {

void read_solver(const TomlTable& table, SceneFile& file) {
  if (table.has("stepper")) file.stepper = read_stepper_kind(table);
  StepperSettings& settings = file.stepper_settings;
  settings.tolerance = table.number_or(settings.tolerance, "tolerance", kSceneTolerances);
  if (table.has("max_iterations")) {
    settings.max_iterations = static_cast<int>(table.integer("max_iterations", 1, 100'000));
  }
  if (table.has("active_gap_mm")) {
    settings.active_gap_mm = table.number("active_gap_mm", {.min = 0.0, .max = kLengths_mm.max});
  }
  if (table.has("linearise_at")) {
    settings.linearise_at_start = table.choice("linearise_at", {"start", "predicted"}) == 0;
  }
  table.check_keys();
}

void read_world(const TomlTable& table, PlanarScene& scene) {
  if (table.has("gravity_mm_s2")) {
    const auto [x, y] = read_components2(table, "gravity_mm_s2");
    scene.gravity_mm_s2 = {x, y};
  }
  scene.mu = table.number_or(0.0, "friction", kFrictionCoefficients);
  table.check_keys();
}

/// Layers with matrices, or on both bodies, are no part of the linear steps.
void check_layers(const TomlTable& solver, const SceneFile& file) {
  if (file.stepper == StepperKind::kImplicit || file.stepper == StepperKind::kImplicitFull) return;
  const bool has_layers = std::any_of(file.scene.laws.begin(), file.scene.laws.end(),
                                      [](const ContactLaw& law) { return is_soft(law.layers); });
  if (!has_layers) return;
  solver.fail("stepper", fmt::format("is \"{}\", which knows one soft layer a contact, without "
                                     "matrices; must be \"implicit\" or \"implicit-full\"",
                                     name(file.stepper)));
}

BodyScale scale_of(const PlanarScene& scene, const PlanarState& start, std::size_t index) {
  const PlanarBody& body = scene.bodies[index];
  const Vec3 velocity = body_velocity(scene, start, static_cast<int>(index));
  return {body.name,    bounding_radius_mm(body),  body.pose.head<2>().norm(),
          body.mass_kg, velocity.head<2>().norm(), std::abs(velocity[2])};
}

/// Throws when sizes, masses or motions are too far from each other, or from the step.
void check_scales(const std::vector<TomlTable>& bodies, const SceneFile& file) {
  const PlanarState start = start_state(file.scene);
  std::vector<BodyScale> scales;
  for (std::size_t k = 0; k < file.scene.bodies.size(); ++k) {
    scales.push_back(scale_of(file.scene, start, k));
  }
  const std::optional<ScaleFault> fault = find_scale_fault(scales, file.run.step_s);
  if (!fault) return;
  const TomlTable& table = bodies[file.block_of(static_cast<int>(fault->body))];
  switch (fault->of) {
    case ScaleFault::Of::kSize:
      table.fail(table.has("kind") ? "kind" : "piece", fault->text);
    case ScaleFault::Of::kMass:
      table.fail(table.has("mass_kg") ? "mass_kg" : "density_kg_per_mm2", fault->text);
    case ScaleFault::Of::kSpeed:
      table.fail("velocity_mm_s", fault->text);
    case ScaleFault::Of::kTurning:
      table.fail("angular_velocity_rad_s", fault->text);
  }
}

void check_start(const std::vector<TomlTable>& bodies, const SceneFile& file) {
  const std::optional<BodyOverlap> overlap =
      deepest_overlap(file.scene, start_state(file.scene).poses);
  if (!overlap) return;
  const auto name_of = [&](int body) {
    return file.scene.bodies[static_cast<std::size_t>(body)].name;
  };
  bodies[file.block_of(overlap->body_b)].fail(
      "position_mm",
      fmt::format("{} and {} overlap by {:.4g} mm at the start; move them apart, or let them pass "
                  "through each other: [[contact]] touch = false",
                  name_of(overlap->body_a), name_of(overlap->body_b), overlap->depth_mm));
}

SceneFile read_root(const TomlTable& document, const SceneDocument& from) {
  if (const SceneKind kind = read_scene_kind(document); kind != SceneKind::kPlanar) {
    document.fail("kind", fmt::format("is \"{}\"; must be \"planar\"", name(kind)));
  }
  SceneFile file;
  file.name = from.name;
  file.toml = from.toml;
  file.title = document.has("title") ? document.text("title") : from.name;
  const TomlTable time = document.table("time");
  const TomlTable solver = document.table_or_empty("solver");
  const TomlTable world = document.table_or_empty("world");
  const std::vector<TomlTable> bodies = document.tables("body");
  const std::vector<TomlTable> contacts = document.tables_or_none("contact");
  const std::vector<TomlTable> joints = document.tables_or_none("joint");
  document.check_keys();
  check_count(document, "body", bodies.size(), kMostSceneBodies);
  check_count(document, "contact", contacts.size(), kMostScenePairs);
  check_count(document, "joint", joints.size(), kMostSceneBodies);

  file.run = read_scene_time(time);
  read_solver(solver, file);
  read_world(world, file.scene);
  file.blocks = read_scene_bodies(bodies, file.scene);
  if (file.scene.velocities == 0) {
    document.fail("body", "no body moves; at least one must be without fixed and shake");
  }
  read_scene_laws(contacts, joints, file.blocks, file.scene);
  check_layers(solver, file);
  check_scales(bodies, file);
  check_start(bodies, file);
  return file;
}

}  // namespace

std::size_t SceneFile::block_of(int body) const {
  const auto after = std::upper_bound(
      blocks.begin(), blocks.end(), body,
      [](int index, const SceneBlock& block) { return index < block.bodies.front(); });
  return static_cast<std::size_t>(after - blocks.begin()) - 1;
}

std::vector<AskedKey> keys_asked_by_planar_scene(const SceneDocument& from) {
  return keys_asked_for(from.root, [&](const TomlTable& document) { read_root(document, from); });
}

SceneFile read_planar_scene(const SceneDocument& from) {
  return read_toml(from.root, [&](const TomlTable& document) { return read_root(document, from); });
}

SceneFile read_scene_file(const std::filesystem::path& file,
                          const std::vector<std::string>& overrides) {
  return read_planar_scene(read_scene_document(file, overrides));
}

}  // namespace graspmap
