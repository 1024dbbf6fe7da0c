#include "grasp/decide/agreement/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "grasp/base/process/stop.hpp"
#include "grasp/decide/agreement/simulated_experiments.hpp"
#include "grasp/decide/agreement/site_model.hpp"

namespace graspmap {
namespace {

/// As many simulated experiments as can be drawn in about a second.
constexpr std::int64_t kMostDraws = 30'000'000;
constexpr std::int64_t kLeastReplicates = 999;

std::int64_t replicate_count(std::int64_t asked, std::int64_t cost) {
  const std::int64_t affordable =
      std::max(kMostDraws / std::max<std::int64_t>(cost, 1), kLeastReplicates);
  return std::min(asked, affordable);
}

/// 2 (o ln(o/e) + (n - o) ln((n - o)/(n - e))).
double binomial_deviance(double observed, double expected, double trials) {
  const auto part = [](double o, double e) { return o > 0 ? o * std::log(o / e) : 0.0; };
  return 2 * (part(observed, expected) + part(trials - observed, trials - expected));
}

/// Sites that are looked at together: of one group, of one session.
struct SiteSet {
  std::size_t number = 0;
  std::vector<std::size_t> sites;
};

template <typename NumberOf>
std::vector<SiteSet> site_sets(std::span<const PredictedSite> sites, const NumberOf& number_of) {
  std::map<std::size_t, SiteSet> found;
  for (std::size_t k = 0; k < sites.size(); ++k) {
    SiteSet& part = found[number_of(sites[k])];
    part.number = number_of(sites[k]);
    part.sites.push_back(k);
  }
  std::vector<SiteSet> list;
  for (auto& [number, part] : found) list.push_back(std::move(part));
  return list;
}

double sum_of(const SiteSet& part, std::span<const double> values) {
  double sum = 0.0;
  for (const std::size_t k : part.sites) sum += values[k];
  return sum;
}

/// The counts of a part, and the standard deviation of its residual when the model is true.
struct PartCounts {
  double trials = 0.0;
  double successes = 0.0;
  double expected = 0.0;  ///< of the model
  double pooled = 0.0;    ///< expected with the probabilities of both together
  std::int64_t all_trials = 0;
  std::int64_t all_successes = 0;
};

PartCounts counts_of(const SiteSet& part, std::span<const PredictedSite> sites,
                     std::span<const SiteModel> models) {
  PartCounts counts;
  for (const std::size_t k : part.sites) {
    counts.trials += models[k].trials;
    counts.successes += models[k].successes;
    counts.expected += models[k].trials * models[k].probability;
    counts.pooled += models[k].trials * models[k].pooled;
    counts.all_trials += sites[k].trials;
    counts.all_successes += sites[k].successes;
  }
  return counts;
}

/// One agreement: failed trials of the model decided.
class AgreementTask {
 public:
  AgreementTask(std::span<const PredictedSite> sites, const SessionDraws* draws,
                const AgreementSettings& settings, FailedTrials failed)
      : sites_(sites),
        draws_(draws),
        settings_(settings),
        models_(site_models(sites, failed)),
        groups_(site_sets(sites, [](const PredictedSite& site) { return site.group; })),
        sessions_(site_sets(sites, [](const PredictedSite& site) { return site.session; })) {
    for (const Change change : kChanges) {
      const double step = settings.steps[static_cast<std::size_t>(change)];
      if (auto score = score_weights(sites, models_, change, step)) scores_.push_back(*score);
    }
    for (const ScoreWeights& score : scores_) {
      variances_.push_back(score_variance(sites, models_, draws, score.weights));
    }
    for (const SiteSet& group : groups_) group_counts_.push_back(counts_of(group, sites, models_));
    for (const SiteSet& part : sessions_)
      session_counts_.push_back(counts_of(part, sites, models_));
  }

  Agreement result() {
    Agreement agreement;
    agreement.confidence = settings_.confidence;
    agreement.within = settings_.within;
    for (const PredictedSite& site : sites_) {
      agreement.trials += site.trials;
      agreement.successes += site.successes;
    }
    for (const SiteModel& model : models_) agreement.expected += model.trials * model.probability;
    agreement.expected_sd = std::sqrt(variances_.front().total());
    agreement.session_widening =
        std::sqrt(variances_.front().experiment / std::max(variances_.front().independent, 1e-300));
    simulate();
    test(agreement);
    describe_groups(agreement);
    return agreement;
  }

