#include "grasp/sweep/config/scenario_reader.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "geometry/part.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"
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

/// A radius of the support model where it is left out: that of uniform pressure.
double default_radius_mm(const DrawnScenario& scenario) {
  return mean_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
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

/// [support], and what defaults come from.
struct SupportTable {
  const TomlTable& table;
  KeyReader& keys;
  const DrawnScenario& scenario;
};

// A law's function reads its keys into a law without any, and checks them. A radius that is left
// out is that of uniform pressure; loads that are left out are those of statics.

void read_law(const SupportTable& from, EllipsoidSupport& support) {
  if (!from.table.has("e_r_mm")) support.e_r_mm = default_radius_mm(from.scenario);
  support_keys(from.keys, support);
}

void read_law(const SupportTable& from, TripodSupport& support) {
  support.angles_rad = {90 * kDegree_rad, 210 * kDegree_rad, 330 * kDegree_rad};
  if (!from.table.has("radius_mm")) support.radius_mm = default_radius_mm(from.scenario);
  support_keys(from.keys, support);
}

void read_law(const SupportTable& from, PointsSupport& support) {
  const std::vector<Vec2> points = read_support_points(from.table);
  const std::vector<double> loads =
      read_loads(from.table, points, from.scenario.mass.center_of_mass_P_mm);
  const std::vector<double> factors =
      from.table.has("friction_factors")
          ? read_for_points(from.table, "friction_factors", points.size())
          : std::vector<double>(points.size(), 1.0);
  for (std::size_t k = 0; k < points.size(); ++k) {
    support.points.push_back({points[k], loads[k], factors[k]});
  }
}

void read_law(const SupportTable& from, PartEllipsoidSupport& support) {
  support_keys(from.keys, support);
  const TomlTable& table = from.table;
  const std::vector<std::vector<double>> rows = table.number_lists("matrix", 3, 3);
  if (rows.size() != 3) {
    table.fail("matrix", fmt::format("has {} rows; must have 3 rows of 3 numbers", rows.size()));
  }
  for (int i = 0; i < 3; ++i) {
    support.matrix.row(i) = Eigen::RowVector3d::Map(rows[static_cast<std::size_t>(i)].data());
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
}

void read_law(const SupportTable& from, FourthOrderSupport& support) {
  support_keys(from.keys, support);
  const std::string fault = limit_surface_fault(FourthOrderForm(support.coefficients));
  if (fault.empty()) return;
  from.table.fail("coefficients",
                  fmt::format("the polynomial {}; must be convex, and positive in all directions "
                              "but 0, to be a limit surface",
                              fault));
}

/// The law at a place in SupportModel, without keys.
template <std::size_t... I>
SupportModel law_at(std::size_t index, std::index_sequence<I...> /*laws*/) {
  SupportModel law;
  ((I == index ? static_cast<void>(law.emplace<I>()) : void()), ...);
  return law;
}

/// Reads [support]. Throws ConfigError.
SupportModel read_support(const TomlTable& table, const ScenarioSource& source,
                          const DrawnScenario& scenario) {
  KeyReader keys(table, source.folder, &source.inputs);
  std::size_t index = 0;
  support_model_keys(keys, index);
  SupportModel model = law_at(index, std::make_index_sequence<std::variant_size_v<SupportModel>>());
  const SupportTable from{table, keys, scenario};
  std::visit([&](auto& law) { read_law(from, law); }, model);
  return model;
}

/// What steps of second order have by default. Scenario's own values are those of first order.
constexpr double kSecondOrderStep_s = 0.032;  ///< the largest one
/// At most, and less of parts that reach less than 20 mm from their centre of mass.
constexpr double kSecondOrderTolerance_mm = 0.02;
constexpr double kSecondOrderToleranceOfReach = 0.001;

/// Jaws that are closed or stopped by definition would end every trial before it begins.
void check_stop(const StopRule& stop, const Gripper& gripper, double step_s,
                const FailAtKey& fail) {
  const NumberRange timeouts{.min = 0.0, .max = kMostStepsOfTrial * step_s, .above_min = true};
  if (!timeouts.contains(stop.timeout_s)) {
    fail("stop.timeout_s", fmt::format("is {}; must be {}", stop.timeout_s, timeouts.text()));
  }
  if (gripper.opening_mm <= stop.closed_opening_mm) {
    fail("gripper.opening_mm", fmt::format("is {}; must be above stop.closed_opening_mm = {}",
                                           gripper.opening_mm, stop.closed_opening_mm));
  }
  if (gripper.closing_speed_mm_s <= stop.stopped_speed_mm_s) {
    fail("gripper.closing_speed_mm_s",
         fmt::format("is {}; must be above stop.stopped_speed_mm_s = {}",
                     gripper.closing_speed_mm_s, stop.stopped_speed_mm_s));
  }
  // Jaws that hardly begin to move until the timeout would take no part in a trial.
  const double time_s = gripper.speed_up_s();
  if (time_s > limits::kMostSpeedUp * stop.timeout_s) {
    fail("gripper.closing_force_n",
         fmt::format("is {}, with which jaws of {} kg take {:.4g} s to reach "
                     "closing_speed_mm_s = {}; must be at most {:g} times stop.timeout_s = {}",
                     gripper.closing_force_n, gripper.jaw_mass_kg, time_s,
                     gripper.closing_speed_mm_s, limits::kMostSpeedUp, stop.timeout_s));
  }
  check_fingers_apart(gripper, stop.closed_opening_mm, fail);
}

double default_tolerance_mm(const Scenario& scenario) {
  const double reach_mm = bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
  return std::min(kSecondOrderTolerance_mm, kSecondOrderToleranceOfReach * reach_mm);
}

std::shared_ptr<const OtherStepper> read_other_stepper(const TomlTable& simulation) {
  if (other_steppers.read != nullptr) return other_steppers.read(simulation);
  if (!simulation.has("stepper")) return nullptr;
  const std::string word = simulation.text("stepper");
  if (word == "implicit") return nullptr;
  simulation.fail("stepper",
                  fmt::format("is \"{}\"; must be \"implicit\", or left out: only graspmap-lab has "
                              "others (the same command, begun with graspmap-lab)",
                              word));
}

/// [simulation]: the steps and the time-stepper. The order is 2 where it is left out, unless
/// another key asks for what only 1 has.
void read_simulation(const TomlTable& simulation, const ScenarioSource& source,
                     DrawnScenario& scenario) {
  constexpr double kNotGiven = -1.0;
  const Scenario first_order;
  scenario.other_stepper = read_other_stepper(simulation);
  scenario.order = 0;
  scenario.tolerance_mm = scenario.step_s = kNotGiven;
  KeyReader keys(simulation, source.folder, &source.inputs);
  simulation_keys(keys, scenario);
  const bool fixed_steps = scenario.tolerance_mm == 0.0;
  if (scenario.order == 0) scenario.order = !scenario.other_stepper && !fixed_steps ? 2 : 1;
  const bool second = scenario.order == 2;
  if (scenario.tolerance_mm == kNotGiven) {
    scenario.tolerance_mm = second ? default_tolerance_mm(scenario) : first_order.tolerance_mm;
  }
  if (scenario.step_s == kNotGiven) {
    scenario.step_s = second ? kSecondOrderStep_s : first_order.step_s;
  }
}

/// How far a half-plane reaches to its sides and from its face: further than any gripper goes.
constexpr double kHalfPlaneReach_mm = 1e4;

Outline half_plane(const Vec2& point_mm, double facing_rad) {
  const Rotation2 R(facing_rad);  // whose x axis points out of it
  constexpr double r = kHalfPlaneReach_mm;
  Outline outline;
  for (const Vec2& corner : {Vec2(0, -r), Vec2(0, r), Vec2(-r, r), Vec2(-r, -r)}) {
    outline.outer.push_back({point_mm + R * corner, 0.0, ""});
  }
  outline.outer[0].name = "face";
  return outline;
}

Outline read_shape(const TomlTable& table, const std::filesystem::path& folder,
                   const DrawnObstacle& obstacle) {
  const std::string_view drawn = outline_key(table);
  if (!obstacle.is_half_plane) return read_table_outline(table, folder);
  if (!drawn.empty()) {
    table.fail(drawn,
               "does not go with point_mm; give one of outline_mm, file, or point_mm and "
               "facing_rad");
  }
  return half_plane(obstacle.point_mm, obstacle.facing_rad);
}

void check_name(const TomlTable& table, const DrawnScenario& scenario, const std::string& name) {
  for (const Obstacle& other : scenario.obstacles) {
    if (other.name == name) {
      table.fail("name",
                 fmt::format("\"{}\" is the name of another obstacle too; must be unique", name));
    }
  }
}

/// The tables [[obstacle]]; drawings are looked for in `folder`.
void read_obstacles(const std::vector<TomlTable>& tables, const std::filesystem::path& folder,
                    DrawnScenario& scenario) {
  for (const TomlTable& table : tables) {
    if (scenario.other_stepper) {
      table.fail("name", "obstacles need simulation.stepper = \"implicit\"; must be left out");
    }
    DrawnObstacle drawn;
    drawn.is_half_plane = table.has("point_mm");
    std::string name;
    KeyReader keys(table);
    obstacle_keys(keys, name, drawn);
    check_name(table, scenario, name);
    if (!scenario.obstacles.empty() && drawn.frame != scenario.table) {
      table.fail(table.has("frame") ? "frame" : "name",
                 fmt::format("stands in the frame of the {}, other obstacles in that of the {}; "
                             "must be in the same frame",
                             kTableFrameWords[static_cast<std::size_t>(drawn.frame)],
                             kTableFrameWords[static_cast<std::size_t>(scenario.table)]));
    }
    scenario.table = drawn.frame;
    scenario.obstacles.push_back(
        {name, read_shape(table, folder, drawn), drawn.mu.value_or(kFrictionOfTrial)});
    scenario.obstacles_as_drawn.push_back(drawn);
  }
}

}  // namespace

void install_other_steppers(const OtherSteppers& steppers) { other_steppers = steppers; }

std::vector<std::string_view> stepper_words() {
  return other_steppers.words == nullptr ? std::vector<std::string_view>{"implicit"}
                                         : other_steppers.words();
}

std::vector<KeyRow> stepper_integers() {
  return other_steppers.integers == nullptr ? std::vector<KeyRow>{} : other_steppers.integers();
}

void check_scenario(const DrawnScenario& scenario, const FailAtKey& fail) {
  check_part(scenario, fail);
  if (scenario.order == 1 && scenario.tolerance_mm > 0.0) {
    fail("simulation.tolerance_mm",
         fmt::format("is {} with simulation.order = 1, whose steps are fixed; must be 0 or left "
                     "out, or go with simulation.order = 2",
                     scenario.tolerance_mm));
  }
  if (scenario.order == 2 && scenario.tolerance_mm <= 0.0) {
    fail(
        "simulation.tolerance_mm",
        "is 0 with simulation.order = 2, whose steps are sized by their error; must be > 0 or left "
        "out, or 0 with simulation.order = 1 for fixed steps");
  }
  check_stop(scenario.stop, scenario.gripper, scenario.step_s, fail);
  const auto* ellipsoid = std::get_if<EllipsoidSupport>(&scenario.support);
  if (ellipsoid == nullptr || ellipsoid->e_t == ellipsoid->e_o) return;
  for (std::size_t k = 0; k < scenario.program_as_drawn.size(); ++k) {
    if (scenario.program_as_drawn[k].action != PhaseAction::kTurn) continue;
    fail(fmt::format("program.{}.do", k),
         fmt::format("turns the axes of the ellipsoid, which has support.e_t = {} and e_o = {}; "
                     "must be left out, or the two be equal",
                     ellipsoid->e_t, ellipsoid->e_o));
  }
}

DrawnScenario read_scenario(const TomlTable& document, const std::filesystem::path& folder,
                            std::vector<WrittenInput>& inputs) {
  const ScenarioSource source{folder, inputs};
  DrawnScenario scenario;
  read_part(document.table("part"), source, scenario);
  const TomlTable gripper = document.table("gripper");
  KeyReader gripper_numbers(gripper, folder, &inputs);
  gripper_keys(gripper_numbers, scenario.gripper);
  if (!gripper.has("jaw_mass_kg")) {
    scenario.gripper.jaw_mass_kg = usual_jaw_mass_kg(scenario.gripper.closing_force_n);
  }
  read_fingers(gripper, source, scenario);
  scenario.support = read_support(document.table("support"), source, scenario);
  read_simulation(document.table_or_empty("simulation"), source, scenario);
  if (scenario.other_stepper) {
    if (scenario.gripper.coupling > Coupling::kIndependent) {
      document.fail("gripper.coupling",
                    "a fixed jaw needs simulation.stepper = \"implicit\"; must be \"symmetric\" or "
                    "\"independent\"");
    }
    other_steppers.check(document, scenario);
  }
  read_pads(gripper, source, scenario);
  read_mount(gripper, source, scenario);
  KeyReader stop(document.table_or_empty("stop"));
  stop_keys(stop, scenario.stop);
  read_obstacles(document.tables_or_none("obstacle"), folder, scenario);
  read_program(document.tables_or_none("program"), scenario);
  check_scenario(
      scenario, [&](const std::string& key, const std::string& text) { document.fail(key, text); });
  return scenario;
}

}  // namespace graspmap
