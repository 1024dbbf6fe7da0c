#include "lab/scenes/scene_keys.hpp"

#include <fmt/format.h>

#include <vector>

namespace graspmap {
namespace {

constexpr NumberRange kStepSizes{.min = 0.0, .max = 10.0, .above_min = true};
constexpr double kMostSteps = 1e8;

}  // namespace

std::string read_scene_title(const SceneDocument& document) {
  const TomlTable table(document.root);
  return table.has("title") ? table.text("title") : document.name;
}

SceneRunSettings read_scene_time(const TomlTable& document) {
  const TomlTable table = document.table("time");
  table.allow_only({"duration_s", "step_s"});
  SceneRunSettings run;
  run.step_s = table.number("step_s", kStepSizes);
  run.duration_s =
      table.number("duration_s", {.min = 0.0, .max = kMostSteps * run.step_s, .above_min = true});
  return run;
}

std::array<std::string, 2> names_between(const TomlTable& table) {
  if (!table.has("between")) table.fail("between", "missing; must be a list of two names");
  const std::vector<std::string> names = table.texts_or_none("between");
  if (names.size() != 2) {
    table.fail("between",
               fmt::format("is a list of {}; must be a list of two names", names.size()));
  }
  return {names[0], names[1]};
}

}  // namespace graspmap
