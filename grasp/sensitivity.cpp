#include "grasp/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "grasp/statistics/jackknife.hpp"
#include "grasp/statistics/sobol_indices.hpp"
#include "grasp/success_emulator.hpp"

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Points and levels of the designs (statistics/sobol_indices.hpp).
struct DesignSize {
  std::size_t points;
  std::size_t levels;
};
constexpr DesignSize kWholeDesign{2048, 64};
constexpr DesignSize kCellDesign{512, 16};
constexpr std::size_t kGroupPoints = 400;

/// Failed trials are left out, or learnt as one or the other.
enum class FailedAre { kLeftOut, kNoSuccess, kSuccess };

std::vector<EmulatorTrial> labelled(const std::vector<TrialSample>& samples, FailedAre failed) {
  std::vector<EmulatorTrial> trials;
  for (const TrialSample& sample : samples) {
    const bool has_failed = sample.outcome == Outcome::kFailed;
    if (has_failed && failed == FailedAre::kLeftOut) continue;
    const bool success =
        has_failed ? failed == FailedAre::kSuccess : sample.outcome == Outcome::kSuccess;
    trials.push_back({sample.parameters, success});
  }
  return trials;
}

/// Values of one quantity: from all trials, and without each group of them.
struct Replicates {
  double value = kNaN;
  std::vector<double> without;
};

/// Shares of a variance lie between 0 and 1.
Estimate share(const Replicates& r, double confidence) {
  const Interval i = jackknife_interval(r.value, r.without, confidence);
  return {std::clamp(r.value, 0.0, 1.0),
          {std::clamp(i.low, 0.0, 1.0), std::clamp(i.high, 0.0, 1.0)}};
}

/// The same quantity from each replicate's result.
template <typename Result, typename Get>
Replicates collect(const std::vector<Result>& results, const Get& get) {
  Replicates r;
  r.value = get(results[SuccessEmulator::kAll]);
  for (std::size_t g = 0; g < SuccessEmulator::kGroups; ++g) r.without.push_back(get(results[g]));
  return r;
}

/// A trial's weight when it is asked how well a part of the placements is foretold.
using CheckWeight = std::function<double(const SuccessEmulator::Check&)>;

/// How well trials are foretold.
struct Foretold {
  double predictivity = kNaN;  ///< 1 - E[(Y - foretold)^2] / Var(Y); NaN without variance
  double rarer = 0.0;          ///< trials of the outcome that is rarer, weighted
};

Foretold foretold(const std::vector<SuccessEmulator::Check>& checks, const CheckWeight& weight) {
  double sum = 0;
  double successes = 0;
  double wrong = 0;
  for (const SuccessEmulator::Check& check : checks) {
    const double w = weight(check);
    sum += w;
    successes += check.success ? w : 0;
    wrong += check.success != check.foretold ? w : 0;
  }
  const double p = successes / sum;
  const double predictivity = p > 0 && p < 1 ? 1 - wrong / sum / (p * (1 - p)) : kNaN;
  return {predictivity, std::min(successes, sum - successes)};
}

/// What can be told where the emulator's function has this variance.
SensitivityState state(double variance, const Foretold& known) {
  if (std::isnan(known.predictivity)) return SensitivityState::kNoVariance;
  const bool is_reliable =
      variance > 0 && known.predictivity >= kLeastPredictivity && known.rarer >= kLeastOfEither;
  return is_reliable ? SensitivityState::kKnown : SensitivityState::kUnreliable;
}

/// Asks an emulator about parts of the placements.
class Analyst {
 public:
  Analyst(const SuccessEmulator& emulator, double confidence)
      : emulator_(emulator), confidence_(confidence) {}

  [[nodiscard]] Effects effects(const RandomInputs& inputs, const SobolDesign& design,
                                const Foretold& known) const {
    std::vector<SobolIndices> results;
    for (std::size_t g = 0; g <= SuccessEmulator::kGroups; ++g) {
      results.push_back(sobol_indices(design, function(inputs, g)));
    }
    const SobolIndices& all = results[SuccessEmulator::kAll];
    Effects effects;
    effects.success_probability = all.mean;
    effects.predictivity = known.predictivity;
    effects.state = state(all.variance, known);
    if (effects.state != SensitivityState::kKnown) return effects;
    for (std::size_t k = 0; k < inputs.varying().size(); ++k) {
      const auto first = [k](const SobolIndices& s) { return s.first[k]; };
      const auto total = [k](const SobolIndices& s) { return s.total[k]; };
      effects.inputs.push_back({share(collect(results, first), confidence_),
                                share(collect(results, total), confidence_)});
    }
    return effects;
  }

