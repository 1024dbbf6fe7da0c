#include "grasp/decide/sensitivity/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "grasp/base/process/stop.hpp"
#include "grasp/decide/sensitivity/grasp_emulator.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"

namespace graspmap {
namespace {

/// Points and levels of the designs (effect_estimator.hpp).
struct DesignSize {
  std::size_t points;
  std::size_t levels;
};
constexpr DesignSize kWholeDesign{2048, 64};
constexpr DesignSize kCellDesign{512, 16};

/// Failed trials are left out, or learnt as one or the other.
enum class FailedAre { kLeftOut, kNoSuccess, kSuccess };

/// The trials as one way of counting the failed ones has them: none has failed any more.
std::vector<TrialSample> decided(const std::vector<TrialSample>& samples, FailedAre failed) {
  std::vector<TrialSample> trials;
  for (TrialSample sample : samples) {
    if (sample.outcome == Outcome::kFailed) {
      if (failed == FailedAre::kLeftOut) continue;
      sample.outcome = failed == FailedAre::kSuccess ? Outcome::kSuccess : Outcome::kWedged;
    }
    trials.push_back(sample);
  }
  return trials;
}

bool succeeds(const TrialSample& sample) { return sample.outcome == Outcome::kSuccess; }

/// How much a trial counts for a part of the placements.
using TrialWeight = std::function<double(const TrialSample&)>;

/// Relative to the largest.
double density(double distance, const Distribution& error) {
  if (error.is<Uniform>()) return std::abs(distance) <= error.width() ? 1.0 : 0.0;
  const double sigma = std::sqrt(error.variance());
  return sigma > 0 ? std::exp(-distance * distance / (2 * sigma * sigma)) : 1.0;
}

/// The error that placements around an aim are judged with. One smaller than half a cell is taken
/// as that, for there are trials then.
std::array<Distribution, 3> judged_error(const PlacementSweep& grid, const AimedPlacement& aim) {
  std::array<Distribution, 3> judged = aim.error;
  for (std::size_t k = 0; k < (aim.theta_rad ? 3U : 2U); ++k) {
    const double least = grid.axes()[k].cell_size() / 2;
    if (judged[k].is<Uniform>()) {
      if (judged[k].width() < least) judged[k] = Uniform{-least, least};
    } else if (aim.sigma(k) < least) {
      judged[k] = Normal{0.0, least};
    }
  }
  return judged;
}

TrialWeight weight_of(const PlacementSweep& grid, const std::optional<AimedPlacement>& aim) {
  if (!aim) return [](const TrialSample&) { return 1.0; };
  return [aim = *aim, error = judged_error(grid, *aim)](const TrialSample& sample) {
    const IntendedPlacement& at = sample.intended;
    const double of_angle = aim.theta_rad ? density(at.theta_rad - *aim.theta_rad, error[2]) : 1.0;
    return density(at.x_mm - aim.x_mm, error[0]) * density(at.y_mm - aim.y_mm, error[1]) * of_angle;
  };
}

/// Estimates effects from trials that are decided.
class Analysis {
 public:
  Analysis(const SweepConfig& config, const std::vector<TrialSample>& samples, double confidence)
      : config_(config),
        samples_(samples),
        confidence_(confidence),
        emulator_(config.placement, samples) {}

  /// Effects on all placements, or around an aim.
  void add_whole(Sensitivity& result) const {
    const TrialWeight weight = weight_of(config_.placement, result.aim);
    const SobolDesign design = design_for(result.inputs, kWholeDesign);
    std::vector<WeighedCheck> checks;
    for (const GraspEmulator::Check& check : emulator_.checks()) {
      checks.push_back(weighed(check, weight(samples_[check.trial]), result.inputs));
    }
    EstimatedEffects found =
        estimate_effects(emulator_, result.inputs, design, std::move(checks), confidence_, true);
    result.whole = std::move(found.effects);
    result.groups = std::move(found.groups);
  }

  [[nodiscard]] std::vector<Effects> cells() const {
    std::vector<std::vector<GraspEmulator::Check>> checks(
        static_cast<std::size_t>(config_.placement.cell_count()));
    for (const GraspEmulator::Check& check : emulator_.checks()) {
      checks[samples_[check.trial].cell].push_back(check);
    }
    std::vector<Effects> cells;
    for (const auto& list : checks) {
      check_stop();
      cells.push_back(cell(cells.size(), list));
    }
    return cells;
  }

  [[nodiscard]] double share_foretold() const {
    const auto& checks = emulator_.checks();
    const auto right = std::count_if(checks.begin(), checks.end(), [&](const auto& check) {
      return succeeds(samples_[check.trial]) == check.foretold;
    });
    return static_cast<double>(right) / static_cast<double>(checks.size());
  }

