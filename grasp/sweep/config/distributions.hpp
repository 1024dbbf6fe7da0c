#pragma once

#include <toml++/toml.h>

#include <Eigen/Core>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Reads the distribution of a quantity that admits `values`: a number (fixed), or a table
/// { distribution = "fixed" | "uniform" | "normal" | ..., ... }. No number may be larger than
/// `most`, on either side. A distribution without a width becomes the fixed number. Files of
/// measured values are looked for in `folder`. Throws ConfigError. What is missing or unknown,
/// check_keys (key_list.hpp) has said before.
Distribution read_distribution(const TomlTable& table, std::string_view key,
                               const NumberRange& values, const std::filesystem::path& folder,
                               double most = limits::kMostSpread);

/// The words of the distributions that may have a key.
std::vector<std::string_view> distributions_with(std::string_view key);

struct MissingKey {
  std::string_view name;
  NumberRange range;  ///< of its number, where it has one
};

/// The keys that a table { distribution = ... } lacks, of a quantity that admits `values`; none
/// where it does not say which distribution.
std::vector<MissingKey> missing_keys(const toml::table& distribution, const NumberRange& values);

/// A number of the scenario for which a document gives a distribution.
struct WrittenInput {
  std::string key;   ///< of the number, as ScenarioNumber has it
  std::string path;  ///< where it stands: "part.piece.0.angle_rad", "uncertain.part.mass_kg"
  InputPlace location;
  Distribution distribution;
  bool is_random = true;  ///< false: an override gives a number
};

/// Gives the table [uncertain] of a document flat keys, "part.mass_kg", however it is written.
/// Throws ConfigError for numbers that an override sets beside a distribution in there.
void flatten_uncertain(toml::table& document);

/// Reads [uncertain] and puts its distributions beside those in place into `config`, whose scenario
/// has been read; numbers that are fixed go into the scenario. Returns all distributions, the fixed
/// ones too. Throws ConfigError, also for a number that an override sets beside a distribution in
/// the table.
std::vector<WrittenInput> read_uncertain(const TomlTable& uncertain,
                                         std::vector<WrittenInput> in_place,
                                         const std::filesystem::path& folder, SweepConfig& config);

/// Throws ConfigError unless the values of the configuration go together with each of the
/// distributions at both ends of its draws, quantiles 1e-9 and 1 - 1e-9, all other numbers nominal;
/// and, where there are several, in ten corners: all distributions at their lower ends, all at
/// their upper ones, and eight chosen by a fixed seed.
void check_ends(const SweepConfig& config, const std::vector<WrittenInput>& inputs);

/// The distribution of a random input by its key: of friction ("friction.jaw"), of the noise
/// ("placement.noise.x_mm"), of an uncertain number ("part.mass_kg"). Null for any other key.
const Distribution* find_distribution(const SweepConfig& config, std::string_view key);

/// How the correlated normal scores of some inputs divide into what all parts of a lot have in
/// common and what each part has of its own. With the diagonal matrix A of lot_sigma / sigma and
/// the correlation R, the lot's covariance is A R A and the part's R - A R A: together R.
struct LotCovariances {
  Eigen::MatrixXd lot;
  Eigen::MatrixXd part;  ///< positive semidefinite in a configuration that was read
};

LotCovariances lot_covariances(const SweepConfig& config, const CorrelatedInputs& inputs);

/// Reads the tables [[correlated]]; `config` has its distributions already. Throws ConfigError.
void read_correlated(const std::vector<TomlTable>& tables, SweepConfig& config);

}  // namespace graspmap
