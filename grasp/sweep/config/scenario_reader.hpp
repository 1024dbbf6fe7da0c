#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/distributions.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

struct KeyRow;

inline constexpr double kMostStepsOfTrial = 1e7;

/// Reads the tables of a document that describe a scenario; `folder` is where drawings are. Mass
/// properties and support radii that are left out are computed from the part. Distributions in the
/// places of numbers go into `inputs`, their medians into the scenario. Throws ConfigError.
DrawnScenario read_scenario(const TomlTable& document, const std::filesystem::path& folder,
                            std::vector<WrittenInput>& inputs);

/// Calls `fail`, which throws, when values of a scenario do not go together.
void check_scenario(const DrawnScenario& scenario, const FailAtKey& fail);

/// The seam through which configurations with a time-stepper other than graspmap's own are read.
struct OtherSteppers {
  /// Reads `stepper` and other keys of [simulation] that only it has; null: graspmap's own stepper.
  std::shared_ptr<const OtherStepper> (*read)(const TomlTable& simulation) = nullptr;
  /// Throws ConfigError when a scenario with such a stepper has what the stepper cannot simulate.
  void (*check)(const TomlTable& document, const Scenario& scenario) = nullptr;
  /// The words of `stepper`, the first one the default.
  std::vector<std::string_view> (*words)() = nullptr;
  /// The other keys of [simulation], which hold integers.
  std::vector<KeyRow> (*integers)() = nullptr;
};

/// From now on read_scenario takes other time-steppers too. Only graspmap-lab calls it, at the
/// start of its main(), before there are threads; without it they are refused.
void install_other_steppers(const OtherSteppers& steppers);

/// The words of `stepper` that this program knows.
std::vector<std::string_view> stepper_words();

/// The keys besides it that this program knows.
std::vector<KeyRow> stepper_integers();

/// What the tables of a scenario are read with.
struct ScenarioSource {
  const std::filesystem::path& folder;  ///< where drawings are
  std::vector<WrittenInput>& inputs;    ///< in the places of numbers
};

/// Reads [part]: the pieces, the mass properties, or what they are computed from, and how much
/// larger the part is than it is drawn. Throws ConfigError.
void read_part(const TomlTable& table, const ScenarioSource& source, DrawnScenario& scenario);

/// Reads the tables finger, left_finger and palm of [gripper], where there are any. Without
/// left_finger, the left finger is the mirror image. Throws ConfigError.
void read_fingers(const TomlTable& gripper_table, const ScenarioSource& source,
                  DrawnScenario& scenario);

/// Calls `fail` when the part's shapes, or its mass and inertia, do not go together.
void check_part(const DrawnScenario& scenario, const FailAtKey& fail);

/// Calls `fail` when fingers that reach beyond the inner edges of their frames would cross each
/// other before the jaws count as closed: nothing else stops them from it.
void check_fingers_apart(const Gripper& gripper, double closed_opening_mm, const FailAtKey& fail);

/// Reads [gripper.pad] and [gripper.left_pad] into a scenario. Throws ConfigError.
void read_pads(const TomlTable& gripper, const ScenarioSource& source, DrawnScenario& scenario);

/// The same of [gripper.mount].
void read_mount(const TomlTable& gripper, const ScenarioSource& source, DrawnScenario& scenario);

/// The phases of the simulation that these are, with their openings and timeouts filled in.
GripperProgram program_of(const std::vector<DrawnPhase>& phases);

/// What the gripper does in a phase: "the gripper moves by (0, 20) mm", and the same with its speed
/// and jaws: "the gripper moves by (0, 20) mm at 50 mm/s, its jaws held".
std::string brief_phase_words(const Phase& phase);
std::string phase_words(const Phase& phase);

/// Reads the tables [[program]] into a scenario whose gripper and stop rule are there. Throws
/// ConfigError.
void read_program(const std::vector<TomlTable>& tables, DrawnScenario& scenario);

}  // namespace graspmap
