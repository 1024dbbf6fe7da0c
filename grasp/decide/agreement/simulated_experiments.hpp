#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grasp/decide/agreement/site_model.hpp"

/// Experiments as they would come out if the model were true.

namespace graspmap {

/// Draws experiments under "the model is true". Without sessions, successes at a site are
/// hypergeometric given the sum of both (Agresti 1992), so that the model's probabilities need not
/// be known; with sessions each session has one of the draws. `center` is what is expected at each
/// site, `scale` such that scale (successes - center) = successes - trials * model probability.
class SimulatedExperiments {
 public:
  SimulatedExperiments(std::span<const PredictedSite> sites, std::span<const SiteModel> models,
                       const SessionDraws* draws, std::uint64_t seed);
  ~SimulatedExperiments();
  SimulatedExperiments(const SimulatedExperiments&) = delete;
  SimulatedExperiments& operator=(const SimulatedExperiments&) = delete;

  /// scale (successes - center) of each site, of the experiment itself.
  [[nodiscard]] const std::vector<double>& observed() const { return observed_; }
  /// The same of the simulated experiment r.
  void draw(std::int64_t r, std::vector<double>& residuals) const;
  /// About how many random numbers an experiment takes.
  [[nodiscard]] std::int64_t cost() const { return cost_; }

 private:
  struct ConditionalSite;
  struct Sites;
  std::vector<double> observed_;
  std::int64_t cost_ = 1;
  std::unique_ptr<Sites> sites_;
};

}  // namespace graspmap
