#include "lab/scene_model/scene_run.hpp"

#include <catch2/catch.hpp>

using namespace graspmap;

namespace {

struct Clock {
  double time_s = 0.0;
};

/// A step that is always solved.
struct Tick {
  mcp::Status status = mcp::Status::kSolved;
  double residual = 0.0;
  int iterations = 0;
  Clock end;

  [[nodiscard]] static double worst_overlap_mm() { return 0.0; }
  [[nodiscard]] static std::optional<std::array<int, 2>> worst_bodies() { return std::nullopt; }
};

}  // namespace

// 16961628 steps, but the quotient of the two numbers is rounded to the next double above that.
TEST_CASE("no step of length 0 follows the last one of a long run") {
  SceneRunSettings settings;
  settings.step_s = 0.007770337715193483;
  settings.duration_s = 131797.57775948182;
  REQUIRE(std::ceil(settings.duration_s / settings.step_s - 1e-9) == 16961629.0);
  double shortest_s = settings.step_s;
  const auto take_step = [&](const Clock& start, double h, Tick& step) {
    shortest_s = std::min(shortest_s, h);
    step.end.time_s = start.time_s + h;
  };
  const SceneRun run = run_steps<Clock, Tick>(settings, Clock{}, take_step,
                                              [](const Clock&, const Tick*) { return true; });
  CHECK(run.totals.steps == 16961628);
  CHECK(shortest_s > 0.99 * settings.step_s);
}
