#include "grasp/decide/sensitivity/effect_estimator.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/assert.hpp"
#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Sums of what is added, for mean and variance.
struct SampleMoments {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;

  void add(double value) {
    count += 1;
    sum += value;
    squares += value * value;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double variance() const { return squares / count - mean() * mean(); }
};

double mean_variance(const std::vector<SampleMoments>& groups) {
  double sum = 0;
  for (const SampleMoments& group : groups) sum += group.variance();
  return sum / static_cast<double>(groups.size());
}

/// The variance of the groups' means, less its noise: that of a mean of `count` values.
double variance_of_means(const std::vector<SampleMoments>& groups) {
  SampleMoments means;
  for (const SampleMoments& group : groups) means.add(group.mean());
  return means.variance() - mean_variance(groups) / groups.front().count;
}

/// What one input's lines show.
struct LineVariances {
  double first = 0.0;
  double total = 0.0;
};

LineVariances vary(const SobolDesign& design, std::size_t input, const InputFunction& f,
                   SampleMoments& all) {
  const std::vector<double>& levels = design.levels[input];
  std::vector<SampleMoments> of_level(levels.size());
  std::vector<SampleMoments> of_line(design.base.size());
  for (std::size_t a = 0; a < design.base.size(); ++a) {
    std::vector<double> point = design.base[a];
    for (std::size_t k = 0; k < levels.size(); ++k) {
      point[input] = levels[k];
      const double value = f(point);
      of_level[k].add(value);
      of_line[a].add(value);
      all.add(value);
    }
  }
  return {variance_of_means(of_level), mean_variance(of_line)};
}

}  // namespace

SobolDesign sobol_design(std::size_t inputs, std::size_t points, std::size_t levels,
                         const InputQuantile& quantile) {
  SobolDesign design;
  boost::random::sobol sequence(inputs);
  for (std::size_t a = 0; a < points; ++a) {
    std::vector<double> point(inputs);
    for (std::size_t i = 0; i < inputs; ++i) {
      // 53 bits, and half a step more: never 0 or 1.
      point[i] = quantile(i, (static_cast<double>(sequence() >> 12U) + 0.5) * 0x1p-52);
    }
    design.base.push_back(std::move(point));
  }
  for (std::size_t i = 0; i < inputs; ++i) {
    std::vector<double> values(levels);
    for (std::size_t k = 0; k < levels; ++k) {
      values[k] = quantile(i, (static_cast<double>(k) + 0.5) / static_cast<double>(levels));
    }
    design.levels.push_back(std::move(values));
  }
  return design;
}

SobolIndices sobol_indices(const SobolDesign& design, const InputFunction& f) {
  GRASPMAP_CHECK(!design.base.empty());
  const std::size_t inputs = design.levels.size();
  SampleMoments all;
  std::vector<LineVariances> lines;
  for (std::size_t i = 0; i < inputs; ++i) lines.push_back(vary(design, i, f, all));
  SobolIndices result{all.mean(), all.variance(), {}, {}};
  const bool varies = result.variance > 0;
  for (const LineVariances& line : lines) {
    result.first.push_back(varies ? line.first / result.variance : kNaN);
    result.total.push_back(varies ? line.total / result.variance : kNaN);
  }
  return result;
}

GroupShares group_shares(const SobolDesign& design, const std::vector<bool>& in_first,
                         std::size_t points, const InputFunction& f) {
  GRASPMAP_CHECK(points > 0 && points <= design.base.size());
  SampleMoments all;
  std::vector<SampleMoments> rows(points);
  std::vector<SampleMoments> columns(points);
  std::vector<double> point(in_first.size());
  for (std::size_t a = 0; a < points; ++a) {
    for (std::size_t b = 0; b < points; ++b) {
      for (std::size_t i = 0; i < point.size(); ++i) point[i] = design.base[in_first[i] ? a : b][i];
      const double value = f(point);
      rows[a].add(value);
      columns[b].add(value);
      all.add(value);
    }
  }
  const double variance = all.variance();
  if (!(variance > 0)) return {kNaN, kNaN, kNaN};
  const double first = variance_of_means(rows) / variance;
  const double second = variance_of_means(columns) / variance;
  return {first, second, 1 - first - second};
}

