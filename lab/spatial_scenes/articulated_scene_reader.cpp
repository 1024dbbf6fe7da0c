#include "lab/spatial_scenes/articulated_scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lab/scenes/scene_keys.hpp"
#include "lab/spatial_scenes/link_reader.hpp"
#include "lab/spatial_scenes/spatial_keys.hpp"

namespace graspmap {
namespace {

constexpr std::array kContactSolvers{ContactSolver::kMlcpLemke, ContactSolver::kMlcpPfbRlm,
                                     ContactSolver::kMlcpPfbPlm, ContactSolver::kMncpRlm,
                                     ContactSolver::kMncpPlm};
constexpr std::array kIntegrators{
    ArticulatedIntegrator::kSemiImplicitEuler, ArticulatedIntegrator::kMoreauMidpoint,
    ArticulatedIntegrator::kImplicitEuler, ArticulatedIntegrator::kImplicitMoreau};

/// The one of `kinds` whose name a key has.
template <typename Kinds>
auto read_named(const TomlTable& table, std::string_view key, const Kinds& kinds) {
  std::vector<std::string_view> words;
  for (const auto kind : kinds) words.emplace_back(name(kind));
  return kinds[table.choice(key, words)];
}

ArticulatedSettings read_articulated_solver(const TomlTable& table) {
  ArticulatedSettings settings;
  ContactSolverSettings& contact = settings.contact;
  if (table.has("contact_solver")) {
    contact.solver = read_named(table, "contact_solver", kContactSolvers);
  }
  if (table.has("integrator")) settings.integrator = read_named(table, "integrator", kIntegrators);
  contact.directions = read_friction_directions(table, contact.directions);
  contact.tolerance = table.number_or(contact.tolerance, "tolerance", kSceneTolerances);
  contact.penalty =
      table.number_or(contact.penalty, "penalty", {.min = 0.0, .max = 1.0, .above_min = true});
  settings.direction_offset_rad = table.number_or(0.0, "direction_offset_rad", kAngles_rad);
  settings.fixed_directions = table.truth_or(false, "fixed_directions");
  settings.limit_restitution = table.truth_or(settings.limit_restitution, "limit_restitution");
  table.check_keys();
  return settings;
}

void read_articulated_world(const TomlTable& table, ArticulatedSystem& system) {
  if (table.has("gravity_mm_s2")) system.gravity_mm_s2 = read_vec3(table, "gravity_mm_s2");
  system.mu = table.number_or(system.mu, "friction", kFrictionCoefficients);
  system.restitution = table.number_or(system.restitution, "restitution", {.min = 0.0, .max = 1.0});
  system.self_contact = table.truth_or(system.self_contact, "self_contact");
  table.check_keys();
}

Obstacle read_obstacle(const TomlTable& table, const ArticulatedSystem& system) {
  Obstacle obstacle;
  obstacle.name = table.name("name");
  obstacle.point_mm = read_vec3_or_zero(table, "point_mm");
  if (table.has("normal")) obstacle.normal = read_direction3(table, "normal");
  table.check_keys();
  const auto has_its_name = [&](const auto& other) { return other.name == obstacle.name; };
  if (std::any_of(system.links.begin(), system.links.end(), has_its_name) ||
      std::any_of(system.obstacles.begin(), system.obstacles.end(), has_its_name)) {
    table.fail("name", fmt::format("\"{}\" is the name of two links or obstacles; must be unique",
                                   obstacle.name));
  }
  return obstacle;
}

Closure read_closure(const TomlTable& table, const std::vector<Link>& links) {
  const auto [name_a, name_b] = names_between(table);
  Closure closure;
  closure.point_a_mm = read_vec3_or_zero(table, "point_a_mm");
  closure.point_b_mm = read_vec3_or_zero(table, "point_b_mm");
  table.check_keys();
  closure.link_a = link_named(table, "between", name_a, links);
  closure.link_b = link_named(table, "between", name_b, links);
  if (closure.link_a == closure.link_b) {
    table.fail("between",
               fmt::format("is \"{}\" twice; must be two links, or a link and the ground", name_a));
  }
  if (closure.link_a < 0) {
    std::swap(closure.link_a, closure.link_b);
    std::swap(closure.point_a_mm, closure.point_b_mm);
  }
  return closure;
}

}  // namespace

ArticulatedScene read_articulated_scene(const TomlTable& document) {
  const TomlTable solver = document.table_or_empty("solver");
  const TomlTable world = document.table_or_empty("world");
  const std::vector<TomlTable> links = document.tables("link");
  const std::vector<TomlTable> obstacles = document.tables_or_none("obstacle");
  const std::vector<TomlTable> closures = document.tables_or_none("closure");
  document.check_keys();
  check_count(document, "link", links.size(), kMostSceneBodies);
  check_count(document, "obstacle", obstacles.size(), kMostSceneBodies);
  check_count(document, "closure", closures.size(), kMostSceneBodies);

  ArticulatedScene read;
  ArticulatedSystem& system = read.system;
  read.settings = read_articulated_solver(solver);
  read_articulated_world(world, system);
  system.links = read_links(links);
  for (const TomlTable& table : obstacles) {
    system.obstacles.push_back(read_obstacle(table, system));
  }
  for (const TomlTable& table : closures) {
    system.closures.push_back(read_closure(table, system.links));
  }
  return read;
}

}  // namespace graspmap
