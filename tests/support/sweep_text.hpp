#pragma once

#include <string>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_error.hpp"

namespace graspmap::testing {

/// The configuration with this text.
inline SweepConfig sweep_of(const std::string& text) {
  return parse_sweep_config(text, "sweep.toml");
}

/// The error of reading it from a file, "sweep.toml:LINE: ...", without the folder.
inline std::string sweep_error(const std::string& text) {
  return config_error_of_file("sweep.toml", text,
                              [](const auto& file) { (void)read_sweep_config(file, {}); });
}

}  // namespace graspmap::testing