namespace {

constexpr std::size_t kAll = GraspEmulator::kAll;
constexpr std::size_t kGroups = GraspEmulator::kGroups;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Points that a conditional mean, and a table of both groups, are computed with.
constexpr std::size_t kMeanPoints = 256;
constexpr std::size_t kGroupPoints = 400;

/// What an emulator that lacks a group changes is seen with fewer points than the estimate needs.
constexpr std::size_t kReplicateLevels = 16;
constexpr std::size_t kReplicateGroupPoints = 200;

/// The first half of a design's points, and as many levels as needed, spread evenly.
SobolDesign coarser(const SobolDesign& design) {
  SobolDesign coarse;
  const std::size_t points = design.base.size() / 2;
  coarse.base.assign(design.base.begin(),
                     design.base.begin() + static_cast<std::ptrdiff_t>(points));
  for (const std::vector<double>& levels : design.levels) {
    const std::size_t stride = std::max<std::size_t>(1, levels.size() / kReplicateLevels);
    std::vector<double> fewer;
    for (std::size_t k = stride / 2; k < levels.size(); k += stride) fewer.push_back(levels[k]);
    coarse.levels.push_back(std::move(fewer));
  }
  return coarse;
}

std::vector<bool> only(std::size_t input, std::size_t inputs) {
  std::vector<bool> kept(inputs, false);
  kept[input] = true;
  return kept;
}

std::vector<bool> complement(std::vector<bool> kept) {
  kept.flip();
  return kept;
}

/// The groups of the largest and the second largest share.
void set_leaders(GroupEffects& effects) {
  const auto of = [&](std::size_t k) { return effects.groups[k].effect.first.value; };
  effects.leader = 0;
  for (std::size_t k = 1; k < effects.groups.size(); ++k) {
    if (of(k) > of(effects.leader)) effects.leader = k;
  }
  effects.second = effects.leader == 0 ? 1 : 0;
  for (std::size_t k = 0; k < effects.groups.size(); ++k) {
    if (k != effects.leader && of(k) > of(effects.second)) effects.second = k;
  }
}

/// Estimates what estimate_effects documents.
class EffectEstimator {
 public:
  EffectEstimator(const GraspEmulator& emulator, const RandomInputs& inputs,
                  const SobolDesign& design, std::vector<WeighedCheck> checks, double confidence)
      : emulator_(emulator), inputs_(inputs), design_(design), confidence_(confidence) {
    for (WeighedCheck& check : checks) {
      (check.success ? successes_ : failures_) += check.weight;
      group_weights_[check.group] += check.weight;
      if (check.success != check.foretold) wrong_.push_back(std::move(check));
    }
    indices_ = sobol_indices(design, function(kAll));
    const SobolDesign coarse = coarser(design);
    for (std::size_t g = 0; g <= kAll; ++g) {
      check_stop();
      coarse_indices_.push_back(sobol_indices(coarse, function(g)));
    }
  }

  [[nodiscard]] Effects effects() const {
    Effects effects;
    effects.state = state();
    effects.success_probability = successes_ / (successes_ + failures_);
    effects.predictivity = predictivity();
    if (effects.state != SensitivityState::kKnown) return effects;
    const Replicates variance = variances();
    for (std::size_t k = 0; k < inputs_.varying().size(); ++k) {
      const Replicates alone = replicates(indices_, coarse_indices_, [k](const SobolIndices& s) {
        return s.first[k] * s.variance;
      });
      const Replicates others = replicates(indices_, coarse_indices_, [k](const SobolIndices& s) {
        return (1 - s.total[k]) * s.variance;
      });
      const std::vector<bool> kept = only(k, inputs_.varying().size());
      const Replicates first = closed_shares(alone, kept, variance);
      Replicates total = closed_shares(others, complement(kept), variance);
      for (double& value : total) value = 1 - value;
      effects.inputs.push_back({share(first), share(total)});
    }
    return effects;
  }

  [[nodiscard]] GroupEffects groups() const {
    const std::vector<InputGroup> list = inputs_.groups();
    const Replicates variance = variances();
    std::vector<GroupReplicates> shares = {group_replicates(list[0], variance)};
    if (list.size() == 2) {
      shares.push_back({shares[0].others, shares[0].alone});
    } else {
      for (std::size_t k = 1; k < list.size(); ++k) {
        shares.push_back(group_replicates(list[k], variance));
      }
    }
    GroupEffects effects;
    Replicates together{};
    together.fill(1.0);
    for (std::size_t k = 0; k < list.size(); ++k) {
      Replicates total = shares[k].others;
      for (double& value : total) value = 1 - value;
      effects.groups.push_back({list[k], {share(shares[k].alone), share(total)}});
      // Some of many groups are next to 0: what noise puts below it is not counted.
      const double least = list.size() == 2 ? -kInfinity : 0.0;
      for (std::size_t g = 0; g <= kAll; ++g) together[g] -= std::max(shares[k].alone[g], least);
    }
    effects.together = share(together);
    if (list.size() > 2) set_leaders(effects);
    effects.surplus = difference(shares[effects.leader].alone, shares[effects.second].alone);
    return effects;
  }

