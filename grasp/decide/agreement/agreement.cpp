#include "grasp/decide/agreement/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "geometry/assert.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/agreement/simulated_experiments.hpp"
#include "grasp/decide/agreement/site_model.hpp"

namespace graspmap {
namespace {

struct ChangeWords {
  const char* name;
  const char* key;
  const char* unit;
};

/// By Change.
constexpr std::array<ChangeWords, kChangeCount> kChangeWords = {
    {{"success in all", "level", "points"},
     {"shift in x", "shift_x_mm", "mm"},
     {"shift in y", "shift_y_mm", "mm"},
     {"turn", "turn_rad", "rad"},
     {"jaw friction", "jaw_friction", ""},
     {"support friction", "support_friction", ""}}};

/// As many simulated experiments as can be drawn in about a second.
constexpr std::int64_t kMostDraws = 30'000'000;
constexpr std::int64_t kLeastReplicates = 999;

/// Sites that are looked at together: of one group, of one session.
struct SiteSet {
  std::size_t number = 0;
  std::vector<std::size_t> sites;
  double trials = 0.0;
  double successes = 0.0;
  double expected = 0.0;  ///< of the model
  double pooled = 0.0;    ///< expected with the probabilities of both together
  std::int64_t all_trials = 0;
  std::int64_t all_successes = 0;
};

/// The sites with equal values of a member, in the order of these values.
std::vector<SiteSet> site_sets(std::span<const PredictedSite> sites,
                               std::span<const SiteModel> models,
                               std::size_t PredictedSite::*number) {
  std::map<std::size_t, SiteSet> found;
  for (std::size_t k = 0; k < sites.size(); ++k) {
    SiteSet& set = found[sites[k].*number];
    set.number = sites[k].*number;
    set.sites.push_back(k);
    set.trials += models[k].trials;
    set.successes += models[k].successes;
    set.expected += models[k].trials * models[k].probability;
    set.pooled += models[k].trials * models[k].pooled;
    set.all_trials += sites[k].trials;
    set.all_successes += sites[k].successes;
  }
  std::vector<SiteSet> list;
  for (auto& [value, set] : found) list.push_back(std::move(set));
  return list;
}

double sum_of(const SiteSet& set, std::span<const double> values) {
  double sum = 0.0;
  for (const std::size_t k : set.sites) sum += values[k];
  return sum;
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
        groups_(site_sets(sites, models_, &PredictedSite::group)),
        sessions_(site_sets(sites, models_, &PredictedSite::session)) {
    for (const Change change : kChanges) {
      const double step = settings.steps[static_cast<std::size_t>(change)];
      if (auto score = score_weights(sites, models_, change, step)) scores_.push_back(*score);
    }
    for (const ScoreWeights& score : scores_) {
      variances_.push_back(score_variance(sites, models_, draws, score.weights));
    }
    for (const SiteModel& model : models_) trials_ += model.trials;
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
    double places = 0.0;
    for (const SiteSet& group : groups_) {
      // What the residual stands for in successes, with the center of pooled probabilities.
      const double seen = std::clamp(group.pooled + sum_of(group, residuals), 0.0, group.trials);
      places += binomial_deviance(seen, group.pooled, group.trials);
    }
    add(places);
    if (!compares_sessions()) return;
    double between = 0.0;
    for (std::size_t s = 0; s < sessions_.size(); ++s) {
      const double residual = sum_of(sessions_[s], residuals);
      between += residual * residual / std::max(session_variances_[s], 1e-12);
    }
    add(between);
  }

  void simulate() {
    const SimulatedExperiments experiments(sites_, models_, draws_, settings_.seed);
    const std::int64_t affordable = kMostDraws / std::max<std::int64_t>(experiments.cost(), 1);
    replicates_ = std::min(settings_.replicates, std::max(affordable, kLeastReplicates));
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
      const bool looks = r > 0 && (r == settings_.first_look || r == 3 * settings_.first_look);
      if (looks && all_are_clear()) {
        replicates_ = r;
        break;
      }
      experiments.draw(r, residuals);
      add_statistics(residuals, false);
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const double residual = sum_of(groups_[g], residuals);
        group_squares_[g] += residual * residual;
        absolute_by_chance_ += std::abs(residual);
      }
    }
    absolute_by_chance_ /= static_cast<double>(replicates_) * trials_;
  }

  /// Whether the simulated experiments so far leave no doubt what each test finds.
  bool all_are_clear() const {
    constexpr double kClearly = 5;  // times the level of the tests, or one over it
    const std::vector<TestResult> tests = joint_tests(statistics_, level()).tests;
    return std::all_of(tests.begin(), tests.end(), [&](const TestResult& test) {
      return test.adjusted_p > std::min(kClearly * level(), 0.5) ||
             test.adjusted_p < level() / kClearly;
    });
  }

