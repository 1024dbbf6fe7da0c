#include "grasp/sweep/config/scenario_reader.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>

#include "geometry/mass_properties.hpp"
#include "geometry/part.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/outline_toml.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "sim/closing/model.hpp"
#include "sim/support/fourth_order.hpp"
#include "sim/support/static_loads.hpp"

namespace graspmap {
namespace {

constinit OtherSteppers other_steppers;  // before any constructor: tests install theirs from one

constexpr double kLoadSumTolerance = 0.01;
constexpr double kLeastDistanceMm = 1e-6;
constexpr double kMatrixSymmetry = 1e-9;
constexpr double kLeastEigenvalueRatio = 1e-6;

/// A radius of the support model; when it is left out, that of uniform pressure.
double read_support_radius(const TomlTable& table, std::string_view key, const Part& part,
                           const MassProperties& mass) {
  if (table.has(key)) return positive_within(table, key, limits::kLengths_mm);
  return mean_radius_mm(part, mass.center_of_mass_P_mm);
}

EllipsoidSupport read_ellipsoid(const TomlTable& table, const Part& part,
                                const MassProperties& mass) {
  EllipsoidSupport support;
  support.e_t = positive_within_or(table, support.e_t, "e_t", limits::kRatios);
  support.e_o = positive_within_or(table, support.e_o, "e_o", limits::kRatios);
  support.e_r_mm = read_support_radius(table, "e_r_mm", part, mass);
  table.check_keys();
  return support;
}

TripodSupport read_tripod(const TomlTable& table, const Part& part, const MassProperties& mass) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  TripodSupport support;
  support.radius_mm = read_support_radius(table, "radius_mm", part, mass);
  support.angles_rad = table.has("angles_rad")
                           ? table.numbers<3>("angles_rad")
                           : std::array{90 * kDegree, 210 * kDegree, 330 * kDegree};
  table.check_keys();
  return support;
}

/// points_mm: 3 to kMaxSupportPoints, no two in the same place.
std::vector<Vec2> read_support_points(const TomlTable& table) {
  std::vector<Vec2> points;
  for (const auto& [x, y] : table.pairs("points_mm")) {
    check_limits(table, "points_mm", x, limits::kPositions_mm);
    check_limits(table, "points_mm", y, limits::kPositions_mm);
    points.emplace_back(x, y);
  }
  if (points.size() < 3 || points.size() > std::size_t{kMaxSupportPoints}) {
    table.fail("points_mm", fmt::format("is a list of {}; must be 3 to {} points, [[x, y], ...]",
                                        points.size(), kMaxSupportPoints));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if ((points[i] - points[j]).norm() > kLeastDistanceMm) continue;
      table.fail("points_mm", fmt::format("points {} and {} are the same, ({}, {}); must differ",
                                          j + 1, i + 1, points[i].x(), points[i].y()));
    }
  }
  return points;
}

/// A list with one number >= 0 for each point.
std::vector<double> read_for_points(const TomlTable& table, std::string_view key,
                                    std::size_t count) {
  std::vector<double> values = table.number_list(key, count);
  for (const double value : values) {
    if (value < 0.0) table.fail(key, fmt::format("has {}; all must be >= 0", value));
  }
  return values;
}

/// The given shares of the weight, or those of statics.
std::vector<double> read_loads(const TomlTable& table, const std::vector<Vec2>& points_mm,
                               const Vec2& center_of_mass_mm) {
  if (table.has("load_shares")) {
    std::vector<double> shares = read_for_points(table, "load_shares", points_mm.size());
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (!(std::abs(sum - 1.0) <= kLoadSumTolerance)) {
      table.fail("load_shares",
                 fmt::format("sum up to {}; must sum up to 1: shares of the weight", sum));
    }
    return shares;
  }
  const auto loads = static_loads(points_mm, center_of_mass_mm);
  if (!loads) {
    table.fail("points_mm",
               fmt::format("the centre of mass ({}, {}) lies outside of their convex hull, where "
                           "the part would tip over; must lie within it, or give load_shares",
                           center_of_mass_mm.x(), center_of_mass_mm.y()));
  }
  return *loads;
}