 private:
  double level() const { return 1 - settings_.confidence; }
  double trials() const {
    double sum = 0.0;
    for (const SiteModel& model : models_) sum += model.trials;
    return sum;
  }

  /// The residuals of an experiment's groups, summed up as a statistic of differences by place.
  double place_statistic(std::span<const double> residuals) const {
    double sum = 0.0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const PartCounts& counts = group_counts_[g];
      // What the residual stands for in successes, with the center of pooled probabilities.
      const double observed =
          std::clamp(counts.pooled + sum_of(groups_[g], residuals), 0.0, counts.trials);
      sum += binomial_deviance(observed, counts.pooled, counts.trials);
    }
    return sum;
  }

  double session_statistic(std::span<const double> of_sessions) const {
    double sum = 0.0;
    for (std::size_t s = 0; s < of_sessions.size(); ++s) {
      sum += of_sessions[s] * of_sessions[s] / std::max(session_variances_[s], 1e-12);
    }
    return sum;
  }

  bool compares_sessions() const { return draws_ != nullptr && sessions_.size() > 1; }

  void add_statistics(std::span<const double> residuals, bool observed) {
    std::size_t next = 0;
    const auto add = [&](double value) {
      TestStatistic& statistic = statistics_[next++];
      if (observed) {
        statistic.observed = value;
      } else {
        statistic.simulated.push_back(value);
      }
    };
    for (const ScoreWeights& score : scores_) {
      add(std::inner_product(residuals.begin(), residuals.end(), score.weights.begin(), 0.0));
    }
    add(place_statistic(residuals));
    if (!compares_sessions()) return;
    std::vector<double> of_sessions;
    for (const SiteSet& session : sessions_) of_sessions.push_back(sum_of(session, residuals));
    add(session_statistic(of_sessions));
  }