  [[nodiscard]] GroupEffects groups(const RandomInputs& inputs, const SobolDesign& design) const {
    std::vector<bool> is_position;
    for (const RandomInput& input : inputs.varying()) {
      is_position.push_back(input.group == InputGroup::kPosition);
    }
    std::vector<GroupShares> results;
    for (std::size_t g = 0; g <= SuccessEmulator::kGroups; ++g) {
      results.push_back(group_shares(design, is_position, kGroupPoints, function(inputs, g)));
    }
    const auto surplus =
        collect(results, [](const GroupShares& s) { return s.first_alone - s.second_alone; });
    return {
        share(collect(results, [](const GroupShares& s) { return s.first_alone; }), confidence_),
        share(collect(results, [](const GroupShares& s) { return s.second_alone; }), confidence_),
        share(collect(results, [](const GroupShares& s) { return s.together; }), confidence_),
        {surplus.value, jackknife_interval(surplus.value, surplus.without, confidence_)}};
  }

 private:
  [[nodiscard]] InputFunction function(const RandomInputs& inputs, std::size_t without) const {
    return [this, &inputs, without](std::span<const double> values) {
      return emulator_.succeeds(inputs.parameters(values), without) ? 1.0 : 0.0;
    };
  }

  const SuccessEmulator& emulator_;
  double confidence_;
};

SobolDesign design_for(const RandomInputs& inputs, const DesignSize& size) {
  return sobol_design(inputs.varying().size(), size.points, size.levels,
                      [&](std::size_t k, double u) { return inputs.value(k, u); });
}

bool has_both_groups(const RandomInputs& inputs) {
  const auto is_position = [](const RandomInput& i) { return i.group == InputGroup::kPosition; };
  const auto& list = inputs.varying();
  const auto positions = std::count_if(list.begin(), list.end(), is_position);
  return positions > 0 && positions < std::ssize(list);
}

double density(double distance, double sigma) {
  return sigma > 0 ? std::exp(-distance * distance / (2 * sigma * sigma)) : 1.0;
}

/// How much a trial counts for placements around an aim: an error smaller than half a cell is taken
/// as that, for there are trials then.
CheckWeight weight_around(const PlacementSweep& grid, const AimedPlacement& aim) {
  const double sx = std::max(aim.sigma_x_mm, grid.x.cell_size_mm() / 2);
  const double sy = std::max(aim.sigma_y_mm, grid.y.cell_size_mm() / 2);
  const double st = std::max(aim.sigma_theta_rad, grid.theta.cell_size_rad() / 2);
  return [aim, sx, sy, st](const SuccessEmulator::Check& check) {
    const double of_angle = aim.theta_rad ? density(check.theta_rad - *aim.theta_rad, st) : 1.0;
    return density(check.x_mm - aim.x_mm, sx) * density(check.y_mm - aim.y_mm, sy) * of_angle;
  };
}

RandomInputs whole_inputs(const SweepConfig& config, const std::optional<AimedPlacement>& aim) {
  return aim ? RandomInputs::of_aim(config, *aim) : RandomInputs::of_map(config);
}

Effects whole_effects(const SweepConfig& config, const SuccessEmulator& emulator,
                      const Analyst& analyst, const std::optional<AimedPlacement>& aim,
                      const RandomInputs& inputs, const SobolDesign& design) {
  const CheckWeight weight = aim ? weight_around(config.placement, *aim)
                                 : [](const SuccessEmulator::Check&) { return 1.0; };
  return analyst.effects(inputs, design, foretold(emulator.checks(), weight));
}

/// The checks of each cell.
std::vector<std::vector<SuccessEmulator::Check>> by_cell(const SuccessEmulator& emulator,
                                                         std::size_t cells) {
  std::vector<std::vector<SuccessEmulator::Check>> lists(cells);
  for (const SuccessEmulator::Check& check : emulator.checks()) lists[check.cell].push_back(check);
  return lists;
}

std::vector<Effects> cell_effects(const SweepConfig& config, const SuccessEmulator& emulator,
                                  const Analyst& analyst) {
  std::vector<Effects> cells;
  for (const auto& checks : by_cell(emulator, static_cast<std::size_t>(config.placement.cells()))) {
    const Foretold known = foretold(checks, [](const SuccessEmulator::Check&) { return 1.0; });
    Effects effects;
    effects.success_probability = effects.predictivity = kNaN;
    if (!checks.empty() && std::isnan(known.predictivity)) {
      effects.state = SensitivityState::kNoVariance;
      effects.success_probability = checks.front().success ? 1.0 : 0.0;
    } else if (!checks.empty()) {
      const RandomInputs inputs = RandomInputs::of_cell(config, cells.size());
      effects = analyst.effects(inputs, design_for(inputs, kCellDesign), known);
    }
    cells.push_back(std::move(effects));
  }
  return cells;
}

