#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// The law of a random input by its key: of friction ("friction.jaw"), of the noise
/// ("placement.noise.x_mm"), of an uncertain number ("part.mass_kg"). Null when there is none.
const Distribution* find_law(const SweepConfig& config, std::string_view key);

/// How the correlated normal scores of some inputs divide into what all parts of a lot have in
/// common and what each part has of its own. With the diagonal matrix A of lot_sigma / sigma and
/// the correlation R, the lot's covariance is A R A and the part's R - A R A: together R.
struct LotCovariances {
  Eigen::MatrixXd lot;
  Eigen::MatrixXd part;  ///< positive semidefinite in a configuration that was read
};

LotCovariances lot_covariances(const SweepConfig& config, const CorrelatedInputs& inputs);

/// Reads the tables [[correlated]]; `config` has its laws already. Throws ConfigError.
void read_correlated(const std::vector<TomlTable>& tables, SweepConfig& config);

}  // namespace graspmap