  void add_to_groups(std::span<const double> residuals) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const double residual = sum_of(groups_[g], residuals);
      group_squares_[g] += residual * residual;
      absolute_by_chance_ += std::abs(residual);
    }
  }

  void simulate() {
    const SimulatedExperiments experiments(sites_, models_, draws_, settings_.seed);
    replicates_ = replicate_count(settings_.replicates, experiments.cost());
    group_squares_.assign(groups_.size(), 0.0);
    statistics_.assign(scores_.size() + 1 + (compares_sessions() ? 1 : 0), {});
    for (std::size_t k = scores_.size(); k < statistics_.size(); ++k) {
      statistics_[k].two_sided = false;
    }
    if (draws_ != nullptr) {
      for (const SiteSet& session : sessions_) {
        std::vector<double> weights(sites_.size(), 0.0);
        for (const std::size_t k : session.sites) weights[k] = 1.0;
        session_variances_.push_back(score_variance(sites_, models_, draws_, weights).total());
      }
    }
    add_statistics(experiments.observed(), true);
    std::vector<double> residuals;
    for (std::int64_t r = 0; r < replicates_; ++r) {
      check_stop();
      experiments.draw(r, residuals);
      add_statistics(residuals, false);
      add_to_groups(residuals);
    }
    absolute_by_chance_ /= static_cast<double>(replicates_) * trials();
  }

  Estimate level_estimate(double z) const {
    const double n = trials();
    double successes = 0.0;
    for (const SiteModel& model : models_) successes += model.successes;
    const ScoreVariance& variance = variances_.front();
    const double widening =
        std::max(1.0, variance.experiment / std::max(variance.independent, 1e-300));
    const Interval mean = mean_success_interval(models_, successes, z, widening);
    const double share = successes / n;
    const double expected = share - statistics_.front().observed / n;
    const double of_model = z * std::sqrt(variance.model) / n;
    // Newcombe's method 10 (1998) for the difference of two estimates.
    const double difference = share - expected;
    return {difference,
            {difference - std::hypot(share - mean.low, of_model),
             difference + std::hypot(mean.high - share, of_model)}};
  }

  Estimate estimate(std::size_t k, double z) const {
    if (scores_[k].change == Change::kLevel) return level_estimate(z);
    const double value = statistics_[k].observed / scores_[k].information;
    const double half = z * std::sqrt(variances_[k].total()) / scores_[k].information;
    return {value, {value - half, value + half}};
  }

  void test(Agreement& agreement) const {
    const JointTests joint = joint_tests(statistics_, level());
    const double z_two = two_sided_z(settings_.confidence);
    const double z_one = two_sided_z(std::max(2 * settings_.confidence - 1, 0.0));
    for (std::size_t k = 0; k < scores_.size(); ++k) {
      ChangeResult change;
      change.change = scores_[k].change;
      change.estimate = estimate(k, z_two);
      change.p_value = joint.tests[k].p_value;
      change.adjusted_p = joint.tests[k].adjusted_p;
      const Interval allowed = estimate(k, z_one).interval;
      change.largest_effect =
          scores_[k].mean_absolute_slope * std::max(std::abs(allowed.low), std::abs(allowed.high));
      if (settings_.detectable) add_detectable(change, k, joint.critical_p);
      agreement.changes.push_back(change);
    }
    agreement.places = joint.tests[scores_.size()];
    if (compares_sessions()) agreement.between_sessions = joint.tests.back();
    agreement.p_value = 1.0;
    for (const TestResult& result : joint.tests) {
      agreement.p_value = std::min(agreement.p_value, result.adjusted_p);
    }
    agreement.replicates = replicates_;
  }

  void add_detectable(ChangeResult& change, std::size_t k, double critical_p) const {
    if (!(critical_p > 0)) return;
    const double step = settings_.steps[static_cast<std::size_t>(change.change)];
    const ScoreTest score_test{sites_,        models_, scores_[k],
                               variances_[k], step,    two_sided_z(1 - critical_p)};
    const DetectableChange detectable = detectable_change(score_test);
    change.detectable_80 = detectable.at_80;
    change.detectable_90 = detectable.at_90;
  }

  void describe_groups(Agreement& agreement) const {
    const double z = two_sided_z(std::max(2 * settings_.confidence - 1, 0.0));
    double variance = 0.0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const PartCounts& counts = group_counts_[g];
      GroupResult group;
      group.group = groups_[g].number;
      for (const std::size_t k : groups_[g].sites) {
        group.x_mm += sites_[k].x_mm * models_[k].trials / counts.trials;
        group.y_mm += sites_[k].y_mm * models_[k].trials / counts.trials;
      }
      group.trials = counts.all_trials;
      group.successes = counts.all_successes;
      group.expected = counts.expected;
      const double by_chance = group_squares_[g] / static_cast<double>(replicates_);
      group.expected_sd = std::sqrt(by_chance);
      agreement.groups.push_back(group);
      agreement.mean_difference += std::abs(counts.successes - counts.expected);
      const double share = (counts.successes + 0.5) / (counts.trials + 1);
      variance += std::max(by_chance, counts.trials * share * (1 - share));
    }
    agreement.mean_difference /= trials();
    agreement.mean_by_chance = absolute_by_chance_;
    agreement.largest_mean = agreement.mean_difference + z * std::sqrt(variance) / trials();
    if (draws_ == nullptr) return;
    for (std::size_t s = 0; s < sessions_.size(); ++s) {
      const PartCounts& counts = session_counts_[s];
      agreement.sessions.push_back({sessions_[s].number, counts.all_trials, counts.all_successes,
                                    counts.expected, std::sqrt(session_variances_[s])});
    }
  }

  std::span<const PredictedSite> sites_;
  const SessionDraws* draws_;
  const AgreementSettings& settings_;
  std::vector<SiteModel> models_;
  std::vector<SiteSet> groups_;
  std::vector<SiteSet> sessions_;
  std::vector<PartCounts> group_counts_;
  std::vector<PartCounts> session_counts_;
  std::vector<ScoreWeights> scores_;  ///< kLevel first
  std::vector<ScoreVariance> variances_;
  std::vector<double> session_variances_;
  std::vector<TestStatistic> statistics_;  ///< of the scores, of places, of sessions
  std::vector<double> group_squares_;
  double absolute_by_chance_ = 0.0;
  std::int64_t replicates_ = 0;
};

void set_verdict(Agreement& agreement) {
  const double level = 1 - agreement.confidence;
  agreement.significant = agreement.p_value <= level;
  double limit = 0.0;
  for (const ChangeResult& change : agreement.changes) {
    limit = std::max(limit, change.largest_effect);
  }
  const bool places_differ =
      agreement.places.adjusted_p <= level ||
      (agreement.between_sessions && agreement.between_sessions->adjusted_p <= level);
  if (places_differ) limit = std::max(limit, agreement.largest_mean);
  agreement.smallest_within = std::min(limit, 1.0);
  agreement.verdict = agreement.smallest_within <= agreement.within ? AgreementVerdict::kAgrees
                      : agreement.significant                       ? AgreementVerdict::kDiffers
                                                                    : AgreementVerdict::kCannotTell;
}