 private:
  /// A value from the emulator of all trials (last), and from each that lacks a group.
  using Replicates = std::array<double, GraspEmulator::kGroups + 1>;

  /// A group's shares: of it alone, and of all others.
  struct GroupReplicates {
    Replicates alone;
    Replicates others;
  };

  /// A quantity of all trials' emulator by all points, and what the lack of a group changes by the
  /// coarser design.
  template <typename Results, typename Result, typename Get>
  static Replicates replicates(const Result& all, const Results& coarse, const Get& get) {
    Replicates values{};
    values[kAll] = get(all);
    for (std::size_t g = 0; g < kGroups; ++g) {
      values[g] = values[kAll] + get(coarse[g]) - get(coarse[kAll]);
    }
    return values;
  }

  [[nodiscard]] GroupReplicates group_replicates(InputGroup group,
                                                 const Replicates& variances) const {
    const std::vector<bool> members = group_members(group);
    std::vector<GroupShares> coarse;
    for (std::size_t g = 0; g <= kAll; ++g) {
      check_stop();
      coarse.push_back(group_shares(design_, members, kReplicateGroupPoints, function(g)));
    }
    const GroupShares all = group_shares(design_, members, kGroupPoints, function(kAll));
    const double plain = indices_.variance;
    const Replicates alone = replicates(
        all, coarse, [&](const GroupShares& shares) { return shares.first_alone * plain; });
    const Replicates others = replicates(
        all, coarse, [&](const GroupShares& shares) { return shares.second_alone * plain; });
    return {closed_shares(alone, members, variances),
            closed_shares(others, complement(members), variances)};
  }

  [[nodiscard]] Estimate difference(const Replicates& a, const Replicates& b) const {
    Replicates surplus{};
    for (std::size_t g = 0; g <= kAll; ++g) surplus[g] = a[g] - b[g];
    return {surplus[kAll],
            jackknife_interval(surplus[kAll], std::span(surplus).first(kGroups), confidence_)};
  }

  [[nodiscard]] InputFunction function(std::size_t without) const {
    return [this, without, inputs = TrialInputs{}](std::span<const double> values) mutable {
      inputs_.set_inputs(values, inputs);
      return emulator_.succeeds(inputs.parameters, inputs.uncertain, without) ? 1.0 : 0.0;
    };
  }

  [[nodiscard]] SensitivityState state() const {
    if (successes_ + failures_ == 0) return SensitivityState::kNoTrials;
    if (successes_ == 0 || failures_ == 0) return SensitivityState::kNoVariance;
    const bool is_reliable = indices_.variance > 0 && predictivity() >= kLeastPredictivity &&
                             std::min(successes_, failures_) >= kLeastOfEither;
    return is_reliable ? SensitivityState::kKnown : SensitivityState::kUnreliable;
  }

  [[nodiscard]] double predictivity() const {
    const double sum = successes_ + failures_;
    double wrong = 0;
    for (const WeighedCheck& check : wrong_) wrong += check.weight;
    const double variance = successes_ / sum * (failures_ / sum);
    return variance > 0 ? 1 - wrong / sum / variance : kNaN;
  }

  [[nodiscard]] std::vector<bool> group_members(InputGroup group) const {
    std::vector<bool> members;
    for (const RandomInput& input : inputs_.varying()) members.push_back(input.group == group);
    return members;
  }

  /// E[f|the inputs that are kept have these values].
  [[nodiscard]] double conditional_mean(const std::vector<double>& values,
                                        const std::vector<bool>& kept) const {
    const InputFunction f = function(kAll);
    const std::size_t points = std::min(kMeanPoints, design_.base.size());
    double sum = 0;
    for (std::size_t a = 0; a < points; ++a) {
      std::vector<double> point = design_.base[a];
      for (std::size_t k = 0; k < point.size(); ++k) {
        if (kept[k]) point[k] = values[k];
      }
      sum += f(point);
    }
    return sum / static_cast<double>(points);
  }

