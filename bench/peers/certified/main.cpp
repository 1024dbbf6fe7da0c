// certified_peers: to how many digits Box2D and MuJoCo reach the ends of configs/certified, of
// those problems that they can be told: jaws that close, with flat fingers, on a disc or a convex
// part. docs/lab/certified.md has its table.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "bench/peers/box2d_engine.hpp"
#include "bench/peers/mujoco_engine.hpp"
#include "grasp/base/process/environment.hpp"
#include "lab/certified/certified_problem.hpp"

namespace graspmap::bench {
namespace {

/// The trial as engines have it, which close for a time: nothing where they have other programs.
std::optional<Scenario> as_closing(const CertifiedProblem& problem) {
  Scenario scenario = problem.scenario;
  double time_s = 0.0;
  for (const Phase& phase : scenario.program) {
    if (phase.drive != JawDrive::kClose || phase.twist.moves()) return std::nullopt;
    time_s += phase.duration_s;
  }
  if (scenario.gripper.right_finger || scenario.gripper.coupling > Coupling::kIndependent ||
      !scenario.obstacles.empty()) {
    return std::nullopt;
  }
  scenario.program.clear();
  scenario.stop.timeout_s = time_s;
  scenario.stop.stopped_speed_mm_s = -1e9;  // it goes on to its end
  return scenario;
}

using MakeEngine = std::unique_ptr<Engine> (*)(const Scenario& scenario, double step_s);

/// Digits of the worst value, as a column of the table.
std::string digits(const CertifiedProblem& problem, const Scenario& scenario, double step_s,
                   MakeEngine make) {
  try {
    SimulationResult result;
    make(scenario, step_s)->simulate(problem.trial, result);
    if (result.end != EndReason::kTimeout || result.statistics.steps == 0) return "-";
    double worst = 15.0;
    for (const CertifiedValue& value : problem.values) {
      const double end = end_value(scenario, result.final_state, value.name);
      worst = std::min(worst, digits_reached(value, end));
    }
    return fmt::format("{:.1f}", worst);
  } catch (const std::invalid_argument&) {
    return "-";  // the engine cannot be told the problem
  }
}

std::unique_ptr<Engine> box2d(const Scenario& scenario, double step_s) {
  return make_box2d_engine(scenario, step_s);
}

std::unique_ptr<Engine> mujoco(const Scenario& scenario, double step_s) {
  return make_mujoco_engine(scenario, step_s, {MujocoTooth::kMesh});
}

void print_table() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(example_path("certified"))) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::cout << "| problem | Box2D, 1/480 s | Box2D, 0.2 ms | MuJoCo, 1 ms | MuJoCo, 0.1 ms |\n"
               "| --- | --- | --- | --- | --- |\n";
  for (const std::filesystem::path& file : files) {
    const CertifiedProblem problem = read_certified_problem(file, {});
    const std::optional<Scenario> scenario = as_closing(problem);
    if (!scenario) continue;
    const std::array columns{
        digits(problem, *scenario, 1.0 / 480, box2d), digits(problem, *scenario, 2e-4, box2d),
        digits(problem, *scenario, 1e-3, mujoco), digits(problem, *scenario, 1e-4, mujoco)};
    if (std::count(columns.begin(), columns.end(), "-") == std::ssize(columns)) continue;
    std::cout << fmt::format("| {} | {} |\n", problem.name, fmt::join(columns, " | "));
  }
}

}  // namespace
}  // namespace graspmap::bench

int main() {
  try {
    graspmap::bench::print_table();
  } catch (const std::exception& error) {
    std::cerr << "certified_peers: error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
