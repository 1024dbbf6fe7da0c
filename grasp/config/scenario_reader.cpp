#include "grasp/config/scenario_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace graspmap {
namespace {

constexpr NumberRange kExponents{.min = 2.0, .max = 100.0};
constexpr NumberRange kStepSizes{.min = 0.0, .max = 1.0, .above_min = true};
constexpr double kMostStepsOfTrial = 1e7;
constexpr std::int64_t kMostPolygonVertices = 100000;

Vec2 read_vec2(const TomlTable& table, std::string_view key) {
  const auto [x, y] = table.numbers<2>(key);
  return {x, y};
}

Piece read_piece(const TomlTable& table) {
  table.allow_only({"name", "center_mm", "angle_rad", "semi_axes_mm", "exponent"});
  Piece piece;
  piece.name = table.name("name");
  if (table.has("center_mm")) piece.pose.position_mm = read_vec2(table, "center_mm");
  piece.pose.angle_rad = table.number_or(0.0, "angle_rad", kAnyNumber);
  const auto [a, b] = table.numbers<2>("semi_axes_mm");
  if (a <= 0 || b <= 0) {
    table.fail("semi_axes_mm", fmt::format("is [{}, {}]; both must be > 0", a, b));
  }
  piece.shape = {a, b, table.number_or(2.0, "exponent", kExponents)};
  return piece;
}

Part read_part(const TomlTable& table) {
  Part part;
  for (const TomlTable& piece_table : table.tables("piece")) {
    Piece piece = read_piece(piece_table);
    const bool taken = std::any_of(part.pieces.begin(), part.pieces.end(),
                                   [&](const Piece& other) { return other.name == piece.name; });
    if (taken) {
      piece_table.fail("name",
                       fmt::format("\"{}\" is the name of two pieces; must be unique", piece.name));
    }
    part.pieces.push_back(std::move(piece));
  }
  return part;
}

/// The first of `keys` that the table has, or "".
std::string_view first_present(const TomlTable& table, const std::vector<std::string_view>& keys) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](std::string_view key) { return table.has(key); });
  return found == keys.end() ? "" : *found;
}

MassProperties read_mass(const TomlTable& table, const Part& part) {
  constexpr std::string_view kEither =
      "give either mass_kg, center_of_mass_mm and inertia_kg_mm2, or density_kg_mm3 and "
      "thickness_mm";
  const auto given = first_present(table, {"mass_kg", "center_of_mass_mm", "inertia_kg_mm2"});
  const auto uniform = first_present(table, {"density_kg_mm3", "thickness_mm"});
  if (given.empty() && uniform.empty()) table.fail("mass_kg", fmt::format("missing; {}", kEither));
  if (!given.empty() && !uniform.empty()) {
    table.fail(uniform, fmt::format("does not go with {}; {}", given, kEither));
  }
  if (!uniform.empty()) {
    const double density = table.number("density_kg_mm3", kPositive);
    return mass_properties(part, density, table.number("thickness_mm", kPositive));
  }
  MassProperties mass;
  mass.mass_kg = table.number("mass_kg", kPositive);
  mass.center_of_mass_P_mm = read_vec2(table, "center_of_mass_mm");
  mass.inertia_kg_mm2 = table.number("inertia_kg_mm2", kPositive);
  return mass;
}

Gripper read_gripper(const TomlTable& table) {
  table.allow_only(
      {"jaw_mass_kg", "closing_force_n", "closing_speed_mm_s", "opening_mm", "coupling"});
  Gripper gripper;
  gripper.jaw_mass_kg = table.number("jaw_mass_kg", kPositive);
  gripper.closing_force_n = table.number("closing_force_n", kPositive);
  gripper.closing_speed_mm_s = table.number("closing_speed_mm_s", kPositive);
  gripper.opening_mm = table.number("opening_mm", kPositive);
  if (table.has("coupling")) {
    gripper.coupling = table.choice("coupling", {"symmetric", "independent"}) == 0
                           ? Coupling::kSymmetric
                           : Coupling::kIndependent;
  }
  return gripper;
}

/// A radius of the support model; when it is left out, that of uniform pressure.
double read_support_radius(const TomlTable& table, std::string_view key, const Part& part,
                           const MassProperties& mass) {
  if (table.has(key)) return table.number(key, kPositive);
  return mean_radius_mm(part, mass.center_of_mass_P_mm);
}

EllipsoidSupport read_ellipsoid(const TomlTable& table, const Part& part,
                                const MassProperties& mass) {
  table.allow_only({"model", "e_t", "e_o", "e_r_mm"});
  EllipsoidSupport support;
  support.e_t = table.number_or(support.e_t, "e_t", kPositive);
  support.e_o = table.number_or(support.e_o, "e_o", kPositive);
  support.e_r_mm = read_support_radius(table, "e_r_mm", part, mass);
  return support;
}

TripodSupport read_tripod(const TomlTable& table, const Part& part, const MassProperties& mass) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  table.allow_only({"model", "radius_mm", "angles_rad"});
  TripodSupport support;
  support.radius_mm = read_support_radius(table, "radius_mm", part, mass);
  support.angles_rad = table.has("angles_rad")
                           ? table.numbers<3>("angles_rad")
                           : std::array{90 * kDegree, 210 * kDegree, 330 * kDegree};
  return support;
}

