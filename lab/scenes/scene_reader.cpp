#include "lab/scenes/scene_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "grasp/sweep/config/scenario_reader.hpp"
#include "lab/scenes/scene_body_reader.hpp"
#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/scene_shapes.hpp"

namespace graspmap {
namespace {

using Pair = std::pair<int, int>;

/// Reads `between` of one table after the other.
class LawReader {
 public:
  LawReader(const std::vector<SceneBlock>& blocks, PlanarScene& scene)
      : blocks_(blocks), scene_(scene) {}

  void read_contact(const TomlTable& table) {
    const auto [a, b] = names_between(table);
    ContactLaw law;
    law.mu = table.number_or(scene_.mu, "friction", kFrictionCoefficients);
    law.touch = table.truth_or(true, "touch");
    law.layers = read_soft_layers(table, 2);
    if (!law.layers[0] && law.layers[1] && !law.layers[1]->matrices) {
      std::swap(law.soft, law.layers[1]);  // every stepper knows these
    }
    table.check_keys();
    const std::vector<int> bodies_a = bodies_named(table, a);
    check_pairs(table, bodies_a.size() * bodies_named(table, b).size());
    if (a == b && bodies_a.size() == 1) {
      table.fail("between", fmt::format("is \"{}\" twice; must be two bodies, or a grid twice", a));
    }
    for (const int body_a : bodies_a) {
      for (const int body_b : bodies_named(table, b)) {
        if (a != b || body_a < body_b) add_law(table, law, body_a, body_b);
      }
    }
  }

  void read_joint(const TomlTable& table) {
    static_cast<void>(table.choice("kind", {"pin"}));
    const auto [a, b] = names_between(table);
    const auto [x, y] = read_components2(table, "at_mm");
    const bool touch = table.truth_or(false, "touch");
    table.check_keys();
    const int body_a = one_body_named(table, a);
    const int body_b = one_body_named(table, b);
    if (body_a == body_b) {
      table.fail("between", fmt::format("is \"{}\" twice; must be two bodies", a));
    }
    if (!body(body_a).moves_freely() && !body(body_b).moves_freely()) {
      table.fail("between", fmt::format("{} and {} are both fixed; one must move", a, b));
    }
    scene_.pins.push_back({body_a, body_b, in_body({x, y}, body_a), in_body({x, y}, body_b)});
    const Pair pair = std::minmax(body_a, body_b);
    if (touch || !lawful_.insert(pair).second) return;
    scene_.laws.push_back({pair.first, pair.second, scene_.mu, false, std::nullopt});
  }

 private:
  [[nodiscard]] const PlanarBody& body(int index) const {
    return scene_.bodies[static_cast<std::size_t>(index)];
  }

  [[nodiscard]] Vec2 in_body(const Vec2& point_mm, int index) const {
    const Vec3& pose = body(index).pose;
    return inverse_transform({pose.head<2>(), pose[2]}, point_mm);
  }

  /// The bodies of a block, or the one body of this name.
  [[nodiscard]] std::vector<int> bodies_named(const TomlTable& table,
                                              const std::string& name) const {
    for (const SceneBlock& block : blocks_) {
      if (block.name == name) return block.bodies;
    }
    for (std::size_t k = 0; k < scene_.bodies.size(); ++k) {
      if (scene_.bodies[k].name == name) return {static_cast<int>(k)};
    }
    std::vector<std::string> names;
    for (const SceneBlock& block : blocks_) names.push_back(block.name);
    table.fail("between",
               fmt::format("\"{}\" is no body; must be of {}", name, fmt::join(names, ", ")));
  }

  [[nodiscard]] int one_body_named(const TomlTable& table, const std::string& name) const {
    const std::vector<int> bodies = bodies_named(table, name);
    if (bodies.size() == 1) return bodies.front();
    table.fail("between", fmt::format("\"{0}\" is a grid of {1}; must be one of {0}_1 to {0}_{1}",
                                      name, bodies.size()));
  }

  void check_pairs(const TomlTable& table, std::size_t more) const {
    if (scene_.laws.size() + more <= kMostScenePairs) return;
    table.fail("between",
               fmt::format("makes {} pairs of bodies with a law of their own; must be at "
                           "most {}: world.friction is for all others",
                           scene_.laws.size() + more, kMostScenePairs));
  }

  void add_law(const TomlTable& table, ContactLaw law, int body_a, int body_b) {
    const Pair pair = std::minmax(body_a, body_b);
    if (body_a == body_b || !lawful_.insert(pair).second) {
      table.fail("between", fmt::format("{} and {}: must be two bodies, with one law for each pair",
                                        body(body_a).name, body(body_b).name));
    }
    if (body_b < body_a) std::swap(law.layers[0], law.layers[1]);
    std::tie(law.body_a, law.body_b) = pair;
    scene_.laws.push_back(law);
  }

  const std::vector<SceneBlock>& blocks_;
  PlanarScene& scene_;
  std::set<Pair> lawful_;  ///< pairs with a law
};

/// Reads the [[contact]] and [[joint]] tables of a scene into it: laws of contact and pins. Two
/// bodies of a joint pass through each other unless the joint, or a contact between them, says
/// otherwise. Throws ConfigError.
void read_scene_laws(const std::vector<TomlTable>& contacts, const std::vector<TomlTable>& joints,
                     const std::vector<SceneBlock>& blocks, PlanarScene& scene) {
  LawReader reader(blocks, scene);
  for (const TomlTable& table : contacts) reader.read_contact(table);
  for (const TomlTable& table : joints) reader.read_joint(table);
}

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

StepperKind read_stepper_kind(const TomlTable& table) {
  std::vector<std::string_view> words;
  for (const StepperKind kind : kStepperKinds) words.emplace_back(name(kind));
  return kStepperKinds[table.choice("stepper", words)];
}

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