PointsSupport read_points_support(const TomlTable& table, const MassProperties& mass) {
  table.ask_for({"points_mm", "load_shares", "friction_factors"});
  table.check_keys();
  const std::vector<Vec2> points = read_support_points(table);
  const std::vector<double> loads = read_loads(table, points, mass.center_of_mass_P_mm);
  const std::vector<double> factors =
      table.has("friction_factors") ? read_for_points(table, "friction_factors", points.size())
                                    : std::vector<double>(points.size(), 1.0);
  PointsSupport support;
  for (std::size_t k = 0; k < points.size(); ++k) {
    support.points.push_back({points[k], loads[k], factors[k]});
  }
  return support;
}

PartEllipsoidSupport read_part_ellipsoid(const TomlTable& table) {
  PartEllipsoidSupport support;
  support.length_mm = positive_within(table, "length_mm", limits::kLengths_mm);
  const std::vector<std::vector<double>> rows = table.number_lists("matrix", 3, 3);
  table.check_keys();
  if (rows.size() != 3) {
    table.fail("matrix", fmt::format("has {} rows; must have 3 rows of 3 numbers", rows.size()));
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      support.matrix(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  const Eigen::Matrix3d& A = support.matrix;
  if ((A - A.transpose()).norm() > kMatrixSymmetry * A.norm()) {
    table.fail("matrix", "is not symmetric; must be symmetric and positive definite");
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(A, Eigen::EigenvaluesOnly);
  const double least = eigen.eigenvalues().minCoeff();
  if (!(least > kLeastEigenvalueRatio * eigen.eigenvalues().maxCoeff())) {
    table.fail("matrix",
               fmt::format("has the eigenvalues {:.6g}, {:.6g}, {:.6g}; must be positive definite, "
                           "the least at least {:g} of the largest",
                           eigen.eigenvalues()[0], eigen.eigenvalues()[1], eigen.eigenvalues()[2],
                           kLeastEigenvalueRatio));
  }
  return support;
}

FourthOrderSupport read_fourth_order(const TomlTable& table) {
  FourthOrderSupport support;
  support.length_mm = positive_within(table, "length_mm", limits::kLengths_mm);
  support.coefficients = table.numbers<std::size_t{kFourthOrderTerms}>("coefficients");
  table.check_keys();
  const std::string fault = limit_surface_fault(FourthOrderForm(support.coefficients));
  if (!fault.empty()) {
    table.fail("coefficients", fmt::format("the polynomial {}; must be convex, and positive in all "
                                           "directions but 0, to be a limit surface",
                                           fault));
  }
  return support;
}

/// The keys that models have beside "model"; some have them in common.
struct ModelKeys {
  const char* owner;
  std::vector<std::string_view> keys;
};

void name_keys_of_models(const TomlTable& table) {
  for (const auto& [owner, keys] :
       {ModelKeys{"the ellipsoid (support.model = \"ellipsoid\")", {"e_t", "e_o", "e_r_mm"}},
        ModelKeys{"the tripod (support.model = \"tripod\")", {"radius_mm", "angles_rad"}},
        ModelKeys{"points (support.model = \"points\")",
                  {"points_mm", "load_shares", "friction_factors"}},
        ModelKeys{"support.model = \"part-ellipsoid\" and \"fourth-order\"", {"length_mm"}},
        ModelKeys{"support.model = \"part-ellipsoid\"", {"matrix"}},
        ModelKeys{"support.model = \"fourth-order\"", {"coefficients"}}}) {
    table.belongs_elsewhere(owner, keys);
  }
}

/// Reads [support]. A radius that is left out is that of uniform pressure; loads that are left out
/// are those of statics. Throws ConfigError.
SupportModel read_support(const TomlTable& table, const Part& part, const MassProperties& mass) {
  const std::vector<std::string_view> models(kSupportModelNames.begin(), kSupportModelNames.end());
  const std::size_t model = table.choice("model", models);
  name_keys_of_models(table);
  if (!table.has("model")) {
    table.ask_for({"e_t", "e_o", "e_r_mm", "radius_mm", "angles_rad", "points_mm", "load_shares",
                   "friction_factors", "length_mm", "matrix", "coefficients"});
    table.check_keys();
  }
  switch (model) {
    case 1:
      return read_tripod(table, part, mass);
    case 2:
      return read_points_support(table, mass);
    case 3:
      return read_part_ellipsoid(table);
    case 4:
      return read_fourth_order(table);
    default:
      return read_ellipsoid(table, part, mass);
  }
}

constexpr NumberRange kStepSizes{.min = 0.0, .max = 1.0, .above_min = true};
constexpr double kMostStepsOfTrial = 1e7;

/// What steps of second order have by default. Scenario's own values are those of first order.
constexpr double kSecondOrderStep_s = 0.032;  ///< the largest one
/// At most, and less of parts that reach less than 20 mm from their centre of mass.
constexpr double kSecondOrderTolerance_mm = 0.02;
constexpr double kSecondOrderToleranceOfReach = 0.001;

Gripper read_gripper(const TomlTable& table) {
  Gripper gripper;
  gripper.jaw_mass_kg = positive_within(table, "jaw_mass_kg", limits::kMasses_kg);
  gripper.closing_force_n = positive_within(table, "closing_force_n", limits::kForces_n);
  gripper.closing_speed_mm_s = positive_within(table, "closing_speed_mm_s", limits::kSpeeds_mm_s);
  gripper.opening_mm = positive_within(table, "opening_mm", limits::kLengths_mm);
  if (table.has("coupling")) {
    gripper.coupling = table.choice("coupling", {"symmetric", "independent"}) == 0
                           ? Coupling::kSymmetric
                           : Coupling::kIndependent;
  }
  if (table.has("offset_mm")) gripper.offset_mm = read_vec2(table, "offset_mm");
  table.ask_for({"finger", "left_finger", "palm"});
  table.check_keys();
  return gripper;
}

StopRule read_stop(const TomlTable& table, double step_s) {
  const NumberRange timeouts{.min = 0.0, .max = kMostStepsOfTrial * step_s, .above_min = true};
  StopRule stop;
  stop.stopped_speed_mm_s = positive_within_or(table, stop.stopped_speed_mm_s, "stopped_speed_mm_s",
                                               limits::kSpeeds_mm_s);
  stop.stopped_time_s =
      positive_within_or(table, stop.stopped_time_s, "stopped_time_s", limits::kTimes_s);
  stop.closed_opening_mm =
      positive_within_or(table, stop.closed_opening_mm, "closed_opening_mm", limits::kLengths_mm);
  stop.timeout_s = table.number_or(stop.timeout_s, "timeout_s", timeouts);
  stop.contact_gap_mm =
      positive_within_or(table, stop.contact_gap_mm, "contact_gap_mm", limits::kLengths_mm);
  table.check_keys();
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
  // Jaws that hardly begin to move until the timeout would take no part in a trial.
  constexpr double kMillinewtonsPerNewton = 1000.0;
  const double time_s = gripper.jaw_mass_kg * gripper.closing_speed_mm_s /
                        (kMillinewtonsPerNewton * gripper.closing_force_n);
  if (time_s > limits::kMostSpeedUp * stop.timeout_s) {
    table.fail(
        "closing_force_n",
        fmt::format("is {}, with which jaws of {} kg take {:.4g} s to reach "
                    "closing_speed_mm_s = {}; must be at most {:g} times stop.timeout_s = {}",
                    gripper.closing_force_n, gripper.jaw_mass_kg, time_s,
                    gripper.closing_speed_mm_s, limits::kMostSpeedUp, stop.timeout_s));
  }
  check_fingers_apart(table, gripper, stop.closed_opening_mm);
}

}  // namespace

void install_other_steppers(const OtherSteppers& steppers) { other_steppers = steppers; }

namespace {

/// The order of steps: 2 where it is left out, unless another key asks for what only 1 has.
int read_order(const TomlTable& simulation, bool own_stepper,
               const std::optional<double>& tolerance_mm) {
  if (simulation.has("order")) return static_cast<int>(simulation.integer("order", 1, 2));
  const bool fixed_steps = tolerance_mm == 0.0;
  return own_stepper && !fixed_steps ? 2 : 1;
}

double default_tolerance_mm(const Scenario& scenario) {
  const double reach_mm = bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
  return std::min(kSecondOrderTolerance_mm, kSecondOrderToleranceOfReach * reach_mm);
}

/// The order of steps, their tolerance and size.
void read_steps(const TomlTable& simulation, Scenario& scenario) {
  std::optional<double> tolerance_mm;
  if (simulation.has("tolerance_mm")) {
    tolerance_mm = simulation.number("tolerance_mm", kNonNegative);
  }
  scenario.order = read_order(simulation, !scenario.other_stepper, tolerance_mm);
  const bool second = scenario.order == 2;
  scenario.tolerance_mm =
      tolerance_mm.value_or(second ? default_tolerance_mm(scenario) : scenario.tolerance_mm);
  scenario.step_s =
      simulation.number_or(second ? kSecondOrderStep_s : scenario.step_s, "step_s", kStepSizes);
  check_limits(simulation, "step_s", scenario.step_s, limits::kTimes_s);
}

std::shared_ptr<const OtherStepper> read_other_stepper(const TomlTable& simulation) {
  if (other_steppers.read != nullptr) return other_steppers.read(simulation);
  if (!simulation.has("stepper")) return nullptr;
  const std::string word = simulation.text("stepper");
  if (word != "implicit") {
    simulation.fail(
        "stepper",
        fmt::format("is \"{}\"; must be \"implicit\", or left out: only graspmap-lab has "
                    "others (the same command, begun with graspmap-lab)",
                    word));
  }
  static_cast<void>(simulation.choice("stepper", {"implicit"}));  // what shells complete
  return nullptr;
}

/// [simulation]: the steps and the time-stepper.
void read_simulation(const TomlTable& simulation, Scenario& scenario) {
  scenario.other_stepper = read_other_stepper(simulation);
  read_steps(simulation, scenario);
  scenario.gravity_mm_s2 =
      simulation.number_or(scenario.gravity_mm_s2, "gravity_mm_s2", kNonNegative);
  check_limits(simulation, "gravity_mm_s2", scenario.gravity_mm_s2, limits::kGravities_mm_s2);
  simulation.check_keys();
}

/// Throws unless the order of steps goes with their tolerance.
void check_order(const TomlTable& simulation, const Scenario& scenario) {
  if ((scenario.order == 2) == (scenario.tolerance_mm > 0.0)) return;
  if (scenario.order == 1) {
    simulation.fail("tolerance_mm",
                    fmt::format("is {} with simulation.order = 1, whose steps are fixed; must be 0 "
                                "or left out, or go with simulation.order = 2",
                                scenario.tolerance_mm));
  }
  simulation.fail("tolerance_mm",
                  fmt::format("is 0 with simulation.order = {}, whose steps are sized by their "
                              "error; must be > 0 or left out, or 0 with simulation.order = 1 "
                              "for fixed steps",
                              scenario.order));
}

}  // namespace

ScenarioTables::ScenarioTables(const TomlTable& document)
    : part(document.table("part")),
      gripper(document.table("gripper")),
      support(document.table("support")),
      simulation(document.table_or_empty("simulation")),
      stop(document.table_or_empty("stop")) {}

DrawnScenario read_scenario(const ScenarioTables& tables, const std::filesystem::path& folder) {
  DrawnScenario scenario;
  scenario.part = read_part(tables.part, folder);
  read_part_offset(tables.part, scenario);
  scenario.mass = read_mass(tables.part, scenario.part);
  scenario.gripper = read_gripper(tables.gripper);
  read_fingers(tables.gripper, folder, scenario);
  scenario.support = read_support(tables.support, scenario.part, scenario.mass);
  read_simulation(tables.simulation, scenario);
  if (scenario.other_stepper) other_steppers.check(tables, scenario);
  check_order(tables.simulation, scenario);
  scenario.stop = read_stop(tables.stop, scenario.step_s);
  check_stop_against_gripper(tables.gripper, scenario.stop, scenario.gripper);
  return scenario;
}

}  // namespace graspmap
