#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/success_map.hpp"
#include "grasp/sweep_config.hpp"
#include "grasp/trial.hpp"

namespace graspmap {

/// The files of one run: outputs/NAME/. Every file is written under a temporary name in the same
/// folder and renamed when it is complete, so that none is ever half-written under its final name.
namespace run_files {
inline constexpr const char* kConfig = "config.toml";
inline constexpr const char* kTrials = "trials.csv";
inline constexpr const char* kMap = "map.csv";
inline constexpr const char* kSummary = "summary.json";
}  // namespace run_files

/// The machine could not do what was asked (disk full, folder not writable). Exit code 1.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes `text` to `file` completely or not at all (temporary name, fsync, rename). Throws IoError.
void write_file_atomically(const std::filesystem::path& file, const std::string& text);

/// map.csv: one row per cell. Columns: cell_x,cell_y,x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,
/// success,wedged,missed,timeout,blocked,failed,success_probability,wilson_low,wilson_high.
std::string map_csv(const SuccessMap& map);

/// Reads map.csv back. Throws ConfigError naming file, line and column.
SuccessMap read_map_csv(const std::filesystem::path& file);

}  // namespace graspmap
