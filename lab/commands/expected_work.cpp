#include "lab/commands/expected_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/toml_document.hpp"

namespace graspmap {
namespace {

/// Seconds of a step, measured.
constexpr double kStep_s = 30e-6;         ///< by itself
constexpr double kVertex_s = 0.3e-6;      ///< for each vertex of a polygon
constexpr double kPiecePair_s = 50e-9;    ///< for each pair of pieces, to find contacts
constexpr double kConvexSquare_s = 2e-6;  ///< for the square of the bodies that move:
                                          ///< anitescu-hart-convex
constexpr double kPlanarCube_s = 0.7e-6;  ///< for the cube of the bodies that move, in the plane
constexpr double kSpatialCube_s = 16e-6;  ///< the same in space
constexpr double kLinkCube_s = 1.5e-6;    ///< the same of links on joints

ExpectedWork work_of(const SceneRunSettings& run, std::int64_t moving_bodies, double step_s) {
  const double steps = std::ceil(run.duration_s / run.step_s - 1e-9);
  return {static_cast<std::int64_t>(steps), moving_bodies, steps * step_s};
}

double cube(std::int64_t number) { return std::pow(static_cast<double>(number), 3); }

/// "50 hours", "12 days", "3 years".
std::string long_time(double seconds) {
  const double hours = seconds / 3600.0;
  if (hours < 72.0) return fmt::format("{:.2g} hours", hours);
  const double days = hours / 24.0;
  return days < 1000.0 ? fmt::format("{:.0f} days", days) : fmt::format("{:.2g} years", days / 365);
}

}  // namespace

ExpectedWork expected_work(const SceneFile& file) {
  std::int64_t moving = 0;
  double vertices = 0.0;
  double pieces = 0.0;
  for (const PlanarBody& body : file.scene.bodies) {
    if (body.moves_freely()) ++moving;
    pieces += static_cast<double>(body.shapes.size());
    for (const PlacedShape& placed : body.shapes) {
      const auto* polygon = std::get_if<RoundedPolygon>(&placed.shape);
      if (polygon != nullptr) vertices += static_cast<double>(polygon->vertices.size());
    }
  }
  const double solve_s = file.stepper == StepperKind::kAnitescuHartConvex
                             ? kConvexSquare_s * static_cast<double>(moving * moving)
                             : kPlanarCube_s * cube(moving);
  return work_of(file.run, moving,
                 kStep_s + kVertex_s * vertices + kPiecePair_s * pieces * pieces + solve_s);
}

ExpectedWork expected_work(const SpatialSceneFile& file) {
  const std::int64_t moving = std::count_if(file.bodies.begin(), file.bodies.end(),
                                            [](const SceneSolid& body) { return !body.is_fixed; });
  const double cube_s = file.is_articulated() ? kLinkCube_s : kSpatialCube_s;
  return work_of(file.run, moving, kStep_s + cube_s * cube(moving));
}

void check_expected_work(const std::string& file, const ExpectedWork& work) {
  if (work.seconds <= kMostExpected_s) return;
  throw config_error(
      file, "time.duration_s",
      fmt::format("{} steps of {} bod{} that move{} are expected to take about {}; must be at most "
                  "one hour, or be asked for with --force. Fewer steps (--duration-s, --step-s), "
                  "and above all fewer bodies, make it shorter",
                  work.steps, work.moving_bodies, work.moving_bodies == 1 ? "y" : "ies",
                  work.moving_bodies == 1 ? "s" : "", long_time(work.seconds)));
}

}  // namespace graspmap
