#include "lab/scenes/scene_keys.hpp"

#include <vector>

namespace graspmap {
namespace {

constexpr NumberRange kStepSizes{.min = 0.0, .max = 10.0, .above_min = true};
constexpr double kMostSteps = 1e8;

}  // namespace

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