 private:
  [[nodiscard]] WeighedCheck weighed(const GraspEmulator::Check& check, double weight,
                                     const RandomInputs& inputs) const {
    const TrialSample& sample = samples_[check.trial];
    const bool is_wrong = succeeds(sample) != check.foretold;
    return {weight, check.group, succeeds(sample), check.foretold,
            is_wrong ? inputs.values_of(sample) : std::vector<double>{}};
  }

  /// Most cells need no estimate: all their trials end alike.
  [[nodiscard]] Effects cell(std::size_t place,
                             const std::vector<GraspEmulator::Check>& list) const {
    const auto successes = std::count_if(list.begin(), list.end(), [&](const auto& check) {
      return succeeds(samples_[check.trial]);
    });
    Effects effects;
    if (list.empty()) return effects;
    if (successes == 0 || successes == std::ssize(list)) {
      effects.state = SensitivityState::kNoVariance;
      effects.success_probability = successes == 0 ? 0.0 : 1.0;
      return effects;
    }
    const RandomInputs inputs = RandomInputs::of_cell(config_, place);
    const SobolDesign design = design_for(inputs, kCellDesign);
    std::vector<WeighedCheck> checks;
    for (const auto& check : list) checks.push_back(weighed(check, 1.0, inputs));
    return estimate_effects(emulator_, inputs, design, std::move(checks), confidence_, false)
        .effects;
  }

  static SobolDesign design_for(const RandomInputs& inputs, const DesignSize& size) {
    return sobol_design(inputs.varying().size(), size.points, size.levels,
                        [&](std::size_t k, double u) { return inputs.value(k, u); });
  }

