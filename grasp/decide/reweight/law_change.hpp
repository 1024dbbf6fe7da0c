#pragma once

#include <string>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// "uniform 0.05 to 0.35", "normal 0.2 +- 0.05, at least 0": a law for people.
std::string law_text(const Distribution& law);

/// Why trials drawn from `stored` cannot stand for `wanted`, with what is covered; empty when they
/// can: when every set of values that has probability under `wanted` has some under `stored`.
std::string uncovered_text(const Distribution& stored, const Distribution& wanted);

/// dP_wanted/dP_stored at x, a value that `stored` can give: the ratio of the atoms at x or, where
/// `stored` has none, of the densities. `stored` must cover `wanted`.
double probability_ratio(const Distribution& stored, const Distribution& wanted, double x);

/// A random input whose law changes.
struct ChangedLaw {
  std::string key;  ///< "friction.jaw", "placement.noise.x_mm", "part.mass_kg"
  Distribution stored;
  Distribution wanted;
};

/// From the laws of a run to others: what a trial that was drawn from the first counts under the
/// second.
class LawChange {
 public:
  /// The inputs whose laws differ are changed: friction, noise, uncertain numbers. `overrides`
  /// (--set) are named in errors. Throws ConfigError when the stored laws do not cover the wanted
  /// ones, and when an input is correlated with others.
  LawChange(const SweepConfig& stored, const SweepConfig& wanted,
            const std::vector<std::string>& overrides);

  [[nodiscard]] const std::vector<ChangedLaw>& changed() const { return changed_; }

  /// The product of the probability ratios of what was drawn for a stored trial; its mean over all
  /// trials that the stored laws can give is 1.
  [[nodiscard]] double weight(const TrialRow& row) const;

 private:
  const SweepConfig& stored_;
  std::vector<ChangedLaw> changed_;
};

/// The configuration of a run with other laws: its text with --set applied. An uncertain number is
/// named as it is, "part.mass_kg", or behind "uncertain.". Throws ConfigError for anything that is
/// no key of a random input.
SweepConfig with_other_laws(const std::string& config_toml,
                            const std::vector<std::string>& overrides);

}  // namespace graspmap
