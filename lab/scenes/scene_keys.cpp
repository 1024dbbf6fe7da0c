#include "lab/scenes/scene_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

constexpr NumberRange kStepSizes{.min = 1e-9, .max = 10.0};
constexpr double kMostSteps = 1e8;
constexpr double kMostLengthRatio = 1e9;
constexpr double kMostMassRatio = 1e9;
constexpr double kMostSizesPerStep = 1e6;
constexpr double kMostTurnPerStep_rad = 100.0;

bool has_size(const BodyScale& body) { return body.size_mm > 0.0 && std::isfinite(body.size_mm); }

/// The body with the largest value of what `value_of` gives.
template <typename ValueOf>
const BodyScale& largest_of(const std::vector<BodyScale>& bodies, const ValueOf& value_of) {
  return *std::max_element(
      bodies.begin(), bodies.end(),
      [&](const BodyScale& l, const BodyScale& r) { return value_of(l) < value_of(r); });
}

double length_mm(const BodyScale& body) {
  return std::max(body.distance_mm, has_size(body) ? body.size_mm : 0.0);
}

/// What a body by itself does in a step.
std::optional<ScaleFault> motion_fault(const BodyScale& body, std::size_t index, double step_s) {
  if (body.turning_rad_s * step_s > kMostTurnPerStep_rad) {
    return ScaleFault{
        index, ScaleFault::Of::kTurning,
        fmt::format("turns {} by {:.4g} rad in a step of {:g} s; must be at most {:g} "
                    "rad: take smaller steps",
                    body.name, body.turning_rad_s * step_s, step_s, kMostTurnPerStep_rad)};
  }
  const double sizes = body.speed_mm_s * step_s / body.size_mm;
  if (has_size(body) && sizes > kMostSizesPerStep) {
    return ScaleFault{index, ScaleFault::Of::kSpeed,
                      fmt::format("moves {} by {:.4g} times its size in a step of {:g} s; must be "
                                  "at most {:g} times: take smaller steps",
                                  body.name, sizes, step_s, kMostSizesPerStep)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ScaleFault> find_scale_fault(const std::vector<BodyScale>& bodies, double step_s) {
  const BodyScale& longest = largest_of(bodies, length_mm);
  const BodyScale& heaviest = largest_of(bodies, [](const BodyScale& b) { return b.mass_kg; });
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyScale& body = bodies[i];
    if (has_size(body) && body.size_mm * kMostLengthRatio < length_mm(longest)) {
      return ScaleFault{
          i, ScaleFault::Of::kSize,
          fmt::format("{} has a size of {:.4g} mm, beside {} with a size or distance "
                      "from the origin of {:.4g} mm; must be at most {:g} times "
                      "smaller",
                      body.name, body.size_mm, longest.name, length_mm(longest), kMostLengthRatio)};
    }
    if (body.mass_kg > 0.0 && body.mass_kg * kMostMassRatio < heaviest.mass_kg) {
      return ScaleFault{
          i, ScaleFault::Of::kMass,
          fmt::format("{} has a mass of {:.4g} kg, beside {} of {:.4g} kg; must be at "
                      "most {:g} times lighter",
                      body.name, body.mass_kg, heaviest.name, heaviest.mass_kg, kMostMassRatio)};
    }
    if (auto fault = motion_fault(body, i, step_s)) return fault;
  }
  return std::nullopt;
}

void check_count(const TomlTable& document, std::string_view key, std::size_t count,
                 std::size_t most) {
  if (count <= most) return;
  document.fail(key, fmt::format("{} of them; must be at most {}", count, most));
}

std::array<double, 2> read_components2(const TomlTable& table, std::string_view key) {
  const std::array<double, 2> v = table.numbers<2>(key);
  if (!kComponents.contains(v[0]) || !kComponents.contains(v[1])) {
    table.fail(key, fmt::format("is [{}, {}]; none may be larger than {:g}", v[0], v[1],
                                kLargestComponent));
  }
  return v;
}

SceneRunSettings read_scene_time(const TomlTable& table) {
  SceneRunSettings run;
  run.step_s = table.number("step_s", kStepSizes);
  run.duration_s =
      table.number("duration_s", {.min = 0.0, .max = kMostSteps * run.step_s, .above_min = true});
  table.check_keys();
  return run;
}

std::array<std::string, 2> names_between(const TomlTable& table) {
  const std::vector<std::string> names = table.texts("between", 2, "a list of two names");
  return {names[0], names[1]};
}

}  // namespace graspmap
