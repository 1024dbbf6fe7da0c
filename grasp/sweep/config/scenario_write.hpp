#pragma once

#include <string>

#include "sim/closing/model.hpp"

namespace graspmap {

/// The tables of a scenario as TOML, with every key present.
std::string part_tables(const Scenario& scenario);
/// `by_shape`: fingers that have a shape are written by its numbers, else all by their outlines.
std::string gripper_tables(const Gripper& gripper, bool by_shape);
std::string support_table(const SupportModel& support);
std::string stop_table(const StopRule& stop);
std::string simulation_table(const Scenario& scenario);

}  // namespace graspmap
