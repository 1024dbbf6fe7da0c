#include "lab/scenes/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/config/scenario_reader.hpp"
#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/scene_laws.hpp"
#include "lab/scenes/scene_overlap.hpp"

namespace graspmap {
namespace {

StepperSettings read_stepper_settings(const TomlTable& table) {
  StepperSettings settings;
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
  return settings;
}

void read_world(const TomlTable& table, PlanarScene& scene) {
  table.allow_only({"gravity_mm_s2", "friction"});
  if (table.has("gravity_mm_s2")) {
    const auto [x, y] = table.numbers<2>("gravity_mm_s2");
    scene.gravity_mm_s2 = {x, y};
  }
  scene.mu = table.number_or(0.0, "friction", kNonNegative);
}

void check_start(const TomlTable& document, const SceneFile& file) {
  const std::optional<BodyOverlap> overlap =
      deepest_overlap(file.scene, start_state(file.scene).poses);
  if (!overlap) return;
  const auto name_of = [&](int body) {
    return file.scene.bodies[static_cast<std::size_t>(body)].name;
  };
  document.tables("body")[file.block_of(overlap->body_b)].fail(
      "position_mm",
      fmt::format("{} and {} overlap by {:.4g} mm at the start; move them apart, or let them pass "
                  "through each other: [[contact]] touch = false",
                  name_of(overlap->body_a), name_of(overlap->body_b), overlap->depth_mm));
}

}  // namespace

std::size_t SceneFile::block_of(int body) const {
  const auto after = std::upper_bound(
      blocks.begin(), blocks.end(), body,
      [](int index, const SceneBlock& block) { return index < block.bodies.front(); });
  return static_cast<std::size_t>(after - blocks.begin()) - 1;
}

SceneFile read_planar_scene(const SceneDocument& from) {
  const TomlTable document(from.root);
  if (from.kind != SceneKind::kPlanar) {
    document.fail("kind", fmt::format("is \"{}\"; must be \"planar\"", name(from.kind)));
  }
  document.allow_only({"title", "kind", "time", "solver", "world", "body", "contact", "joint"});
  SceneFile file;
  file.name = from.name;
  file.toml = from.toml;
  file.title = read_scene_title(from);
  file.run = read_scene_time(document);
  const TomlTable solver = document.table_or_empty("solver");
  solver.allow_only({"stepper", "tolerance", "max_iterations", "active_gap_mm", "linearise_at"});
  if (solver.has("stepper")) file.stepper = read_stepper_kind(solver);
  file.stepper_settings = read_stepper_settings(solver);
  read_world(document.table_or_empty("world"), file.scene);
  file.blocks = read_scene_bodies(document, file.scene);
  if (file.scene.velocities == 0) {
    document.fail("body", "no body moves; at least one must be without fixed and shake");
  }
  read_scene_laws(document, file.blocks, file.scene);
  check_start(document, file);
  return file;
}

SceneFile parse_scene_file(std::string_view text, const std::string& source,
                           const std::vector<std::string>& overrides) {
  return read_planar_scene(parse_scene_document(text, source, overrides));
}

SceneFile read_scene_file(const std::filesystem::path& file,
                          const std::vector<std::string>& overrides) {
  return read_planar_scene(read_scene_document(file, overrides));
}

}  // namespace graspmap
