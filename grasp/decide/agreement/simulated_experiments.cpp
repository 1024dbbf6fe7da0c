#include "grasp/decide/agreement/simulated_experiments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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
  const double draw = mean + std::sqrt(variance) * normal_score(random.next());
  return std::clamp<std::int64_t>(std::llround(draw), 0, trials);
}

}  // namespace

double SimulatedExperiments::ConditionalSite::draw(double u) const {
  const double successes =
      counts ? static_cast<double>(counts->quantile(u)) : (u < single ? 1.0 : 0.0);
  return scale * (successes - center);
}

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

SimulatedExperiments::SimulatedExperiments(std::span<const PredictedSite> sites,
                                           std::span<const SiteModel> models,
                                           const SessionDraws* draws, std::uint64_t seed)
    : seed_(seed),
      sites_(sites),
      models_(models),
      draws_(draws),
      sessions_(session_count(sites)),
      widened_(draws == nullptr ? 1.0
                                : std::sqrt(1 + static_cast<double>(sessions_) /
                                                    static_cast<double>(draws->draws()))) {
  for (const SiteModel& model : models) {
    if (draws != nullptr) {
      observed_.push_back(model.residual());
      cost_ += std::min<std::int64_t>(std::llround(model.trials), kMostSingleDraws);
      continue;
    }
    const ConditionalSite site(model);
    observed_.push_back(site.scale * (model.successes - site.center));
    cost_ += site.varies ? 1 : 0;
    conditional_.push_back(site);
  }
}

void SimulatedExperiments::draw(std::int64_t r, std::vector<double>& residuals) const {
  residuals.resize(observed_.size());
  Stream random(seed_, r);
  for (std::size_t k = 0; k < conditional_.size(); ++k) {
    residuals[k] = conditional_[k].varies ? conditional_[k].draw(random.next()) : 0.0;
  }
  if (draws_ == nullptr) return;
  std::vector<std::size_t> of_session(sessions_);
  for (std::size_t& j : of_session) {
    j = static_cast<std::size_t>(random.next() * static_cast<double>(draws_->draws()));
  }
  for (std::size_t k = 0; k < sites_.size(); ++k) {
    const PredictedSite& site = sites_[k];
    const double p = draws_->success[of_session[site.session] * draws_->places + site.place];
    const auto successes = static_cast<double>(binomial_draw(site.trials, p, random));
    residuals[k] = widened_ * (successes - models_[k].trials * models_[k].probability);
  }
}

namespace {

/// Values this close, in parts of the largest, differ by rounding only.
constexpr double kRounding = 1e-9;

/// The p-value of each experiment, the observed one first, among all of them.
std::vector<double> p_values(const TestStatistic& statistic) {
  std::vector<double> values = {statistic.observed};
  values.insert(values.end(), statistic.simulated.begin(), statistic.simulated.end());
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double rounding = kRounding * std::max(std::abs(sorted.front()), std::abs(sorted.back()));
  const auto all = static_cast<double>(values.size());
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values) {
    const auto not_smaller = static_cast<double>(
        sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), value - rounding));
    if (!statistic.two_sided) {
      result.push_back(not_smaller / all);
      continue;
    }
    const auto not_larger = static_cast<double>(
        std::upper_bound(sorted.begin(), sorted.end(), value + rounding) - sorted.begin());
    result.push_back(std::min(1.0, 2 * std::min(not_smaller, not_larger) / all));
  }
  return result;
}

/// The share of values not larger than `limit`.
double share_up_to(const std::vector<double>& values, double limit) {
  const auto count = std::count_if(values.begin(), values.end(),
                                   [&](double value) { return value <= limit * (1 + kRounding); });
  return static_cast<double>(count) / static_cast<double>(values.size());
}

/// The largest value that at most the share `level` of all reaches or stays below; 0 without one.
double critical(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  double found = 0.0;
  for (std::size_t k = 0; k < values.size();) {
    const auto next = static_cast<std::size_t>(
        std::upper_bound(values.begin(), values.end(), values[k]) - values.begin());
    if (static_cast<double>(next) > level * static_cast<double>(values.size())) break;
    found = values[k];
    k = next;
  }
  return found;
}

}  // namespace

JointTests joint_tests(const std::vector<TestStatistic>& statistics, double level) {
  JointTests joint;
  joint.tests.resize(statistics.size());
  if (statistics.empty()) return joint;
  std::vector<std::vector<double>> p;
  p.reserve(statistics.size());
  for (const TestStatistic& statistic : statistics) p.push_back(p_values(statistic));
  std::vector<std::size_t> order(statistics.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a][0] < p[b][0]; });
  // From the largest p-value to the smallest: the minimum over it and all larger ones.
  std::vector<double> smallest(p[0].size(), 1.0);
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::vector<double>& own = p[order[k]];
    for (std::size_t r = 0; r < smallest.size(); ++r) smallest[r] = std::min(smallest[r], own[r]);
    joint.tests[order[k]] = {own[0], std::max(own[0], share_up_to(smallest, own[0]))};
  }
  for (std::size_t k = 1; k < order.size(); ++k) {
    TestResult& test = joint.tests[order[k]];
    test.adjusted_p = std::max(test.adjusted_p, joint.tests[order[k - 1]].adjusted_p);
  }
  joint.critical_p = critical(smallest, level);
  return joint;
}

}  // namespace graspmap
