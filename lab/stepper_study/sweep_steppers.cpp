#include "lab/stepper_study/sweep_steppers.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "geometry/part.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"
#include "lab/grasp_scene/scene_grasp_stepper.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {
namespace {

constexpr std::int64_t kLeastPolygonVertices = 3;
constexpr std::int64_t kMostPolygonVertices = 100'000;

std::shared_ptr<const OtherStepper> read_stepper(const TomlTable& simulation) {
  const StepperKind kind =
      simulation.has("stepper") ? read_stepper_kind(simulation) : StepperKind::kImplicit;
  int vertices = 0;
  if (simulation.has("polygon_vertices")) {
    vertices = static_cast<int>(
        simulation.integer("polygon_vertices", kLeastPolygonVertices, kMostPolygonVertices));
    if (kind == StepperKind::kImplicit) {
      simulation.fail("polygon_vertices",
                      "the stepper \"implicit\" takes the pieces as they are; must be left out, or "
                      "given with another simulation.stepper");
    }
  }
  return scene_stepper(kind, vertices);
}

/// What of a scenario is an outline, as messages name it; "" when nothing is.
std::string_view outlines_text(const Scenario& scenario) {
  if (!scenario.part.outlines.empty()) return "an outline in [[part.piece]]";
  if (scenario.gripper.right_finger) return "[gripper.finger]";
  return scenario.gripper.palm ? "[gripper.palm]" : "";
}

void check_stepper(const TomlTable& document, const Scenario& scenario) {
  const StepperKind kind = static_cast<const SceneStepper&>(*scenario.other_stepper).kind;
  const TomlTable simulation = document.table_or_empty("simulation");
  if (const std::string_view outlines = outlines_text(scenario); !outlines.empty()) {
    simulation.fail("stepper",
                    fmt::format("is \"{}\" with {}; must be \"implicit\" or left out: the other "
                                "steppers take superellipses and plain fingers only",
                                name(kind), outlines));
  }
  if (!std::holds_alternative<EllipsoidSupport>(scenario.support)) {
    document.fail("support.model", fmt::format("\"{}\" with simulation.stepper = \"{}\"; must be "
                                               "\"ellipsoid\" with all steppers but \"implicit\"",
                                               support_model_name(scenario.support), name(kind)));
  }
  if (has_friction_factors(scenario.part)) {
    simulation.fail("stepper", fmt::format("is \"{}\" with friction_factor in [[part.piece]]; must "
                                           "be \"implicit\" or left out",
                                           name(kind)));
  }
  if (scenario.order != 1) {
    simulation.fail("order", fmt::format("is {} with the stepper \"{}\"; must be 1 or left out "
                                         "with all steppers but \"implicit\"",
                                         scenario.order, name(kind)));
  }
  // Only the steps of second order are sized by their error.
  if (scenario.tolerance_mm > 0.0) {
    simulation.fail("tolerance_mm",
                    fmt::format("is {} with the stepper \"{}\", whose steps are fixed; must be 0 "
                                "or left out with all steppers but \"implicit\"",
                                scenario.tolerance_mm, name(kind)));
  }
}

std::vector<std::string_view> stepper_names() {
  std::vector<std::string_view> words;
  for (const StepperKind kind : kStepperKinds) words.emplace_back(name(kind));
  return words;
}

std::vector<KeyRow> integer_keys() {
  return {{"polygon_vertices",
           {"integer", {.min = kLeastPolygonVertices, .max = kMostPolygonVertices}},
           kOptional,
           "inscribed polygons, in `graspmap-lab` only and not with `\"implicit\"`",
           {.fallback = "the pieces themselves"}}};
}

}  // namespace

void install_scene_steppers() {
  install_other_steppers({read_stepper, check_stepper, stepper_names, integer_keys});
}

}  // namespace graspmap
