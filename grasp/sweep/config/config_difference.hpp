#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// A key that two configurations give different values.
struct ConfigDifference {
  std::string key;    ///< dotted, as --set takes it: "part.piece.0.exponent"
  std::string first;  ///< the value in the first one as TOML; "not given" when it has none
  std::string second;
};

/// The keys in which two configurations differ, in alphabetical order. Both are TOML texts as
/// to_toml writes them. A list of numbers or texts is one value, of lists several; numbers count as
/// different when they are not the same double.
std::vector<ConfigDifference> config_differences(std::string_view first_toml,
                                                 std::string_view second_toml);

/// "gripper.opening_mm (64.0 and 63.0), ...": the first few keys but for sweep.trials_per_cell and
/// sweep.adaptive.most_trials, in which parts of one sweep may differ. Empty when there are no
/// others.
std::string sweep_differences_text(std::string_view first_toml, std::string_view second_toml);

}  // namespace graspmap
