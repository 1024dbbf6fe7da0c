#include "lab/spatial_scenes/articulated_scene_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "lab/scenes/scene_keys.hpp"
#include "lab/spatial_scenes/rigid_scene_reader.hpp"

namespace graspmap {
namespace {

constexpr std::array kContactSolvers{ContactSolver::kMlcpLemke, ContactSolver::kMlcpPfbRlm,
                                     ContactSolver::kMlcpPfbPlm, ContactSolver::kMncpRlm,
                                     ContactSolver::kMncpPlm};
constexpr std::array kIntegrators{
    ArticulatedIntegrator::kSemiImplicitEuler, ArticulatedIntegrator::kMoreauMidpoint,
    ArticulatedIntegrator::kImplicitEuler, ArticulatedIntegrator::kImplicitMoreau};

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

ArmObstacle read_obstacle(const TomlTable& table, const ArticulatedSystem& system) {
  ArmObstacle obstacle;
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

namespace {

constexpr std::int64_t kMostRepeats = 1000;

/// The coordinates and velocities of a joint.
struct JointState {
  Eigen::VectorXd position;
  Eigen::VectorXd velocity;
};

using JointReader = JointState (*)(const TomlTable& table);

JointState scalar_state(double position, double velocity) {
  return {Eigen::VectorXd::Constant(1, position), Eigen::VectorXd::Constant(1, velocity)};
}

JointState read_pin(const TomlTable& table) {
  return scalar_state(table.number_or(0.0, "angle_rad", kAngles_rad),
                      table.number_or(0.0, "speed_rad_s", kComponents));
}

JointState read_slider(const TomlTable& table) {
  return scalar_state(table.number_or(0.0, "displacement_mm", kComponents),
                      table.number_or(0.0, "speed_mm_s", kComponents));
}

/// Velocities of a scene file are in the parent's axes, a joint's turning in the link's.
JointState read_ball_joint(const TomlTable& table) {
  const Eigen::Quaterniond q = read_orientation(table, "orientation");
  JointState state{Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()), Eigen::VectorXd(3)};
  state.velocity = q.conjugate() * read_vec3_or_zero(table, "angular_velocity_rad_s");
  return state;
}

JointState read_free_joint(const TomlTable& table) {
  const JointState turning = read_ball_joint(table);
  JointState state{Eigen::VectorXd(7), Eigen::VectorXd(6)};
  state.position << read_vec3_or_zero(table, "position_mm"), turning.position;
  state.velocity << read_vec3_or_zero(table, "velocity_mm_s"), turning.velocity;
  return state;
}

struct JointWord {
  std::string_view word;
  JointKind kind;
  bool has_axis;
  JointReader read;
};

const std::vector<JointWord>& joint_words() {
  static const std::vector<JointWord> words = {
      {"pin", JointKind::kPin, true, read_pin},
      {"slider", JointKind::kSlider, true, read_slider},
      {"ball", JointKind::kBall, false, read_ball_joint},
      {"free", JointKind::kFree, false, read_free_joint},
  };
  return words;
}

const JointWord& read_joint_word(const TomlTable& table) {
  std::vector<std::string_view> words;
  for (const JointWord& joint : joint_words()) words.push_back(joint.word);
  return joint_words()[table.kind("joint", words)];
}

std::optional<LinkBall> read_ball(const TomlTable& table) {
  if (!table.has("ball_radius_mm")) {
    if (table.has("ball_centre_mm")) table.fail("ball_centre_mm", "goes with ball_radius_mm only");
    return std::nullopt;
  }
  return LinkBall{read_vec3_or_zero(table, "ball_centre_mm"),
                  table.number("ball_radius_mm", kLengths_mm)};
}

/// Without keys of their own the mass is at the ball, and the inertia that of a uniform ball.
void read_mass_distribution(const TomlTable& table, Link& link) {
  const bool has_centre = table.has("centre_of_mass_mm");
  if (has_centre) {
    link.centre_of_mass_mm = read_vec3(table, "centre_of_mass_mm");
  } else if (link.ball) {
    link.centre_of_mass_mm = link.ball->centre_mm;
  }
  if (table.has("inertia_kg_mm2")) {
    link.inertia_kg_mm2 = read_principal_inertia(table, "inertia_kg_mm2", true).asDiagonal();
  } else if (link.mass_kg > 0.0) {
    if (!link.ball || has_centre) {
      table.fail("inertia_kg_mm2",
                 "missing; must be given unless the mass is a uniform ball: with ball_radius_mm "
                 "and without centre_of_mass_mm");
    }
    const double r = link.ball->radius_mm;
    link.inertia_kg_mm2 = 0.4 * link.mass_kg * r * r * Mat3::Identity();
  }
}

Link read_link(const TomlTable& table, const std::vector<Link>& earlier) {
  Link link;
  const JointWord& joint = read_joint_word(table);
  link.name = table.name("name");
  const std::string parent = table.has("parent") ? table.text("parent") : kGround;
  link.joint.kind = joint.kind;
  if (joint.has_axis) link.joint.axis = read_direction3(table, "axis");
  link.joint.at_mm = read_vec3_or_zero(table, "at_mm");
  const JointState start = joint.read(table);
  link.position = start.position;
  link.velocity = start.velocity;
  link.mass_kg = table.number("mass_kg", {.min = 0.0, .max = kMasses_kg.max});
  table.ask_for({"centre_of_mass_mm", "inertia_kg_mm2", "ball_centre_mm", "ball_radius_mm",
                 "repeat", "next_at_mm"});
  table.check_keys();
  if (link.mass_kg > 0.0 && link.mass_kg < kMasses_kg.min) {
    table.fail("mass_kg", fmt::format("is {}; must be 0, or a number from {:g} to {:g}",
                                      link.mass_kg, kMasses_kg.min, kMasses_kg.max));
  }
  link.parent = link_named(table, "parent", parent, earlier);
  link.ball = read_ball(table);
  read_mass_distribution(table, link);
  return link;
}

/// The joint's coordinates at which the link has its parent's axes and stands at the joint.
void put_at_zero(Link& link) {
  link.position.setZero();
  link.velocity.setZero();
  if (link.joint.kind == JointKind::kBall) link.position[0] = 1.0;
  if (link.joint.kind == JointKind::kFree) link.position[3] = 1.0;
}

void add_link(const TomlTable& table, Link link, std::vector<Link>& links) {
  const bool is_taken = link.name == kGround ||
                        std::any_of(links.begin(), links.end(),
                                    [&](const Link& other) { return other.name == link.name; });
  if (is_taken) {
    table.fail(
        "name",
        link.name == kGround
            ? fmt::format("is \"{}\", which is what is no link; must be another name", kGround)
            : fmt::format("\"{}\" is the name of two links; must be unique", link.name));
  }
  links.push_back(std::move(link));
}

/// NAME_1, NAME_2, ...: each but the first is the child of the one before, at zero.
void add_chain(const TomlTable& table, const Link& first, std::vector<Link>& links) {
  const std::int64_t count = table.integer("repeat", 1, kMostRepeats);
  check_count(table, "repeat", links.size() + static_cast<std::size_t>(count), kMostSceneBodies);
  Link link = first;
  const Vec3 next_at_mm =
      table.has("next_at_mm") ? read_vec3(table, "next_at_mm") : first.joint.at_mm;
  for (std::int64_t k = 1; k <= count; ++k) {
    link.name = fmt::format("{}_{}", first.name, k);
    add_link(table, link, links);
    link.parent = static_cast<int>(links.size()) - 1;
    link.joint.at_mm = next_at_mm;
    put_at_zero(link);
  }
}

/// A link without mass on it would be accelerated without bounds.
void check_masses(const std::vector<TomlTable>& tables, const std::vector<int>& table_of,
                  const std::vector<Link>& links) {
  std::vector<double> carried(links.size());
  for (std::size_t i = links.size(); i-- > 0;) {
    carried[i] += links[i].mass_kg + links[i].inertia_kg_mm2.trace();
    if (carried[i] <= 0.0) {
      tables[static_cast<std::size_t>(table_of[i])].fail(
          "mass_kg",
          fmt::format("is 0, and {} carries no other mass; one must be > 0", links[i].name));
    }
    if (links[i].parent >= 0) carried[static_cast<std::size_t>(links[i].parent)] += carried[i];
  }
}

}  // namespace

int link_named(const TomlTable& table, std::string_view key, const std::string& name,
               const std::vector<Link>& links) {
  if (name == kGround) return -1;
  std::vector<std::string> names = {kGround};
  for (const Link& link : links) names.push_back(link.name);
  const auto found = std::find(names.begin() + 1, names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin()) - 1;
  table.fail(key, fmt::format("\"{}\" is no link{}; must be of {}", name,
                              key == "parent" ? " before this one" : "", fmt::join(names, ", ")));
}

TomlTable table_of_link(const TomlTable& document, const std::string& name) {
  const std::vector<TomlTable> tables = document.tables("link");
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const TomlTable& table) {
    const std::string own = table.text("name");
    return own == name || (table.has("repeat") && name.starts_with(own + "_"));
  });
  return *found;
}

std::vector<Link> read_links(const std::vector<TomlTable>& tables) {
  std::vector<Link> links;
  std::vector<int> table_of;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const TomlTable& table = tables[k];
    const Link link = read_link(table, links);
    if (table.has("repeat")) {
      add_chain(table, link, links);
    } else {
      if (table.has("next_at_mm")) table.fail("next_at_mm", "goes with repeat only");
      add_link(table, link, links);
    }
    table_of.resize(links.size(), static_cast<int>(k));
  }
  check_masses(tables, table_of, links);
  return links;
}

}  // namespace graspmap
