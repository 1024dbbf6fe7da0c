#include "lab/spatial_scenes/rigid_scene_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grasp/base/io/number.hpp"
#include "lab/scenes/scene_keys.hpp"

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
  if (table.has("stepper")) read.stepper = read_named(table, "stepper", kSpatialSteppers);
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

namespace {

constexpr NumberRange kSuperquadricExponents{.min = 2.0, .max = 100.0};

struct SolidKind {
  std::string_view word;
  Solid (*read)(const TomlTable& table);
};

Solid read_sphere(const TomlTable& table) { return Sphere{table.number("radius_mm", kLengths_mm)}; }

Solid read_ellipsoid(const TomlTable& table) {
  return Ellipsoid{read_lengths3(table, "semi_axes_mm")};
}

Solid read_superquadric(const TomlTable& table) {
  return Superquadric{read_lengths3(table, "semi_axes_mm"),
                      table.number("exponent", kSuperquadricExponents)};
}

Solid read_box(const TomlTable& table) { return Box3{0.5 * read_lengths3(table, "size_mm")}; }

Solid read_cylinder(const TomlTable& table) {
  return Cylinder{table.number("radius_mm", kLengths_mm),
                  0.5 * table.number("length_mm", kLengths_mm)};
}

Solid read_half_space(const TomlTable&) { return HalfSpace{}; }

const std::vector<SolidKind>& solid_kinds() {
  static const std::vector<SolidKind> kinds = {
      {"sphere", read_sphere}, {"ellipsoid", read_ellipsoid}, {"superquadric", read_superquadric},
      {"box", read_box},       {"cylinder", read_cylinder},   {"half_space", read_half_space},
  };
  return kinds;
}

}  // namespace

Solid read_solid(const TomlTable& table) {
  std::vector<std::string_view> words;
  for (const SolidKind& kind : solid_kinds()) words.push_back(kind.word);
  return solid_kinds()[table.kind("kind", words)].read(table);
}

namespace {

/// The keys of a body that moves.
const std::vector<std::string_view> kRigidMotionKeys = {
    "velocity_mm_s", "angular_velocity_rad_s", "force_n",           "torque_n_mm",
    "mass_kg",       "inertia_kg_mm2",         "density_kg_per_mm3"};

void read_rigid_mass(const TomlTable& table, SpatialBody& body) {
  constexpr const char* kEither =
      "give either mass_kg, with or without inertia_kg_mm2, or density_kg_per_mm3; or fixed = true";
  const bool has_density = table.has("density_kg_per_mm3");
  if (has_density) {
    table.refuse_both("mass_kg", "density_kg_per_mm3", kEither);
    table.refuse_both("inertia_kg_mm2", "density_kg_per_mm3", kEither);
  } else if (!table.has("mass_kg")) {
    table.fail("mass_kg", fmt::format("missing; {}", kEither));
  }
  const SolidMass unit = solid_mass(body.solid);
  const double density = has_density ? table.number("density_kg_per_mm3", kPositive)
                                     : table.number("mass_kg", kMasses_kg) / unit.volume_mm3;
  body.mass_kg = has_density ? density * unit.volume_mm3 : table.number("mass_kg", kMasses_kg);
  if (!kMasses_kg.contains(body.mass_kg)) {
    table.fail("density_kg_per_mm3",
               fmt::format("gives a mass of {:.4g} kg; must give one from {:g} to {:g} kg",
                           body.mass_kg, kMasses_kg.min, kMasses_kg.max));
  }
  body.inertia_kg_mm2 = table.has("inertia_kg_mm2")
                            ? read_principal_inertia(table, "inertia_kg_mm2", false)
                            : Vec3(density * unit.inertia_mm5);
}

void read_rigid_motion(const TomlTable& table, SpatialBody& body) {
  if (std::holds_alternative<HalfSpace>(body.solid)) {
    table.fail("kind", "is a half-space on a body that moves; give it fixed = true");
  }
  body.velocity << read_vec3_or_zero(table, "velocity_mm_s"),
      read_vec3_or_zero(table, "angular_velocity_rad_s");
  body.force = read_wrench(table, "force_n", "torque_n_mm");
  read_rigid_mass(table, body);
}

SpatialBody read_rigid_body(const TomlTable& table) {
  SpatialBody body;
  body.name = table.name("name");
  body.solid = read_solid(table);
  body.pose = {read_vec3_or_zero(table, "position_mm"), read_orientation(table, "orientation")};
  body.is_fixed = table.truth_or(false, "fixed");
  const std::string_view motion_key = table.first_present(kRigidMotionKeys);
  table.check_keys();
  if (!body.is_fixed) {
    read_rigid_motion(table, body);
  } else if (!motion_key.empty()) {
    table.fail(motion_key, "does not go with fixed; only bodies that move have it");
  }
  return body;
}

}  // namespace

