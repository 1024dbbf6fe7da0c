#include "bench/compare/contestants.hpp"

#include <fmt/format.h>

#include "bench/compare/comparison.hpp"
#include "bench/peers/graspmap_engine.hpp"
#ifdef GRASPMAP_BENCH_PEERS
#include "bench/peers/box2d_engine.hpp"
#include "bench/peers/mujoco_engine.hpp"
#endif

namespace graspmap::bench {
namespace {

constexpr double kLargestStep_s = 0.032;  ///< of steps that are sized by their error

void add_ours(Scenario scenario, std::vector<Contestant>& contestants) {
  scenario.tolerance_mm = 0.0;
  scenario.order = 1;
  for (const double step_ms : {10.0, 5.0, 2.0, 1.0, 0.5}) {
    scenario.step_s = 1e-3 * step_ms;
    contestants.push_back({fmt::format("{}, fixed step", kOurs), fmt::format("{:g} ms", step_ms),
                           make_graspmap_engine(scenario)});
  }
  scenario.order = 2;
  scenario.step_s = kLargestStep_s;
  for (const double tolerance_mm : {0.05, 0.02, 0.01, 0.005, 0.002}) {
    scenario.tolerance_mm = tolerance_mm;
    contestants.push_back({fmt::format("{}, second order", kOurs),
                           fmt::format("{:g} mm", tolerance_mm), make_graspmap_engine(scenario)});
  }
}

#ifdef GRASPMAP_BENCH_PEERS
/// Two octagons in place of three for a tooth of the lock piece.
constexpr double kCoarseOutline_mm = 0.01;

/// What Box2D's manual says of accuracy (box2d_engine.hpp): more iterations, and tolerances that
/// are small against the shapes.
void add_precise_box2d(const char* curve, const Box2dSettings& settings, const Scenario& scenario,
                       std::vector<Contestant>& contestants) {
  for (const int rate_hz : {480, 1000, 2000}) {
    contestants.push_back({curve, fmt::format("1/{} s", rate_hz),
                           make_box2d_engine(scenario, 1.0 / rate_hz, settings)});
  }
}

void add_box2d(const Scenario& scenario, std::vector<Contestant>& contestants) {
  for (const int rate_hz : {120, 240, 480, 720, 1000, 2000}) {
    contestants.push_back(
        {"Box2D", fmt::format("1/{} s", rate_hz), make_box2d_engine(scenario, 1.0 / rate_hz)});
  }
  for (const int rate_hz : {240, 480, 1000}) {
    contestants.push_back(
        {"Box2D, fewer corners", fmt::format("1/{} s", rate_hz),
         make_box2d_engine(scenario, 1.0 / rate_hz, {.outline_error_mm = kCoarseOutline_mm})});
  }
  add_precise_box2d(
      "Box2D, 100 iterations",
      {.velocity_iterations = 100, .squeezed_velocity_iterations = 100, .position_iterations = 20},
      scenario, contestants);
  add_precise_box2d("Box2D, 0.1 mm units",
                    {.squeezed_velocity_iterations = 100, .units_per_mm = 10.0}, scenario,
                    contestants);
}

void add_mujoco(const Scenario& scenario, std::vector<Contestant>& contestants) {
  for (const double step_ms : {4.0, 2.0, 1.0, 0.5}) {
    contestants.push_back({"MuJoCo, capsules", fmt::format("{:g} ms", step_ms),
                           make_mujoco_engine(scenario, 1e-3 * step_ms, {MujocoTooth::kCapsule})});
  }
  for (const double step_ms : {2.0, 1.0, 0.5}) {
    contestants.push_back({"MuJoCo, meshes", fmt::format("{:g} ms", step_ms),
                           make_mujoco_engine(scenario, 1e-3 * step_ms, {MujocoTooth::kMesh})});
  }
  // What its documentation recommends against slip (mujoco_engine.hpp).
  for (const double step_ms : {2.0, 1.0, 0.5}) {
    contestants.push_back(
        {"MuJoCo, impratio 10", fmt::format("{:g} ms", step_ms),
         make_mujoco_engine(scenario, 1e-3 * step_ms, {MujocoTooth::kMesh, 10.0, 1e-10})});
  }
  for (const double step_ms : {2.0, 1.0, 0.5}) {
    contestants.push_back(
        {"MuJoCo, noslip", fmt::format("{:g} ms", step_ms),
         make_mujoco_engine(scenario, 1e-3 * step_ms, {MujocoTooth::kMesh, 10.0, 1e-10, 3})});
  }
}
#endif

}  // namespace

std::vector<Contestant> make_contestants(const Scenario& scenario) {
  std::vector<Contestant> contestants;
  add_ours(scenario, contestants);
#ifdef GRASPMAP_BENCH_PEERS
  add_box2d(scenario, contestants);
  add_mujoco(scenario, contestants);
#endif
  return contestants;
}

}  // namespace graspmap::bench
