#pragma once

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {

/// The limits of a configuration's physical values, docs/reference/configuration.md "Limits":
/// beyond them a trial could not be solved in double precision.
namespace limits {
inline constexpr NumberRange kLengths_mm{.min = 1e-6, .max = 1e9};
inline constexpr NumberRange kPositions_mm{.min = -1e9, .max = 1e9};
inline constexpr NumberRange kAngles_rad{.min = -1e6, .max = 1e6};
/// Of parts at the start: beyond it too few digits are left for a simulation.
inline constexpr NumberRange kPlacedAngles_rad{.min = -1e4, .max = 1e4};
inline constexpr NumberRange kMasses_kg{.min = 1e-12, .max = 1e9};
inline constexpr NumberRange kForces_n{.min = 1e-9, .max = 1e12};
inline constexpr NumberRange kSpeeds_mm_s{.min = 1e-9, .max = 1e9};
inline constexpr NumberRange kTimes_s{.min = 1e-9, .max = 1e9};
inline constexpr NumberRange kGravities_mm_s2{.min = 0.0, .max = 1e9};
inline constexpr NumberRange kRatios{.min = 1e-6, .max = 1e6};
inline constexpr double kMostFriction = 1e3;
inline constexpr double kMostSpread = 1e9;       ///< of a quantity that is drawn
inline constexpr double kMostLengthRatio = 1e6;  ///< the part's largest length to its smallest
inline constexpr double kMostSpeedUp = 1e6;  ///< the time to reach the closing speed to timeout_s
}  // namespace limits

/// Throws ConfigError unless the value of a key is within limits: "is 5e-324; must be a number from
/// 1e-09 to 1e+12".
void check_limits(const TomlTable& table, std::string_view key, double value,
                  const NumberRange& within);

/// A number > 0 within limits. Throws ConfigError.
double positive_within(const TomlTable& table, std::string_view key, const NumberRange& within);
/// The same; `fallback` where the key is left out.
double positive_within_or(const TomlTable& table, double fallback, std::string_view key,
                          const NumberRange& within);

/// An angle of a part at the start, of a table, rad, within limits. Throws ConfigError.
double read_placed_angle_rad(const CsvTable& table, const CsvRow& row, std::size_t column);

}  // namespace graspmap