  const SweepConfig& config_;
  const std::vector<TrialSample>& samples_;
  double confidence_;
  GraspEmulator emulator_;
};

/// The share of the places around one that lie on an axis.
double share_inside(const Axis& axis, double at, const Distribution& error) {
  return error.is_fixed() ? 1.0 : error.cumulative(axis.max - at) - error.cumulative(axis.min - at);
}

/// The share of the placements around an aim that lie outside of the map.
double left_out(const PlacementSweep& grid, const AimedPlacement& aim) {
  const double angle =
      aim.theta_rad ? share_inside(grid.theta_rad, *aim.theta_rad, aim.error[2]) : 1.0;
  return 1 - angle * share_inside(grid.x_mm, aim.x_mm, aim.error[0]) *
                 share_inside(grid.y_mm, aim.y_mm, aim.error[1]);
}

Sensitivity empty_result(const SweepConfig& config, const std::optional<AimedPlacement>& aim) {
  Sensitivity result{aim ? RandomInputs::of_aim(config, *aim) : RandomInputs::of_map(config),
                     RandomInputs::of_cell(config, 0)};
  result.aim = aim;
  return result;
}

/// All effects as one way of counting the failed trials gives them.
Sensitivity analyse(const SweepConfig& config, const std::vector<TrialSample>& samples,
                    const std::optional<AimedPlacement>& aim, double confidence, FailedAre failed) {
  const std::vector<TrialSample> trials = decided(samples, failed);
  const Analysis analysis(config, trials, confidence);
  Sensitivity result = empty_result(config, aim);
  analysis.add_whole(result);
  result.cells = analysis.cells();
  result.foretold = analysis.share_foretold();
  return result;
}

/// What can be said where inputs are correlated: a share of the variance belongs to one input only
/// when the inputs are independent.
Sensitivity without_shares(const SweepConfig& config, const std::vector<TrialSample>& samples,
                           const std::optional<AimedPlacement>& aim) {
  Sensitivity result = empty_result(config, aim);
  result.correlated = config.correlated.front().keys;
  result.foretold = std::numeric_limits<double>::quiet_NaN();
  result.whole.state = SensitivityState::kCorrelated;
  const TrialWeight weight = weight_of(config.placement, aim);
  double sum = 0.0;
  double successes = 0.0;
  for (const TrialSample& sample : decided(samples, FailedAre::kLeftOut)) {
    sum += weight(sample);
    successes += succeeds(sample) ? weight(sample) : 0.0;
  }
  result.whole.success_probability = successes / sum;
  Effects cell;
  cell.state = SensitivityState::kCorrelated;
  result.cells.assign(static_cast<std::size_t>(config.placement.cell_count()), cell);
  return result;
}

/// How many trials say something of the placements, Kish's number.
double effective_trials(const PlacementSweep& grid, const std::vector<TrialSample>& samples,
                        const std::optional<AimedPlacement>& aim) {
  const TrialWeight weight = weight_of(grid, aim);
  std::vector<double> weights;
  for (const TrialSample& sample : decided(samples, FailedAre::kLeftOut)) {
    weights.push_back(weight(sample));
  }
  return effective_sample_size(weights);
}

void widen(Estimate& estimate, const Estimate& other) {
  estimate.interval.low = std::min(estimate.interval.low, other.interval.low);
  estimate.interval.high = std::max(estimate.interval.high, other.interval.high);
}

void widen(InputEffect& effect, const InputEffect& other) {
  widen(effect.first, other.first);
  widen(effect.total, other.total);
}

/// Where another way of counting knows nothing, everything is possible.
void widen(Effects& effects, const Effects& other) {
  for (std::size_t k = 0; k < effects.inputs.size(); ++k) {
    widen(effects.inputs[k], k < other.inputs.size() ? other.inputs[k] : InputEffect{});
  }
}

void widen(Sensitivity& result, const Sensitivity& other) {
  widen(result.whole, other.whole);
  for (std::size_t k = 0; k < result.cells.size(); ++k) widen(result.cells[k], other.cells[k]);
  if (!result.groups || !other.groups) return;
  for (std::size_t k = 0; k < result.groups->groups.size(); ++k) {
    widen(result.groups->groups[k].effect, other.groups->groups[k].effect);
  }
  widen(result.groups->together, other.groups->together);
  widen(result.groups->surplus, other.groups->surplus);
  const bool same = result.groups->leader == other.groups->leader &&
                    result.groups->second == other.groups->second;
  if (!same) widen(result.groups->surplus, {0.0, {0.0, 0.0}});
}

Sensitivity analyse_map(const SweepConfig& config, const std::vector<TrialSample>& samples,
                        const std::optional<AimedPlacement>& aim, double confidence) {
  SuccessMap map(config.placement);
  for (const TrialSample& sample : samples) {
    ++map.cells[sample.cell].by_outcome[static_cast<std::size_t>(sample.outcome)];
  }
  const CellCounts total = map.total();
  if (total.valid_trials() == 0) throw std::logic_error("sensitivity without trials");
  const bool are_correlated = !config.correlated.empty();
  Sensitivity result = are_correlated
                           ? without_shares(config, samples, aim)
                           : analyse(config, samples, aim, confidence, FailedAre::kLeftOut);
  if (!are_correlated && total.count(Outcome::kFailed) > 0) {
    for (const FailedAre failed : {FailedAre::kNoSuccess, FailedAre::kSuccess}) {
      widen(result, analyse(config, samples, aim, confidence, failed));
    }
  }
  result.map = map;
  result.trials = total.trials();
  result.failed = total.count(Outcome::kFailed);
  result.effective_trials = effective_trials(config.placement, samples, aim);
  if (!aim) return result;
  result.left_out = left_out(config.placement, *aim);
  const std::array<Distribution, 3> judged = judged_error(config.placement, *aim);
  if (judged != aim->error) result.judged_error = judged;
  return result;
}

/// A configuration over a whole turn, and its trials, whose angles begin so many cells later.
struct TurnedRun {
  SweepConfig config;
  std::vector<TrialSample> samples;
};

TurnedRun turned_by(int cells, const SweepConfig& config, const std::vector<TrialSample>& samples) {
  TurnedRun turned{config, samples};
  Axis& theta = turned.config.placement.theta_rad;
  theta.min += cells * config.placement.theta_rad.cell_size();
  theta.max = theta.min + theta.period;
  const double middle = (theta.min + theta.max) / 2;
  const auto all = static_cast<std::size_t>(config.placement.cell_count());
  const std::size_t first =
      all / static_cast<std::size_t>(theta.cells) * static_cast<std::size_t>(cells);
  for (TrialSample& sample : turned.samples) {
    const double turns =
        theta.seen_from(middle, sample.intended.theta_rad) - sample.intended.theta_rad;
    sample.intended.theta_rad += turns;
    sample.parameters.theta_rad += turns;
    sample.cell = (sample.cell + all - first) % all;
  }
  return turned;
}

}  // namespace

Sensitivity analyse_sensitivity(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                const std::optional<AimedPlacement>& aim, double confidence) {
  const Axis& theta = config.placement.theta_rad;
  if (!aim || !aim->theta_rad || !(theta.period > 0)) {
    return analyse_map(config, samples, aim, confidence);
  }
  // The ends of a whole turn are one place: they are put where the aim is farthest from them.
  const int cells = (theta.nearest_cell(*aim->theta_rad) + (theta.cells + 1) / 2) % theta.cells;
  const TurnedRun turned = turned_by(cells, config, samples);
  const Axis& seen = turned.config.placement.theta_rad;
  AimedPlacement placed = *aim;
  placed.theta_rad = seen.seen_from((seen.min + seen.max) / 2, *aim->theta_rad);
  Sensitivity result = analyse_map(turned.config, turned.samples, placed, confidence);
  const auto turn_back = [&](auto& of_cells) {
    const std::size_t in_slice = of_cells.size() / static_cast<std::size_t>(theta.cells);
    const auto before = static_cast<std::size_t>(theta.cells - cells) * in_slice;
    std::rotate(of_cells.begin(), of_cells.begin() + static_cast<std::ptrdiff_t>(before),
                of_cells.end());
  };
  turn_back(result.map.cells);
  turn_back(result.cells);
  result.map.theta_rad = theta;
  result.aim = aim;
  return result;
}

}  // namespace graspmap