  Estimate level_estimate(double z) const {
    double successes = 0.0;
    for (const SiteModel& model : models_) successes += model.successes;
    const ScoreVariance& variance = variances_.front();
    const double widening =
        std::max(1.0, variance.experiment / std::max(variance.independent, 1e-300));
    const Interval mean = mean_success_interval(models_, successes, z, widening);
    const double share = successes / trials_;
    const double expected = share - statistics_.front().observed / trials_;
    const double of_model = z * std::sqrt(variance.model) / trials_;
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
      if (settings_.detectable && joint.critical_p > 0) {
        const double step = settings_.steps[static_cast<std::size_t>(change.change)];
        const DetectableChange detectable = detectable_change(
            {sites_, models_, scores_[k], variances_[k], step, two_sided_z(1 - joint.critical_p)});
        change.detectable_80 = detectable.at_80;
        change.detectable_90 = detectable.at_90;
      }
      agreement.changes.push_back(change);
    }
    agreement.places = joint.tests[scores_.size()];
    if (compares_sessions()) agreement.between_sessions = joint.tests.back();
    for (const TestResult& result : joint.tests) {
      agreement.p_value = std::min(agreement.p_value, result.adjusted_p);
    }
    agreement.replicates = replicates_;
  }

  void describe_groups(Agreement& agreement) const {
    const double z = two_sided_z(std::max(2 * settings_.confidence - 1, 0.0));
    double variance = 0.0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const SiteSet& counts = groups_[g];
      GroupResult group;
      group.group = counts.number;
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
    agreement.mean_difference /= trials_;
    agreement.mean_by_chance = absolute_by_chance_;
    agreement.largest_mean = agreement.mean_difference + z * std::sqrt(variance) / trials_;
    if (draws_ == nullptr) return;
    for (std::size_t s = 0; s < sessions_.size(); ++s) {
      const SiteSet& session = sessions_[s];
      agreement.sessions.push_back({session.number, session.all_trials, session.all_successes,
                                    session.expected, std::sqrt(session_variances_[s])});
    }
  }

  std::span<const PredictedSite> sites_;
  const SessionDraws* draws_;
  const AgreementSettings& settings_;
  std::vector<SiteModel> models_;
  std::vector<SiteSet> groups_;
  std::vector<SiteSet> sessions_;
  double trials_ = 0.0;
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

/// What says less of two agreements that differ in failed trials.
Agreement weaker(const Agreement& a, const Agreement& b) {
  Agreement result = a;
  for (ChangeResult& change : result.changes) {
    const ChangeResult* other = b.of(change.change);
    if (other == nullptr) continue;
    change.p_value = std::max(change.p_value, other->p_value);
    change.adjusted_p = std::max(change.adjusted_p, other->adjusted_p);
    Interval& interval = change.estimate.interval;
    interval.low = std::min(interval.low, other->estimate.interval.low);
    interval.high = std::max(interval.high, other->estimate.interval.high);
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

const char* name(Change change) { return kChangeWords[static_cast<std::size_t>(change)].name; }
const char* key(Change change) { return kChangeWords[static_cast<std::size_t>(change)].key; }
const char* unit(Change change) { return kChangeWords[static_cast<std::size_t>(change)].unit; }

const char* name(AgreementVerdict verdict) {
  constexpr std::array kNames = {"differs", "agrees", "cannot tell"};
  return kNames[static_cast<std::size_t>(verdict)];
}

const ChangeResult* Agreement::of(Change change) const {
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const ChangeResult& result) {
    return result.change == change;
  });
  return found == changes.end() ? nullptr : &*found;
}

void cut_at(Agreement& agreement, Change change, double least) {
  for (ChangeResult& result : agreement.changes) {
    if (result.change != change) continue;
    Estimate& estimate = result.estimate;
    result.at_bound = estimate.value < least;
    for (double* number : {&estimate.value, &estimate.interval.low, &estimate.interval.high}) {
      *number = std::max(*number, least);
    }
  }
}

Agreement agreement(std::span<const PredictedSite> sites, const SessionDraws* draws,
                    const AgreementSettings& settings) {
  GRASPMAP_CHECK(!sites.empty());
  GRASPMAP_CHECK(settings.confidence > 0 && settings.confidence < 1 && settings.replicates > 0);
  for (const PredictedSite& site : sites) {
    GRASPMAP_CHECK(site.model.trials + site.model.failed > 0);
    GRASPMAP_CHECK(0 <= site.successes && site.successes <= site.trials);
    GRASPMAP_CHECK(draws == nullptr || site.place < draws->places);
  }
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

}  // namespace graspmap
