#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "sim/hold/hold.hpp"

namespace graspmap {

/// Along which directions the gripper accelerates.
enum class HoldDirection : std::uint8_t { kUp, kHorizontal, kGiven };

/// What the hand does with a gripped part: [hold]. It changes no trial; with hold_factor in
/// [[success]] it changes which trials succeed.
struct HoldRule {
  double part_height_mm = 0.0;  ///< > 0
  /// Above the part's underside: of the centre of mass, of the middle of the pads; and how high the
  /// pads are. There once they are read.
  std::optional<double> center_of_mass_height_mm;
  std::optional<double> contact_height_mm;
  std::optional<double> pad_height_mm;
  double acceleration_m_s2 = 0.0;  ///< >= 0
  HoldDirection direction = HoldDirection::kUp;
  std::vector<std::array<double, 3>> directions;  ///< with kGiven: in G with z upwards
  HeldDrive drives = HeldDrive::kGivesWay;
  double tool_mass_kg = 0.0;           ///< >= 0, fixed to the part
  std::array<double, 3> tool_at_mm{};  ///< x and y in P, z above the part's underside

  friend bool operator==(const HoldRule&, const HoldRule&) = default;
};

/// The same for the statics.
Manoeuvre manoeuvre_of(const HoldRule& rule);

/// "lifted with 2 m/s², then moved".
std::string manoeuvre_words(const HoldRule& rule);

/// Reads [hold]. `thickness_mm`: of [part], where it has one. Throws ConfigError.
HoldRule read_hold(const TomlTable& table, const std::optional<double>& thickness_mm);

}  // namespace graspmap
