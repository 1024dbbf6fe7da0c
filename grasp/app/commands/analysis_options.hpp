#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "grasp/app/commands/options.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/outcome.hpp"

/// The options that commands share which analyse a run: intervals, results, placements and their
/// errors, outcomes.

namespace graspmap {

/// Adds --confidence, --out, --no-plots. `folder` is where results go without --out: RUNDIR/folder.
void add_analysis_options(boost::program_options::options_description& options, const char* folder);

/// --confidence, 0.95 when it is not there; from 0.5 to 0.9999.
double read_confidence(const Arguments& arguments);

/// --out, or RUN_FOLDER/folder.
std::filesystem::path analysis_folder(const Arguments& arguments,
                                      const std::filesystem::path& run_folder, const char* folder);

/// --position-sigma-mm: "SX,SY", or one number for both; >= 0.
std::array<double, 2> read_position_sigma(const Arguments& arguments);

/// --angle-sigma-rad, >= 0; 0 when it is not there. It is refused when the sweep has one angle
/// only.
double read_angle_sigma(const Arguments& arguments, bool sweep_has_angles);

/// --`option`: "X,Y", or "X,Y,THETA" for a sweep over angles, inside of the map (mm, mm, rad).
std::array<double, 3> read_placement(const Arguments& arguments, const char* option,
                                     const std::array<Axis, 3>& axes);

/// --required-probability: above 0 and below 1.
double read_required_probability(const Arguments& arguments);

/// Throws ConfigError when this program does not have the time-stepper of a run, which `command`
/// needs for new simulations.
void check_can_simulate(const SweepConfig& config, const std::filesystem::path& run,
                        const char* command);

/// --outcome: a word of an outcome; nothing when it is not there.
std::optional<Outcome> read_outcome(const Arguments& arguments);

/// A line that says that a run is not complete; empty when it is.
std::string missing_trials_note(const RunStore& store, std::size_t trials);

}  // namespace graspmap
