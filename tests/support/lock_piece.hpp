#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {

/// The published experiment's configuration file.
inline std::filesystem::path lock_piece_file() {
  return std::filesystem::path(testing::source_dir()) / "configs" / "lock_piece.toml";
}

/// The lock piece on a coarse map with few trials: 5 x 5 cells of 4 mm, 2 trials each.
inline SweepConfig small_lock_piece_sweep(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(),
                   {"placement.x_cells=5", "placement.y_cells=5", "sweep.trials_per_cell=2"});
  return read_sweep_config(lock_piece_file(), overrides);
}

}  // namespace graspmap::testing
