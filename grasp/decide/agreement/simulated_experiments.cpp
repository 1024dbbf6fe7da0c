#include "grasp/decide/agreement/simulated_experiments.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "grasp/base/probability/count_distribution.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

/// Random numbers of one simulated experiment, one after the other.
class Stream {
 public:
  Stream(std::uint64_t seed, std::int64_t r) : seed_(seed), r_(static_cast<std::uint64_t>(r)) {}
  double next() { return uniform_open(seed_, r_, draw_++); }

 private:
  std::uint64_t seed_;
  std::uint64_t r_;
  std::uint32_t draw_ = 0;
};

/// Up to so many trials are drawn one by one.
constexpr std::int64_t kMostSingleDraws = 50;
/// With a larger variance the successes are drawn from a normal distribution.
constexpr double kLargeVariance = 100.0;

/// The successes of trials with a common probability.
std::int64_t binomial_draw(std::int64_t trials, double p, Stream& random) {
  if (p <= 0) return 0;
  if (p >= 1) return trials;
  if (trials <= kMostSingleDraws) {
    std::int64_t successes = 0;
    for (std::int64_t i = 0; i < trials; ++i) successes += random.next() < p ? 1 : 0;
    return successes;
  }
  const double mean = static_cast<double>(trials) * p;
  const double variance = mean * (1 - p);
  if (variance <= kLargeVariance) {
    return CountDistribution::binomial(trials, p).quantile(random.next());
  }
  const Distribution normal{DistributionKind::kNormal, mean, std::sqrt(variance)};
  return std::clamp<std::int64_t>(std::llround(quantile(normal, random.next())), 0, trials);
}

}  // namespace

/// The successes at one site, given the sum of both.
struct SimulatedExperiments::ConditionalSite {
  double center = 0.0;
  double scale = 1.0;
  double single = 0.0;                      ///< of one trial: the probability of success
  std::optional<CountDistribution> counts;  ///< of several trials
  bool varies = false;

  explicit ConditionalSite(const SiteModel& model);

  [[nodiscard]] double draw(double u) const {
    const double successes =
        counts ? static_cast<double>(counts->quantile(u)) : (u < single ? 1.0 : 0.0);
    return scale * (successes - center);
  }
};

SimulatedExperiments::ConditionalSite::ConditionalSite(const SiteModel& model) {
  const auto sum = std::llround(model.successes + model.probability * model.simulated);
  const auto all = std::llround(model.trials + model.simulated);
  single = static_cast<double>(sum) / static_cast<double>(all);
  center = model.trials * single;
  scale = static_cast<double>(all) / model.simulated;
  varies = sum > 0 && sum < all && model.trials > 0;
  if (varies && model.trials > 1) {
    counts = CountDistribution::hypergeometric(sum, std::llround(model.trials), all);
  }
}

struct SimulatedExperiments::Sites {
  std::uint64_t seed = 0;
  std::span<const PredictedSite> sites;
  std::span<const SiteModel> models;
  const SessionDraws* draws = nullptr;
  std::size_t sessions = 1;
  double widened = 1.0;  ///< for the error of the mean of the draws, which all sessions share
  std::vector<ConditionalSite> conditional;  ///< without sessions

  void draw_conditional(Stream& random, std::vector<double>& residuals) const {
    for (std::size_t k = 0; k < conditional.size(); ++k) {
      residuals[k] = conditional[k].varies ? conditional[k].draw(random.next()) : 0.0;
    }
  }

  void draw_sessions(Stream& random, std::vector<double>& residuals) const {
    std::vector<std::size_t> of_session(sessions);
    for (std::size_t& j : of_session) {
      j = static_cast<std::size_t>(random.next() * static_cast<double>(draws->draws()));
    }
    for (std::size_t k = 0; k < sites.size(); ++k) {
      const double p =
          draws->success[of_session[sites[k].session] * draws->places + sites[k].place];
      const auto successes = static_cast<double>(binomial_draw(sites[k].trials, p, random));
      residuals[k] = widened * (successes - models[k].trials * models[k].probability);
    }
  }
};

SimulatedExperiments::SimulatedExperiments(std::span<const PredictedSite> sites,
                                           std::span<const SiteModel> models,
                                           const SessionDraws* draws, std::uint64_t seed)
    : sites_(std::make_unique<Sites>()) {
  *sites_ = {seed, sites, models, draws, session_count(sites), 1.0, {}};
  cost_ = 0;
  for (const SiteModel& model : models) {
    if (draws != nullptr) {
      observed_.push_back(model.residual());
      cost_ += std::min<std::int64_t>(std::llround(model.trials), kMostSingleDraws);
      continue;
    }
    const ConditionalSite site(model);
    observed_.push_back(site.scale * (model.successes - site.center));
    cost_ += site.varies ? 1 : 0;
    sites_->conditional.push_back(site);
  }
  if (draws != nullptr) {
    sites_->widened =
        std::sqrt(1 + static_cast<double>(sites_->sessions) / static_cast<double>(draws->draws()));
  }
}

SimulatedExperiments::~SimulatedExperiments() = default;

void SimulatedExperiments::draw(std::int64_t r, std::vector<double>& residuals) const {
  residuals.resize(observed_.size());
  Stream random(sites_->seed, r);
  if (sites_->draws == nullptr) {
    sites_->draw_conditional(random, residuals);
  } else {
    sites_->draw_sessions(random, residuals);
  }
}

}  // namespace graspmap
