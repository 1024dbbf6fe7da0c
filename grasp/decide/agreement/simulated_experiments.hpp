#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grasp/decide/agreement/agreement.hpp"
#include "grasp/decide/agreement/site_model.hpp"

namespace graspmap {

/// Experiments as they would come out if the model were true.

/// Draws experiments under "the model is true". Without sessions, successes at a site are
/// hypergeometric given the sum of both (Agresti 1992), so that the model's probabilities need not
/// be known; with sessions each session has one of the draws. `center` is what is expected at each
/// site, `scale` such that scale (successes - center) = successes - trials * model probability.
class SimulatedExperiments {
 public:
  /// What is passed must live as long.
  SimulatedExperiments(std::span<const PredictedSite> sites, std::span<const SiteModel> models,
                       const SessionDraws* draws, std::uint64_t seed);

  /// scale (successes - center) of each site, of the experiment itself.
  [[nodiscard]] const std::vector<double>& observed() const { return observed_; }
  /// The same of the simulated experiment r.
  void draw(std::int64_t r, std::vector<double>& residuals) const;
  /// About how many random numbers an experiment takes.
  [[nodiscard]] std::int64_t cost() const { return cost_; }

 private:
  /// The successes at one site, given the sum of both.
  struct ConditionalSite {
    double center = 0.0;
    double scale = 1.0;
    double single = 0.0;                      ///< of one trial: the probability of success
    std::optional<CountDistribution> counts;  ///< of several trials
    bool varies = false;

    explicit ConditionalSite(const SiteModel& model);
    [[nodiscard]] double draw(double u) const;
  };

  std::uint64_t seed_;
  std::span<const PredictedSite> sites_;
  std::span<const SiteModel> models_;
  const SessionDraws* draws_;
  std::size_t sessions_;
  double widened_;  ///< for the error of the mean of the draws, which all sessions share
  std::vector<ConditionalSite> conditional_;  ///< without sessions
  std::vector<double> observed_;
  std::int64_t cost_ = 0;
};

/// A test statistic of the experiment and of experiments that were simulated under "no difference".
struct TestStatistic {
  bool two_sided = true;  ///< else large values speak against "no difference"
  double observed = 0.0;
  std::vector<double> simulated;  ///< of the same experiments in the same order for all statistics
};

struct JointTests {
  std::vector<TestResult> tests;
  double critical_p = 0.0;  ///< each test's level when all together have the level `level`
};

/// p-values of several statistics, each alone and adjusted for their number: step-down min-p,
/// Westfall and Young 1993, "Resampling-based multiple testing", algorithm 2.8. The observed
/// experiment counts as one of the simulated, which makes the tests exact when it is one. A
/// two-sided p-value is twice that of the nearer end.
JointTests joint_tests(const std::vector<TestStatistic>& statistics, double level);

}  // namespace graspmap
