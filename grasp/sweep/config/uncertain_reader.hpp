#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// A law that a document gives for a number of the scenario.
struct WrittenLaw {
  std::string key;   ///< of the number, as ScenarioNumber has it
  std::string path;  ///< where the law stands: "part.piece.0.angle_rad", "uncertain.part.mass_kg"
  std::string location;  ///< "FILE:LINE"
  Distribution law;
  std::vector<AskedKey> keys = {};  ///< in place: that the law may have
};

/// Takes the laws out of a document that stand in the place of numbers, { distribution = ... }, and
/// leaves their medians there, so that the document reads as one without them. The table
/// [uncertain] gets flat keys, "part.mass_kg", however it is written. Files are looked for in
/// `folder`. Throws ConfigError for a law where none may be, and for one that is wrong.
std::vector<WrittenLaw> take_laws(toml::table& document, const std::filesystem::path& folder);

/// Reads [uncertain] and puts its laws beside those in place into `config`, whose scenario has been
/// read; numbers that are fixed go into the scenario. Returns all laws, the fixed ones too. Throws
/// ConfigError.
std::vector<WrittenLaw> read_uncertain(const toml::table& document, const TomlTable& uncertain,
                                       const std::vector<WrittenLaw>& in_place,
                                       const std::filesystem::path& folder, SweepConfig& config);

/// Throws ConfigError unless `read` accepts the configuration with each of the laws at both ends of
/// its draws, quantiles 1e-9 and 1 - 1e-9, all other numbers nominal; and, where there are several,
/// in ten corners: all laws at their lower ends, all at their upper ones, and eight chosen by a
/// fixed seed. `read` throws ConfigError "SOURCE:LINE: KEY: TEXT".
void check_ends(const SweepConfig& config, const std::vector<WrittenLaw>& laws,
                const std::function<void(const SweepConfig&)>& read);

}  // namespace graspmap