SupportModel read_support(const TomlTable& table, const Part& part, const MassProperties& mass) {
  table.allow_only({"model", "e_t", "e_o", "e_r_mm", "radius_mm", "angles_rad"});
  if (table.choice("model", {"ellipsoid", "tripod"}) == 0) {
    return read_ellipsoid(table, part, mass);
  }
  return read_tripod(table, part, mass);
}

StopRule read_stop(const TomlTable& table, double step_s) {
  table.allow_only(
      {"stopped_speed_mm_s", "stopped_time_s", "closed_opening_mm", "timeout_s", "contact_gap_mm"});
  const NumberRange timeouts{.min = 0.0, .max = kMostStepsOfTrial * step_s, .above_min = true};
  StopRule stop;
  stop.stopped_speed_mm_s =
      table.number_or(stop.stopped_speed_mm_s, "stopped_speed_mm_s", kPositive);
  stop.stopped_time_s = table.number_or(stop.stopped_time_s, "stopped_time_s", kPositive);
  stop.closed_opening_mm = table.number_or(stop.closed_opening_mm, "closed_opening_mm", kPositive);
  stop.timeout_s = table.number_or(stop.timeout_s, "timeout_s", timeouts);
  stop.contact_gap_mm = table.number_or(stop.contact_gap_mm, "contact_gap_mm", kPositive);
  return stop;
}

/// Jaws that are closed or stopped by definition would end every trial before it begins.
void check_stop_against_gripper(const TomlTable& table, const StopRule& stop,
                                const Gripper& gripper) {
  if (gripper.opening_mm <= stop.closed_opening_mm) {
    table.fail("opening_mm", fmt::format("is {}; must be above stop.closed_opening_mm = {}",
                                         gripper.opening_mm, stop.closed_opening_mm));
  }
  if (gripper.closing_speed_mm_s <= stop.stopped_speed_mm_s) {
    table.fail("closing_speed_mm_s",
               fmt::format("is {}; must be above stop.stopped_speed_mm_s = {}",
                           gripper.closing_speed_mm_s, stop.stopped_speed_mm_s));
  }
}

}  // namespace

StepperKind read_stepper_kind(const TomlTable& table) {
  std::vector<std::string_view> words;
  for (const StepperKind kind : kStepperKinds) words.emplace_back(name(kind));
  return kStepperKinds[table.choice("stepper", words)];
}

namespace {

/// The time-stepper and the polygons in place of the pieces.
void read_stepper(const TomlTable& simulation, const TomlTable& support, Scenario& scenario) {
  if (simulation.has("stepper")) scenario.stepper = read_stepper_kind(simulation);
  if (simulation.has("polygon_vertices")) {
    scenario.polygon_vertices =
        static_cast<int>(simulation.integer("polygon_vertices", 3, kMostPolygonVertices));
  }
  if (scenario.stepper != StepperKind::kImplicit) {
    if (std::holds_alternative<TripodSupport>(scenario.support)) {
      support.fail("model", fmt::format("\"tripod\" with simulation.stepper = \"{}\"; must be "
                                        "\"ellipsoid\" with all steppers but \"implicit\"",
                                        name(scenario.stepper)));
    }
  } else if (scenario.polygon_vertices > 0) {
    simulation.fail("polygon_vertices",
                    "the stepper \"implicit\" takes the pieces as they are; must be left out, or "
                    "given with another simulation.stepper");
  }
}

/// How far a step may be off. Only steppers whose steps have such an estimate take it.
double read_tolerance(const TomlTable& simulation, StepperKind stepper) {
  const double tolerance_mm = simulation.number_or(0.0, "tolerance_mm", kNonNegative);
  if (tolerance_mm > 0.0 && !is_implicit(stepper)) {
    simulation.fail(
        "tolerance_mm",
        fmt::format("is {} with the stepper \"{}\", whose steps are fixed; must be 0 or "
                    "left out with all steppers but \"implicit\" and "
                    "\"implicit-full\"",
                    tolerance_mm, name(stepper)));
  }
  return tolerance_mm;
}

}  // namespace

Scenario read_scenario(const TomlTable& document) {
  const TomlTable part = document.table("part");
  part.allow_only({"mass_kg", "center_of_mass_mm", "inertia_kg_mm2", "density_kg_mm3",
                   "thickness_mm", "piece"});
  const TomlTable gripper = document.table("gripper");
  const TomlTable simulation = document.table_or_empty("simulation");
  simulation.allow_only({"step_s", "tolerance_mm", "gravity_mm_s2", "stepper", "polygon_vertices"});

  Scenario scenario;
  scenario.part = read_part(part);
  scenario.mass = read_mass(part, scenario.part);
  scenario.gripper = read_gripper(gripper);
  scenario.support = read_support(document.table("support"), scenario.part, scenario.mass);
  scenario.step_s = simulation.number_or(scenario.step_s, "step_s", kStepSizes);
  scenario.gravity_mm_s2 =
      simulation.number_or(scenario.gravity_mm_s2, "gravity_mm_s2", kNonNegative);
  read_stepper(simulation, document.table("support"), scenario);
  scenario.tolerance_mm = read_tolerance(simulation, scenario.stepper);
  scenario.stop = read_stop(document.table_or_empty("stop"), scenario.step_s);
  check_stop_against_gripper(gripper, scenario.stop, scenario.gripper);
  return scenario;
}

}  // namespace graspmap
