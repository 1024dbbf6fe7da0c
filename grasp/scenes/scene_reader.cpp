#include "grasp/scenes/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "grasp/scenario_reader.hpp"
#include "grasp/scenes/scene_laws.hpp"
#include "grasp/scenes/scene_overlap.hpp"
#include "grasp/toml_document.hpp"
#include "grasp/toml_override.hpp"

namespace graspmap {
namespace {

constexpr NumberRange kStepSizes{.min = 0.0, .max = 10.0, .above_min = true};
constexpr NumberRange kTolerances{.min = 1e-14, .max = 1e-2};
constexpr double kMostSteps = 1e8;

SceneRunSettings read_time(const TomlTable& table) {
  table.allow_only({"duration_s", "step_s"});
  SceneRunSettings run;
  run.step_s = table.number("step_s", kStepSizes);
  run.duration_s =
      table.number("duration_s", {.min = 0.0, .max = kMostSteps * run.step_s, .above_min = true});
  return run;
}

StepperSettings read_stepper_settings(const TomlTable& table) {
  StepperSettings settings;
  settings.tolerance = table.number_or(settings.tolerance, "tolerance", kTolerances);
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
  const std::optional<BodyOverlap> overlap = deepest_overlap(file.scene, start_state(file.scene));
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

SceneFile read_document(const toml::table& parsed, const std::filesystem::path& source) {
  const TomlTable document(parsed);
  document.allow_only({"title", "time", "solver", "world", "body", "contact", "joint"});
  SceneFile file;
  file.name = source.stem().string();
  file.title = document.has("title") ? document.text("title") : file.name;
  file.run = read_time(document.table("time"));
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

/// The document as text; comments are lost.
std::string text_of(const toml::table& document) {
  std::ostringstream text;
  text << toml::toml_formatter{document} << "\n";
  return text.str();
}

}  // namespace

std::size_t SceneFile::block_of(int body) const {
  const auto after = std::upper_bound(
      blocks.begin(), blocks.end(), body,
      [](int index, const SceneBlock& block) { return index < block.bodies.front(); });
  return static_cast<std::size_t>(after - blocks.begin()) - 1;
}

SceneFile parse_scene_file(std::string_view text, const std::string& source,
                           const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, source);
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  SceneFile file = read_document(document, source);
  file.toml = overrides.empty() ? std::string(text) : text_of(document);
  return file;
}

SceneFile read_scene_file(const std::filesystem::path& file,
                          const std::vector<std::string>& overrides) {
  return parse_scene_file(read_toml_text(file), file.string(), overrides);
}

}  // namespace graspmap
