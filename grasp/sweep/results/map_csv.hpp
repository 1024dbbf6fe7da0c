#pragma once

#include <filesystem>
#include <string>

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// The intervals of a cell that map.csv has.
enum class MapIntervals {
  kWilson,
  kWilsonAndAnytime  ///< of adaptive runs
};

/// map.csv: one row per cell, x fastest, then y, then theta. Columns:
/// cell_x,cell_y,cell_theta,x_min_mm,x_max_mm,y_min_mm,y_max_mm,theta_min_rad,theta_max_rad,
/// trials,success,wedged,missed,timeout,blocked,failed,success_probability,wilson_low,wilson_high.
/// The probability of a cell without valid trials is "nan". The bounds of one angle are equal.
/// With MapIntervals::kWilsonAndAnytime also anytime_low,anytime_high (anytime_interval.hpp).
std::string map_csv(const SuccessMap& map, MapIntervals intervals = MapIntervals::kWilson);

/// Reads map.csv back: bounds, cells and counts, the rest follows from them. Throws ConfigError
/// naming file, line and column.
SuccessMap read_map_csv(const std::filesystem::path& file);

}  // namespace graspmap
