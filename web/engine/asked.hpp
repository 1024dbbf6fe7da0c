#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// What a page asks and graspmap's commands answer. Options are "name=value", as the command line
/// has them: "position-sigma-mm=1,1". Answers are JSON. All throw RequestError and ConfigError.

/// The answer of `graspmap COMMAND` to a run, or for "design" and "sequence" to the configuration
/// in a file: {"text", "files": {name: text}}. `tell` gets a search's lines as it runs.
std::string decision_json(const std::string& command, const RunStore& run,
                          const std::filesystem::path& config_file,
                          const std::vector<std::string>& options,
                          const std::function<void(const std::string&)>& tell);

/// The configuration that `graspmap init` writes for a drawing, or for a shape with its sizes
/// ("shape=disc", "size-mm=40"): {"toml", "text"}, that and what was understood of the drawing.
std::string first_config_json(const std::filesystem::path& drawing,
                              const std::vector<std::string>& options);

/// A configuration as a page needs it: {"document", "toml", "cells", "trials", "doubts",
/// "success"}: resolved, its text, its size, what is most likely a slip, and what success means in
/// words.
std::string config_json(const SweepConfig& config, const std::string& source);

/// The grippers that a configuration may name.
std::string gripper_list_json();

/// An error: {"error": the sentences, "faults": [{"line", "key", "what", "allowed"}]}; the key of a
/// RequestError is the option.
std::string error_json(const std::exception& error);

}  // namespace graspmap