TestResult weaker_test(const TestResult& a, const TestResult& b) {
  return {std::max(a.p_value, b.p_value), std::max(a.adjusted_p, b.adjusted_p)};
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// What says less of two agreements that differ in failed trials.
Agreement weaker(const Agreement& a, const Agreement& b) {
  Agreement result = a;
  for (ChangeResult& change : result.changes) {
    const ChangeResult* other = b.of(change.change);
    if (other == nullptr) continue;
    const TestResult test =
        weaker_test({change.p_value, change.adjusted_p}, {other->p_value, other->adjusted_p});
    change.p_value = test.p_value;
    change.adjusted_p = test.adjusted_p;
    change.estimate.interval = hull(change.estimate.interval, other->estimate.interval);
    change.largest_effect = std::max(change.largest_effect, other->largest_effect);
    change.detectable_80 = std::fmax(change.detectable_80, other->detectable_80);
    change.detectable_90 = std::fmax(change.detectable_90, other->detectable_90);
  }
  result.places = weaker_test(a.places, b.places);
  if (a.between_sessions && b.between_sessions) {
    result.between_sessions = weaker_test(*a.between_sessions, *b.between_sessions);
  }
  result.p_value = std::max(a.p_value, b.p_value);
  result.largest_mean = std::max(a.largest_mean, b.largest_mean);
  set_verdict(result);
  return result;
}

}  // namespace

const char* name(Change change) {
  switch (change) {
    case Change::kLevel:
      return "success in all";
    case Change::kShiftX:
      return "shift in x";
    case Change::kShiftY:
      return "shift in y";
    case Change::kTurn:
      return "turn";
    case Change::kJawFriction:
      return "jaw friction";
    case Change::kSupportFriction:
      return "support friction";
  }
  return "";
}

const char* key(Change change) {
  switch (change) {
    case Change::kLevel:
      return "level";
    case Change::kShiftX:
      return "shift_x_mm";
    case Change::kShiftY:
      return "shift_y_mm";
    case Change::kTurn:
      return "turn_rad";
    case Change::kJawFriction:
      return "jaw_friction";
    case Change::kSupportFriction:
      return "support_friction";
  }
  return "";
}

const char* unit(Change change) {
  switch (change) {
    case Change::kLevel:
      return "points";
    case Change::kShiftX:
    case Change::kShiftY:
      return "mm";
    case Change::kTurn:
      return "rad";
    case Change::kJawFriction:
    case Change::kSupportFriction:
      return "";
  }
  return "";
}

const char* name(AgreementVerdict verdict) {
  switch (verdict) {
    case AgreementVerdict::kDiffers:
      return "differs";
    case AgreementVerdict::kAgrees:
      return "agrees";
    case AgreementVerdict::kCannotTell:
      return "cannot tell";
  }
  return "";
}

const ChangeResult* Agreement::of(Change change) const {
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const ChangeResult& result) {
    return result.change == change;
  });
  return found == changes.end() ? nullptr : &*found;
}

Agreement agreement(std::span<const PredictedSite> sites, const SessionDraws* draws,
                    const AgreementSettings& settings) {
  const auto with = [&](FailedTrials failed) {
    Agreement result = AgreementTask(sites, draws, settings, failed).result();
    set_verdict(result);
    return result;
  };
  const bool any_failed = std::any_of(
      sites.begin(), sites.end(), [](const PredictedSite& site) { return site.model.failed > 0; });
  const Agreement without = with(FailedTrials::kNoSuccess);
  return any_failed ? weaker(without, with(FailedTrials::kSuccess)) : without;
}

double detection_power(std::span<const PredictedSite> sites, const SessionDraws* draws,
                       Change change, double amount, double step, double level) {
  const std::vector<SiteModel> models = site_models(sites, FailedTrials::kNoSuccess);
  const auto score = score_weights(sites, models, change, step);
  if (!score) return 0.0;
  const ScoreVariance variance = score_variance(sites, models, draws, score->weights);
  return power({sites, models, *score, variance, step, two_sided_z(1 - level)}, amount);
}

std::vector<double> level_changed(std::span<const PredictedSite> sites, double mean) {
  const std::vector<SiteModel> models = site_models(sites, FailedTrials::kNoSuccess);
  return with_odds_multiplied(models, log_factor_of_mean(models, mean));
}

}  // namespace graspmap
