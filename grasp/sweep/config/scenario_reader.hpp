#pragma once

#include <filesystem>
#include <memory>
#include <numbers>

#include "geometry/mass_properties.hpp"
#include "geometry/outline_shapes.hpp"
#include "geometry/part.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// The tables of a document that describe a scenario.
struct ScenarioTables {
  explicit ScenarioTables(const TomlTable& document);

  TomlTable part;
  TomlTable gripper;
  TomlTable support;
  TomlTable simulation;  ///< may be left out, as may `stop`
  TomlTable stop;
};

/// Reads a scenario; `folder` is where drawings are. Mass properties and support radii that are
/// left out are computed from the part. Throws ConfigError.
DrawnScenario read_scenario(const ScenarioTables& tables, const std::filesystem::path& folder);

/// The seam through which configurations with a time-stepper other than graspmap's own are read.
struct OtherSteppers {
  /// Reads `stepper` and other keys of [simulation] that only it has; null: graspmap's own stepper.
  std::shared_ptr<const OtherStepper> (*read)(const TomlTable& simulation) = nullptr;
  /// Throws ConfigError when a scenario with such a stepper has what the stepper cannot simulate.
  void (*check)(const ScenarioTables& tables, const Scenario& scenario) = nullptr;
};

/// From now on read_scenario takes other time-steppers too. Only graspmap-lab calls it, at the
/// start of its main(), before there are threads; without it they are refused.
void install_other_steppers(const OtherSteppers& steppers);

inline constexpr NumberRange kExponents{.min = 2.0, .max = 100.0};

/// Reads the pieces of the table [part]; `folder` is where drawings are. Throws ConfigError.
Part read_part(const TomlTable& table, const std::filesystem::path& folder);

/// Reads how much larger the part of the scenario is than it is drawn, and makes it so. Throws
/// ConfigError.
void read_part_offset(const TomlTable& table, DrawnScenario& scenario);

/// Reads the mass properties of the table [part], or computes them from density and thickness.
/// Checks the keys of the table, all of whose others have been read. Throws ConfigError.
MassProperties read_mass(const TomlTable& table, const Part& part);

// The numbers of a finger's shape.
/// A tenth of what fingers reach, so that all features lie far from their ends.
inline constexpr double kMostFinger_mm = 0.1 * kFingerReach_mm;
inline constexpr NumberRange kFingerLengths{.min = 0.0, .max = kMostFinger_mm, .above_min = true};
inline constexpr NumberRange kGroovePositions{.min = -kMostFinger_mm, .max = 0.0};
inline constexpr NumberRange kChamferAngles{
    .min = 0.0, .max = 0.499 * std::numbers::pi, .above_min = true};
inline constexpr NumberRange kGrooveAngles{
    .min = 0.0, .max = 0.9 * std::numbers::pi, .above_min = true};

/// Reads the tables finger, left_finger and palm of [gripper], where there are any; `folder` is
/// where drawings are. Without left_finger, the left finger is the mirror image. Throws
/// ConfigError.
void read_fingers(const TomlTable& gripper_table, const std::filesystem::path& folder,
                  DrawnScenario& scenario);

/// Throws ConfigError when fingers that reach beyond the inner edges of their frames would cross
/// each other before the jaws count as closed: nothing else stops them from it.
void check_fingers_apart(const TomlTable& gripper_table, const Gripper& gripper,
                         double closed_opening_mm);

}  // namespace graspmap