  /// What each wrongly foretold trial adds to Var(E[f|inputs that are kept]).
  [[nodiscard]] std::vector<double> influence(const std::vector<bool>& kept) const {
    std::vector<double> influence;
    for (const WeighedCheck& check : wrong_) {
      const double residual = check.success ? 1.0 : -1.0;
      const double above = conditional_mean(check.values, kept) - indices_.mean;
      influence.push_back(2 * above * residual);
    }
    return influence;
  }

  /// Adds the weighted mean of the trials' influence, without the group that a replicate lacks.
  [[nodiscard]] Replicates corrected(Replicates plain, const std::vector<double>& influence) const {
    Replicates sums{};
    for (std::size_t k = 0; k < wrong_.size(); ++k) {
      for (std::size_t g = 0; g <= kAll; ++g) {
        if (wrong_[k].group != g) sums[g] += wrong_[k].weight * influence[k];
      }
    }
    for (std::size_t g = 0; g <= kAll; ++g) {
      const double lacking = g < kGroups ? group_weights_[g] : 0.0;
      plain[g] += sums[g] / (successes_ + failures_ - lacking);
    }
    return plain;
  }

  /// p (1 - p).
  [[nodiscard]] Replicates variances() const {
    const Replicates means =
        replicates(indices_, coarse_indices_, [](const SobolIndices& s) { return s.mean; });
    std::vector<double> residuals;
    for (const WeighedCheck& check : wrong_) residuals.push_back(check.success ? 1.0 : -1.0);
    Replicates variances = corrected(means, residuals);
    for (double& p : variances) p *= 1 - p;
    return variances;
  }

  /// Var(E[f|inputs that are kept]) as shares of the variance; NaN where that is not positive.
  [[nodiscard]] Replicates closed_shares(const Replicates& plain, const std::vector<bool>& kept,
                                         const Replicates& variances) const {
    Replicates shares = corrected(plain, influence(kept));
    for (std::size_t g = 0; g <= kAll; ++g) {
      shares[g] = variances[g] > 0 ? shares[g] / variances[g] : kNaN;
    }
    return shares;
  }

  /// Shares of a variance lie between 0 and 1.
  [[nodiscard]] Estimate share(const Replicates& values) const {
    const Interval i =
        jackknife_interval(values[kAll], std::span(values).first(kGroups), confidence_);
    return {std::clamp(values[kAll], 0.0, 1.0),
            {std::clamp(i.low, 0.0, 1.0), std::clamp(i.high, 0.0, 1.0)}};
  }

  const GraspEmulator& emulator_;
  const RandomInputs& inputs_;
  const SobolDesign& design_;
  double confidence_;
  double successes_ = 0.0;  ///< weights of the trials that succeed
  double failures_ = 0.0;   ///< and of those that do not
  std::array<double, GraspEmulator::kGroups> group_weights_{};
  std::vector<WeighedCheck> wrong_;           ///< the trials that are foretold wrongly
  SobolIndices indices_;                      ///< of the emulator of all trials
  std::vector<SobolIndices> coarse_indices_;  ///< of each emulator, with fewer points
};

}  // namespace

const char* name(SensitivityState state) {
  static constexpr std::array<const char*, kSensitivityStates> kNames = {
      "known", "no_variance", "unreliable", "no_trials", "correlated"};
  return kNames[static_cast<std::size_t>(state)];
}

EstimatedEffects estimate_effects(const GraspEmulator& emulator, const RandomInputs& inputs,
                                  const SobolDesign& design, std::vector<WeighedCheck> checks,
                                  double confidence, bool with_groups) {
  const EffectEstimator estimator(emulator, inputs, design, std::move(checks), confidence);
  EstimatedEffects result{estimator.effects(), {}};
  const bool is_known = result.effects.state == SensitivityState::kKnown;
  if (with_groups && is_known && inputs.groups().size() > 1) result.groups = estimator.groups();
  return result;
}

Interval jackknife_interval(double estimate, std::span<const double> left_out, double confidence) {
  std::vector<double> values;
  for (const double value : left_out) {
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.size() < 2) return {-kInfinity, kInfinity};
  const auto groups = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / groups;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const boost::math::students_t_distribution<double> student(groups - 1);
  const double t = boost::math::quantile(student, (1 + confidence) / 2);
  const double half = t * std::sqrt((groups - 1) / groups * squares);
  return {estimate - half, estimate + half};
}

}  // namespace graspmap