std::vector<SpatialBody> read_rigid_bodies(const std::vector<TomlTable>& tables) {
  std::vector<SpatialBody> bodies;
  for (const TomlTable& table : tables) {
    SpatialBody body = read_rigid_body(table);
    const bool is_taken = std::any_of(bodies.begin(), bodies.end(), [&](const SpatialBody& other) {
      return other.name == body.name;
    });
    if (is_taken) {
      table.fail("name",
                 fmt::format("\"{}\" is the name of two bodies; must be unique", body.name));
    }
    bodies.push_back(std::move(body));
  }
  return bodies;
}

int body_named(const TomlTable& table, std::string_view key, const std::string& name,
               const std::vector<SpatialBody>& bodies) {
  std::vector<std::string> names;
  for (const SpatialBody& body : bodies) names.push_back(body.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  table.fail(key, fmt::format("\"{}\" is no body; must be of {}", name, fmt::join(names, ", ")));
}

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
  const SpatialJointKind kind = read_named(table, "kind", kSpatialJoints);
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

namespace {

std::string vec3_text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

}  // namespace

Vec3 read_vec3(const TomlTable& table, std::string_view key) {
  const auto [x, y, z] = table.numbers<3>(key);
  const Vec3 v(x, y, z);
  if (v.cwiseAbs().maxCoeff() > kLargestComponent) {
    table.fail(key,
               fmt::format("is {}; none may be larger than {:g}", vec3_text(v), kLargestComponent));
  }
  return v;
}

Vec3 read_vec3_or_zero(const TomlTable& table, std::string_view key) {
  return table.has(key) ? read_vec3(table, key) : Vec3::Zero();
}

Vec3 read_lengths3(const TomlTable& table, std::string_view key) {
  const Vec3 lengths = read_vec3(table, key);
  if (lengths.minCoeff() < kLengths_mm.min || lengths.maxCoeff() > kLengths_mm.max) {
    table.fail(key, fmt::format("is {}; all must be > 0, from {:g} to {:g}", vec3_text(lengths),
                                kLengths_mm.min, kLengths_mm.max));
  }
  return lengths;
}

Vec3 read_direction3(const TomlTable& table, std::string_view key) {
  const Vec3 direction = read_vec3(table, key);
  const double length = direction.norm();
  if (length == 0.0 || !std::isfinite(length)) {
    table.fail(key, fmt::format("is {}; must be a direction, not all 0", vec3_text(direction)));
  }
  return direction / length;
}

Eigen::Quaterniond read_orientation(const TomlTable& table, std::string_view key) {
  constexpr double kNearlyUnit = 1e-3;
  if (!table.has(key)) return Eigen::Quaterniond::Identity();
  const auto [w, x, y, z] = table.numbers<4>(key);
  const Eigen::Quaterniond q(w, x, y, z);
  if (!(std::abs(q.norm() - 1.0) <= kNearlyUnit)) {
    table.fail(key, fmt::format("is of length {:.6g}; must be a unit quaternion [w, x, y, z], of "
                                "length 1 to {}",
                                q.norm(), kNearlyUnit));
  }
  return q.normalized();
}

Vec3 read_principal_inertia(const TomlTable& table, std::string_view key, bool may_vanish) {
  constexpr double kRounding = 1e-9;
  const Vec3 inertia = read_vec3(table, key);
  if (may_vanish ? inertia.minCoeff() < 0.0 : inertia.minCoeff() <= 0.0) {
    table.fail(key,
               fmt::format("is {}; all must be {} 0", vec3_text(inertia), may_vanish ? ">=" : ">"));
  }
  if (inertia.maxCoeff() > (0.5 + kRounding) * inertia.sum()) {
    table.fail(key, fmt::format("is {}, which no body has; none may be more than the two others "
                                "together",
                                vec3_text(inertia)));
  }
  return inertia;
}

Twist read_wrench(const TomlTable& table, std::string_view force_key, std::string_view moment_key) {
  Twist wrench;
  wrench << kMillinewtonsPerNewton * read_vec3_or_zero(table, force_key),
      kMillinewtonsPerNewton * read_vec3_or_zero(table, moment_key);
  return wrench;
}

int read_friction_directions(const TomlTable& table, int fallback) {
  constexpr std::int64_t kMost = 64;
  if (!table.has("directions")) return fallback;
  const std::int64_t count = table.integer("directions", 4, kMost);
  if (count % 2 != 0) table.fail("directions", fmt::format("is {}; must be even", count));
  return static_cast<int>(count);
}

}  // namespace graspmap
