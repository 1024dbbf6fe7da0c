#include "lab/certified/certified_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grasp/base/io/toml_document.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {
namespace {

constexpr std::array kEndNames{"x_mm", "y_mm", "theta_rad", "opening_mm"};
constexpr std::int64_t kMostDigits = 15;  // of a double

CertifiedValue read_value(const TomlTable& table, const char* name) {
  CertifiedValue certified{name};
  certified.value = table.number("value", kAnyNumber);
  certified.digits = static_cast<int>(table.integer("digits", 1, kMostDigits));
  certified.scale = table.number_or(0.0, "scale", kPositive);
  table.check_keys();
  if (certified.value == 0.0 && !table.has("scale")) {
    table.fail("scale", "missing; must be a number > 0 where value is 0, for a relative error");
  }
  return certified;
}

/// What a problem has besides the keys of a sweep: [start], [certified], `level` and `why`.
CertifiedProblem read_own_tables(const TomlTable& document, const std::string& file) {
  CertifiedProblem problem;
  const std::vector<std::string_view> levels{"lower", "average", "higher"};
  problem.level = levels[document.choice("level", levels)];
  if (document.text("why").empty()) document.fail("why", "is empty; must say how the end is known");
  const TomlTable start = document.table("start");
  // The start is the part's pose in the gripper, a placement the gripper's from the part.
  problem.trial.placement_x_mm = -start.number("x_mm", kAnyNumber);
  problem.trial.placement_y_mm = -start.number("y_mm", kAnyNumber);
  problem.trial.theta_rad = start.number("theta_rad", kAnyNumber);
  start.check_keys();
  const TomlTable certified = document.table("certified");
  problem.least_digits = static_cast<int>(certified.integer("least_digits", 0, kMostDigits));
  problem.place = certified.location_of("least_digits");
  for (const char* name : kEndNames) {
    if (certified.has(name)) problem.values.push_back(read_value(certified.table(name), name));
  }
  certified.check_keys();
  if (problem.values.empty()) {
    certified.fail(
        "", fmt::format("has no value; must have one at least of {}", fmt::join(kEndNames, ", ")));
  }
  for (const char* key : {"placement", "success", "sweep", "uncertain"}) {
    if (document.has(key)) document.fail(key, "is of a sweep; must be left out of a problem");
  }
  problem.name = std::filesystem::path(file).stem().string();
  return problem;
}

/// The sweep of the one trial: what a sweep has besides, and nothing of what only a problem has.
std::vector<std::string> sweep_overrides(const CertifiedProblem& problem,
                                         std::vector<std::string> overrides) {
  for (const char* key : {"level", "why", "start", "certified"}) {
    overrides.push_back(fmt::format("{}=", key));
  }
  const TrialParameters& trial = problem.trial;
  overrides.push_back(fmt::format(
      "placement={{ x_min_mm = {}, x_max_mm = {}, x_cells = 1, y_min_mm = {}, y_max_mm = {}, "
      "y_cells = 1, theta_rad = {} }}",
      trial.placement_x_mm - 1.0, trial.placement_x_mm + 1.0, trial.placement_y_mm - 1.0,
      trial.placement_y_mm + 1.0, trial.theta_rad));
  overrides.emplace_back("success=[{ at_rest = true }]");
  overrides.emplace_back("sweep={ trials_per_cell = 1, seed = 1 }");
  return overrides;
}

const char* words(EndReason end) {
  switch (end) {
    case EndReason::kStopped:
      return "stopped";
    case EndReason::kClosed:
      return "closed";
    case EndReason::kTimeout:
      return "timeout";
    case EndReason::kBlocked:
      return "blocked";
    case EndReason::kFailed:
      return "failed";
    case EndReason::kTooLong:
      break;
  }
  return "too long";
}

double friction(const std::string& file, const char* key, const Distribution& law) {
  if (law.is_fixed()) return law.mean();
  throw config_error({file}, key, "is a distribution; must be a number");
}

}  // namespace

CertifiedProblem read_certified_problem(const std::filesystem::path& file,
                                        const std::vector<std::string>& overrides) {
  const std::string name = file.string();
  const std::string text = read_toml_text(file);
  toml::table document = parse_toml(text, name);
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  CertifiedProblem problem = read_toml_in_part(
      document, [&](const TomlTable& tables) { return read_own_tables(tables, name); });
  const SweepConfig config = parse_sweep_config(text, name, sweep_overrides(problem, overrides));
  problem.trial.mu_jaw = friction(name, "friction.jaw", config.mu_jaw);
  problem.trial.mu_support = friction(name, "friction.support", config.mu_support);
  problem.scenario = config.scenario;
  return problem;
}

double end_value(const Scenario& scenario, const State& end, const std::string& name) {
  if (name == "opening_mm") return end.jaw_right_mm - end.jaw_left_mm;
  const Pose2 pose = part_pose_in_gripper(scenario, end);
  if (name == "theta_rad") return pose.angle_rad;
  return name == "x_mm" ? pose.position_mm.x() : pose.position_mm.y();
}

double digits_reached(const CertifiedValue& certified, double computed) {
  const double most = certified.digits;
  const double unit = certified.value == 0.0 ? certified.scale : std::abs(certified.value);
  const double error = std::abs(computed - certified.value) / unit;
  if (!std::isfinite(error)) return 0.0;
  return error == 0.0 ? most : std::clamp(-std::log10(error), 0.0, most);
}

CertifiedScore score(const CertifiedProblem& problem) {
  Workspace workspace;
  SimulationResult result;
  simulate(problem.scenario, problem.trial, workspace, result);
  CertifiedScore score{0.0, words(result.end), {}};
  if (result.end != EndReason::kStopped) return score;
  for (const CertifiedValue& certified : problem.values) {
    const bool first = score.end.empty();
    score.end.push_back(end_value(problem.scenario, result.final_state, certified.name));
    const double digits = digits_reached(certified, score.end.back());
    if (!first && digits >= score.digits) continue;
    score.digits = digits;
    score.worst = certified.name;
  }
  return score;
}

}  // namespace graspmap