double share_foretold(const SuccessEmulator& emulator) {
  const auto& checks = emulator.checks();
  const auto right = std::count_if(checks.begin(), checks.end(), [](const auto& check) {
    return check.success == check.foretold;
  });
  return static_cast<double>(right) / static_cast<double>(checks.size());
}

/// The share of a normal distribution that lies between two bounds.
double share_inside(double min, double max, double mean, double sigma) {
  if (sigma == 0) return 1.0;
  const auto below = [&](double bound) {
    return 0.5 * std::erfc((mean - bound) / sigma / std::numbers::sqrt2);
  };
  return below(max) - below(min);
}

/// The share of the placements around an aim that lie outside of the map.
double left_out(const PlacementSweep& grid, const AimedPlacement& aim) {
  const double angle = aim.theta_rad ? share_inside(grid.theta.min_rad, grid.theta.max_rad,
                                                    *aim.theta_rad, aim.sigma_theta_rad)
                                     : 1.0;
  return 1 - angle * share_inside(grid.x.min_mm, grid.x.max_mm, aim.x_mm, aim.sigma_x_mm) *
                 share_inside(grid.y.min_mm, grid.y.max_mm, aim.y_mm, aim.sigma_y_mm);
}

/// All effects as one way of counting the failed trials gives them.
Sensitivity analyse(const SweepConfig& config, const std::vector<TrialSample>& samples,
                    const std::optional<AimedPlacement>& aim, double confidence, FailedAre failed) {
  const SuccessEmulator emulator(config.placement, labelled(samples, failed));
  const Analyst analyst(emulator, confidence);
  Sensitivity result{whole_inputs(config, aim),
                     aim,
                     0.0,
                     {},
                     {},
                     SuccessMap(config.placement),
                     RandomInputs::of_cell(config, 0),
                     {},
                     0,
                     0,
                     share_foretold(emulator)};
  const SobolDesign design = design_for(result.inputs, kWholeDesign);
  result.whole = whole_effects(config, emulator, analyst, aim, result.inputs, design);
  if (result.whole.state == SensitivityState::kKnown && has_both_groups(result.inputs)) {
    result.groups = analyst.groups(result.inputs, design);
  }
  result.cells = cell_effects(config, emulator, analyst);
  return result;
}

void widen(Estimate& estimate, const Estimate& other) {
  estimate.interval.low = std::min(estimate.interval.low, other.interval.low);
  estimate.interval.high = std::max(estimate.interval.high, other.interval.high);
}

/// Where another way of counting knows nothing, everything is possible.
void widen(Effects& effects, const Effects& other) {
  for (std::size_t k = 0; k < effects.inputs.size(); ++k) {
    const InputEffect unknown{};
    const InputEffect& more = k < other.inputs.size() ? other.inputs[k] : unknown;
    widen(effects.inputs[k].first, more.first);
    widen(effects.inputs[k].total, more.total);
  }
}

void widen(Sensitivity& result, const Sensitivity& other) {
  widen(result.whole, other.whole);
  for (std::size_t k = 0; k < result.cells.size(); ++k) widen(result.cells[k], other.cells[k]);
  if (!result.groups || !other.groups) return;
  widen(result.groups->position, other.groups->position);
  widen(result.groups->friction, other.groups->friction);
  widen(result.groups->together, other.groups->together);
  widen(result.groups->position_surplus, other.groups->position_surplus);
}

}  // namespace

const char* name(SensitivityState state) {
  switch (state) {
    case SensitivityState::kKnown:
      return "known";
    case SensitivityState::kNoVariance:
      return "no_variance";
    case SensitivityState::kUnreliable:
      return "unreliable";
    case SensitivityState::kNoTrials:
      return "no_trials";
  }
  throw std::logic_error("a state that there is not");
}

Sensitivity analyse_sensitivity(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                const std::optional<AimedPlacement>& aim, double confidence) {
  SuccessMap map(config.placement);
  for (const TrialSample& sample : samples) {
    ++map.cells[sample.cell].by_outcome[static_cast<std::size_t>(sample.outcome)];
  }
  const CellCounts total = map.total();
  if (total.valid_trials() == 0) throw std::logic_error("sensitivity without trials");
  Sensitivity result = analyse(config, samples, aim, confidence, FailedAre::kLeftOut);
  if (total.count(Outcome::kFailed) > 0) {
    for (const FailedAre failed : {FailedAre::kNoSuccess, FailedAre::kSuccess}) {
      widen(result, analyse(config, samples, aim, confidence, failed));
    }
  }
  result.map = map;
  result.trials = total.trials();
  result.failed = total.count(Outcome::kFailed);
  if (aim) result.left_out = left_out(config.placement, *aim);
  return result;
}

}  // namespace graspmap
