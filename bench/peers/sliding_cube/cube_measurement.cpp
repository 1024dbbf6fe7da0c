#include "bench/peers/sliding_cube/cube_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bench/timing.hpp"

namespace graspmap::bench {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kSlow_m_s = 0.1;  ///< the direction of slower slip is not compared
constexpr int kTimedSteps = 4000;  ///< in a repetition, at least

int steps_of(double step_s) { return static_cast<int>(std::lround(kDuration_s / step_s)); }

double angle_deg(const Vec2& u, const Vec2& v) {
  return kDegrees * std::abs(std::atan2(cross(u, v), u.dot(v)));
}

double lowest_corner_m(const CubeState& state) {
  const Vec3 up = state.attitude.conjugate() * Vec3::UnitZ();
  return state.position_m.z() - 0.5 * kSide_m * up.lpNorm<1>();
}

void observe(const CubeState& state, const Slide& exact, CubeMeasurement& m) {
  const Vec2 position = state.position_m.head<2>();
  const Vec2 velocity = state.velocity_m_s.head<2>();
  m.path_m.push_back(position);
  m.error_m.push_back((position - exact.position_m).norm());
  if (velocity.norm() > kSlow_m_s && exact.velocity_m_s.norm() > kSlow_m_s) {
    m.slip_deg = std::max(m.slip_deg, angle_deg(velocity, exact.velocity_m_s));
  }
  const double turned = 2.0 * std::atan2(state.attitude.vec().norm(), std::abs(state.attitude.w()));
  m.turning_rad = std::max(m.turning_rad, turned);
  m.penetration_mm = std::max(m.penetration_mm, -1e3 * lowest_corner_m(state));
}

CubeMeasurement watch(const CubeContestant& contestant, const CubeComparison& comparison) {
  CubeMeasurement m;
  m.engine = contestant.name;
  m.step_s = comparison.step_s;
  const auto engine = contestant.make(comparison.cube, comparison.step_s);
  m.possible = engine != nullptr;
  if (!m.possible) return m;
  observe(engine->state(), comparison.exact.front(), m);
  for (std::size_t i = 1; i < comparison.exact.size(); ++i) {
    if (!engine->step()) {
      m.failed_steps = 1;
      break;
    }
    observe(engine->state(), comparison.exact[i], m);
  }
  m.end_m = engine->state().position_m;
  const Slide& end = comparison.exact.back();
  m.error_percent = 100.0 * (m.end_m.head<2>() - end.position_m).norm() / end.distance_m;
  m.direction_deg = angle_deg(m.end_m.head<2>(), end.position_m);
  return m;
}

/// Processor time of a step in runs from the start; NaN when one fails.
double seconds_per_step(const CubeContestant& contestant, const CubeComparison& comparison) {
  const int steps = steps_of(comparison.step_s);
  const int runs = (kTimedSteps + steps - 1) / steps;
  double seconds = 0.0;
  bool done = true;
  for (int run = 0; run < runs; ++run) {
    const auto engine = contestant.make(comparison.cube, comparison.step_s);
    const double start = process_cpu_s();
    for (int step = 0; step < steps && done; ++step) done = engine->step();
    seconds += process_cpu_s() - start;
  }
  return done ? seconds / (runs * steps) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

CubeComparison compare_cubes(const CubeCase& cube, double step_s,
                             const std::vector<CubeContestant>& contestants, int repetitions) {
  CubeComparison comparison{cube, step_s, continuous_slide(cube, step_s, steps_of(step_s)), {}};
  for (const CubeContestant& contestant : contestants) {
    comparison.measurements.push_back(watch(contestant, comparison));
  }
  std::vector<std::vector<double>> seconds(contestants.size());
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t k = 0; k < contestants.size(); ++k) {
      if (!comparison.measurements[k].possible) continue;
      seconds[k].push_back(seconds_per_step(contestants[k], comparison));
    }
  }
  for (std::size_t k = 0; k < contestants.size(); ++k) {
    if (!seconds[k].empty()) comparison.measurements[k].seconds_per_step = median(seconds[k]);
  }
  return comparison;
}

}  // namespace graspmap::bench
