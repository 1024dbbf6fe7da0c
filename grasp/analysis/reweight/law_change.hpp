#pragma once

#include <array>
#include <string>
#include <vector>

#include "grasp/config/sweep_config.hpp"
#include "grasp/statistics/distribution.hpp"
#include "grasp/trials/trial.hpp"

namespace graspmap {

/// A random input of a sweep.
enum class DrawnInput { kMuJaw, kMuSupport, kNoiseX, kNoiseY, kNoiseTheta };

inline constexpr std::array kDrawnInputs{DrawnInput::kMuJaw, DrawnInput::kMuSupport,
                                         DrawnInput::kNoiseX, DrawnInput::kNoiseY,
                                         DrawnInput::kNoiseTheta};

/// Its key in a configuration: "friction.jaw".
const char* key_of(DrawnInput input);

/// The law that a configuration draws it from.
const Distribution& law_of(const SweepConfig& config, DrawnInput input);

/// "uniform 0.05 to 0.35", "normal 0.2 +- 0.05, at least 0": a law for people.
std::string law_text(const Distribution& law);

/// Why trials drawn from `stored` cannot stand for `wanted`, with what is covered; empty when they
/// can: when every set of values that has probability under `wanted` has some under `stored`.
std::string uncovered_text(const Distribution& stored, const Distribution& wanted);

/// dP_wanted/dP_stored at x, a value that `stored` can give: the ratio of the atoms at x or, where
/// `stored` has none, of the densities. `stored` must cover `wanted`.
double probability_ratio(const Distribution& stored, const Distribution& wanted, double x);

/// From the laws of a run to others: what a trial that was drawn from the first counts under the
/// second.
class LawChange {
 public:
  /// The inputs whose laws differ are changed. `overrides` (--set) are named in errors. Throws
  /// ConfigError when the stored laws do not cover the wanted ones.
  LawChange(const SweepConfig& stored, const SweepConfig& wanted,
            const std::vector<std::string>& overrides);

  [[nodiscard]] const std::vector<DrawnInput>& changed() const { return changed_; }

  /// The product of the probability ratios of what was drawn for a stored trial; its mean over all
  /// trials that the stored laws can give is 1.
  [[nodiscard]] double weight(const TrialRow& row) const;

 private:
  const SweepConfig& stored_;
  const SweepConfig& wanted_;
  std::vector<DrawnInput> changed_;
};

/// The configuration of a run with other laws: its text with --set applied. Throws ConfigError for
/// anything that is no key of a random input.
SweepConfig with_other_laws(const std::string& config_toml,
                            const std::vector<std::string>& overrides);

}  // namespace graspmap
