#include "lab/spatial_scenes/rigid_body_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lab/spatial_scenes/solid_reader.hpp"
#include "lab/spatial_scenes/spatial_keys.hpp"

namespace graspmap {
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
    for (const std::string_view key : {"mass_kg", "inertia_kg_mm2"}) {
      if (table.has(key)) {
        table.fail(key, fmt::format("does not go with density_kg_per_mm3; {}", kEither));
      }
    }
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

}  // namespace graspmap
