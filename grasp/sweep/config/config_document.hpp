#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {

struct SweepConfig;

/// The documents in TOML that graspmap's programs read.
enum class TomlKind : std::uint8_t { kSweep, kScene, kFacts };

/// Throws ConfigError when a document is plainly one of another kind: "FILE:LINE: body: this is a
/// scene, for graspmap-lab simulate; ...".
void check_toml_kind(const toml::table& document, TomlKind expected);

/// A document as it is written, with overrides (read_sweep_config) applied to it: TOML text without
/// comments. What it says is not checked. Throws ConfigError.
std::string written_toml(std::string_view text, const std::string& source,
                         const std::vector<std::string>& overrides);

/// A document with a table of its own taken from another one; without it where that has none.
/// Throws ConfigError.
std::string with_table_of(std::string_view text, const std::string& source, std::string_view table,
                          std::string_view other, const std::string& other_source);

/// A configuration with every key (to_toml) as JSON, for pages.
std::string json_of(const SweepConfig& config);

/// A key that two configurations give different values.
struct ConfigDifference {
  std::string key;    ///< dotted, as --set takes it: "part.piece.0.exponent"
  std::string first;  ///< the value in the first one as TOML; "not given" when it has none
  std::string second;
};

/// The keys on which trials depend and in which two configurations differ, in alphabetical order:
/// those of [robot] are not among them. A list of numbers or texts is one value, of lists several;
/// numbers count as different when they are not the same double. Where only one knows the shapes of
/// its fingers, as older stored runs do not, their outlines are compared.
std::vector<ConfigDifference> config_differences(const SweepConfig& first,
                                                 const SweepConfig& second);

/// "gripper.opening_mm (64.0 and 63.0), ...": the first few keys except sweep.trials_per_cell and
/// sweep.adaptive.most_trials, in which parts of one sweep may differ. Empty when there are no
/// others.
std::string sweep_differences_text(const SweepConfig& first, const SweepConfig& second);

}  // namespace graspmap
