#pragma once

#include <filesystem>

#include "grasp/commands/options.hpp"

/// The options that all commands share which analyse a run.

namespace graspmap {

/// Adds --confidence, --out, --no-plots. `folder` is where results go without --out: RUNDIR/folder.
void add_analysis_options(boost::program_options::options_description& options, const char* folder);

/// --confidence, 0.95 when it is not there; from 0.5 to 0.9999.
double read_confidence(const Arguments& arguments);

/// --out, or RUN_FOLDER/folder.
std::filesystem::path analysis_folder(const Arguments& arguments,
                                      const std::filesystem::path& run_folder, const char* folder);

}  // namespace graspmap
