#include "lab/scenes/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/config/scenario_reader.hpp"
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
    settings.active_gap_mm = table.number("active_gap_mm", kNonNegative);
  }
  if (table.has("linearise_at")) {
    settings.linearise_at_start = table.choice("linearise_at", {"start", "predicted"}) == 0;
  }
  table.check_keys();
}

void read_world(const TomlTable& table, PlanarScene& scene) {
  if (table.has("gravity_mm_s2")) {
    const auto [x, y] = table.numbers<2>("gravity_mm_s2");
    scene.gravity_mm_s2 = {x, y};
  }
  scene.mu = table.number_or(0.0, "friction", kNonNegative);
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

  file.run = read_scene_time(time);
  read_solver(solver, file);
  read_world(world, file.scene);
  file.blocks = read_scene_bodies(bodies, file.scene);
  if (file.scene.velocities == 0) {
    document.fail("body", "no body moves; at least one must be without fixed and shake");
  }
  read_scene_laws(contacts, joints, file.blocks, file.scene);
  check_layers(solver, file);
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

SceneFile read_planar_scene(const SceneDocument& from) {
  return read_toml(from.root, [&](const TomlTable& document) { return read_root(document, from); });
}

SceneFile read_scene_file(const std::filesystem::path& file,
                          const std::vector<std::string>& overrides) {
  return read_planar_scene(read_scene_document(file, overrides));
}

}  // namespace graspmap
