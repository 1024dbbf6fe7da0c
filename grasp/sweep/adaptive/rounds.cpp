#include "grasp/sweep/adaptive/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/assert.hpp"
#include "grasp/sweep/adaptive/aim_weights.hpp"
#include "grasp/sweep/adaptive/cell_beliefs.hpp"

namespace graspmap {
namespace {

bool is_reached(const AdaptiveSampling& adaptive, const AdaptiveDecision& decision) {
  const bool sweet_spot_known = decision.sweet_spot_known;
  const bool edge_narrow = decision.wide_cells == 0;
  switch (adaptive.goal) {
    case AdaptiveGoal::kSweetSpot:
      return sweet_spot_known;
    case AdaptiveGoal::kIntervalWidth:
      return edge_narrow;
    case AdaptiveGoal::kEither:
      return sweet_spot_known || edge_narrow;
    case AdaptiveGoal::kBoth:
      return sweet_spot_known && edge_narrow;
    case AdaptiveGoal::kMap:
    case AdaptiveGoal::kPlan:
      return adaptive.standard_error && decision.standard_error <= *adaptive.standard_error;
  }
  return false;
}

double interval_width(const CellCounts& cell) {
  const Interval interval = cell.success_interval();
  return interval.high - interval.low;
}

/// The cells with a positive score that can have more trials, the highest score first.
std::vector<std::size_t> by_score(const SweepConfig& config, const SuccessMap& map,
                                  const std::vector<double>& score) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < score.size(); ++cell) {
    if (score[cell] > 0 && map.cells[cell].trials() < config.trials_per_cell) cells.push_back(cell);
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  return cells;
}

/// The width of the interval of each cell on the edge that is too wide; 0 for all others. Counts
/// the cells.
std::vector<double> edge_widths(const SweepConfig& config, const SuccessMap& map,
                                const std::vector<CellBelief>& beliefs,
                                AdaptiveDecision& decision) {
  const AdaptiveSampling& adaptive = *config.adaptive;
  std::vector<double> widths(map.cells.size(), 0.0);
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    const double inside = belief_at_least(beliefs[cell], config.plateau_probability);
    if (inside >= adaptive.confidence || 1 - inside >= adaptive.confidence) continue;
    ++decision.edge_cells;
    const double width = interval_width(map.cells[cell]);
    if (width <= adaptive.interval_width) continue;
    if (map.cells[cell].trials() >= config.trials_per_cell) continue;
    ++decision.wide_cells;
    widths[cell] = width;
  }
  return widths;
}

/// A round in the making.
class Round {
 public:
  Round(const SweepConfig& config, const SuccessMap& map)
      : config_(config), map_(map), chosen_(map.cells.size(), false) {}

  /// Adds cells in their order until they have `trials` or more.
  void add(const std::vector<std::size_t>& cells, std::int64_t trials) {
    for (const std::size_t cell : cells) {
      if (trials <= 0) return;
      if (chosen_[cell]) continue;
      chosen_[cell] = true;
      batches_.push_back({cell, batch_trials(cell)});
      trials -= batches_.back().trials;
      trials_ += batches_.back().trials;
    }
  }

  [[nodiscard]] std::int64_t trials() const { return trials_; }

  /// The batches, cut off at `most` trials.
  std::vector<CellBatch> first(std::int64_t most) && {
    std::vector<CellBatch> batches;
    for (CellBatch batch : batches_) {
      batch.trials = static_cast<int>(std::min<std::int64_t>(batch.trials, most));
      if (batch.trials == 0) break;
      most -= batch.trials;
      batches.push_back(batch);
    }
    return batches;
  }

 private:
  [[nodiscard]] int batch_trials(std::size_t cell) const {
    const int trials = static_cast<int>(map_.cells[cell].trials());
    return std::min(std::max(config_.adaptive->first_trials, (trials + 1) / 2),
                    config_.trials_per_cell - trials);
  }

  const SweepConfig& config_;
  const SuccessMap& map_;
  std::vector<bool> chosen_;
  std::vector<CellBatch> batches_;
  std::int64_t trials_ = 0;
};

Round next_round(const SweepConfig& config, const SuccessMap& map, const AdaptiveDecision& decision,
                 const std::vector<double>& widths) {
  const std::int64_t trials = config.adaptive->round_trials;
  const std::vector<std::size_t> edge = by_score(config, map, widths);
  Round round(config, map);
  if (wants_sweet_spot(config.adaptive->goal) && !decision.sweet_spot_known) {
    round.add(by_score(config, map, decision.forecast->influence),
              edge.empty() ? trials : (trials + 1) / 2);
  }
  round.add(edge, trials - round.trials());
  if (round.trials() == 0) {
    // No cell stands out: those of which least is known, a few at a time.
    std::vector<double> all(map.cells.size());
    std::transform(map.cells.begin(), map.cells.end(), all.begin(), interval_width);
    round.add(by_score(config, map, all), (trials + 3) / 4);
  }
  return round;
}

/// The round after which an allocated run has `total` trials.
std::vector<CellBatch> allocation(const SweepConfig& config, const SuccessMap& map,
                                  const std::vector<CellBelief>& beliefs, std::int64_t total) {
  const std::vector<double> weights =
      config.adaptive->goal == AdaptiveGoal::kPlan
          ? aim_weights(config.placement, config.robot.value(), beliefs)
          : map_weights(beliefs);
  const std::vector<int> trials = allocated_trials(map, weights, total, config.trials_per_cell);
  std::vector<CellBatch> batches;
  for (std::size_t cell = 0; cell < trials.size(); ++cell) {
    const int more = trials[cell] - static_cast<int>(map.cells[cell].trials());
    if (more > 0) batches.push_back({cell, more});
  }
  return batches;
}

/// The next round of an allocated run; none after the last.
std::vector<CellBatch> allocated_round(const SweepConfig& config, const SuccessMap& map,
                                       const std::vector<CellBelief>& beliefs,
                                       double standard_error) {
  const AdaptiveSampling& adaptive = *config.adaptive;
  const std::int64_t trials = map.total().trials();
  const std::int64_t pilot = std::int64_t{adaptive.first_trials} * config.placement.cell_count();
  if (!adaptive.standard_error) {
    // The second round depends on the first one only, and is the last.
    if (trials > pilot) return {};
    return allocation(config, map, beliefs, adaptive.most_trials);
  }
  // As many as independent trials would need, at most twice as many: even points need fewer. Counts
  // are powers of two, so few more trials may be none in each cell.
  const double growth =
      std::clamp(std::pow(standard_error / *adaptive.standard_error, 2), 1.2, 2.0);
  for (const double factor : {growth, 2.0}) {
    const auto total = static_cast<std::int64_t>(factor * static_cast<double>(trials));
    std::vector<CellBatch> batches =
        allocation(config, map, beliefs, std::min(total, adaptive.most_trials));
    if (!batches.empty()) return batches;
  }
  return {};
}

}  // namespace

std::vector<double> map_weights(const std::vector<CellBelief>& beliefs) {
  constexpr double kPower = 1.0 / 3.0;
  std::vector<double> weights;
  for (const CellBelief& belief : beliefs) {
    double& mean = weights.emplace_back();
    for (const auto& [weight, a, b] : belief) {
      mean += weight * std::exp(log_beta(a + kPower, b + kPower) - log_beta(a, b));
    }
  }
  return weights;
}

std::vector<int> allocated_trials(const SuccessMap& pilot, const std::vector<double>& weights,
                                  std::int64_t total, int most) {
  const auto trials_at = [&](double per_weight) {
    std::vector<int> trials;
    for (std::size_t c = 0; c < pilot.cells.size(); ++c) {
      const auto there = static_cast<double>(pilot.cells[c].trials());
      const double asked = per_weight * weights[c];
      const double rounded = asked < 1 ? 0.0 : std::exp2(std::round(std::log2(asked)));
      trials.push_back(static_cast<int>(std::min(std::max(rounded, there), double(most))));
    }
    return trials;
  };
  const auto fits = [&](double per_weight) {
    const std::vector<int> trials = trials_at(per_weight);
    return std::accumulate(trials.begin(), trials.end(), std::int64_t{0}) <= total;
  };
  // Bisection: the sum grows with per_weight; a high enough number fills all cells.
  double low = 0;
  double high = 1;
  while (fits(high) && high < 1e12) high *= 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return trials_at(low);
}

AdaptiveDecision decide(const SweepConfig& config, const SuccessMap& map) {
  GRASPMAP_CHECK(config.adaptive.has_value());
  const AdaptiveSampling& adaptive = *config.adaptive;
  const std::vector<CellBelief> beliefs = believe(map);
  AdaptiveDecision decision;
  const auto forecast = [&] {
    decision.forecast = forecast_sweet_spot(config, map, beliefs);
    decision.sweet_spot_known = decision.forecast->confidence >= adaptive.confidence;
  };
  const bool allocated = is_allocated(adaptive.goal);
  if (!allocated) forecast();
  decision.standard_error = mean_standard_error(map);
  const std::vector<double> widths = edge_widths(config, map, beliefs, decision);
  const std::int64_t trials = map.total().trials();
  if (trials == config.trials()) {
    decision.state = AdaptiveState::kAllRun;
  } else if (is_reached(adaptive, decision)) {
    decision.state = AdaptiveState::kGoalReached;
  } else if (trials >= adaptive.most_trials) {
    decision.state = AdaptiveState::kBudgetSpent;
  } else if (allocated) {
    decision.batches = allocated_round(config, map, beliefs, decision.standard_error);
    if (decision.batches.empty()) decision.state = AdaptiveState::kBudgetSpent;
  } else {
    decision.batches = next_round(config, map, decision,
                                  wants_edge(adaptive.goal) ? widths : std::vector<double>())
                           .first(adaptive.most_trials - trials);
  }
  if (allocated && decision.state != AdaptiveState::kGoesOn) forecast();
  return decision;
}

AdaptiveRounds::AdaptiveRounds(const SweepConfig& config)
    : config_(config),
      cells_(static_cast<std::size_t>(config.placement.cell_count())),
      map_(config.placement) {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    want(cell, config.adaptive->first_trials);
  }
}

bool AdaptiveRounds::is_there(std::size_t cell, int trial) const {
  const auto& outcomes = cells_[cell].outcomes;
  const auto place = static_cast<std::size_t>(trial);
  return place < outcomes.size() && outcomes[place].has_value();
}

std::int64_t AdaptiveRounds::index_of(std::size_t cell, int trial) const {
  return static_cast<std::int64_t>(cell + static_cast<std::size_t>(trial) * cells_.size());
}

void AdaptiveRounds::want(std::size_t cell, int trials) {
  CellTrials& of_cell = cells_[cell];
  for (int k = of_cell.wanted; k < of_cell.wanted + trials; ++k) {
    if (!is_there(cell, k)) ++awaited_;
  }
  of_cell.wanted += trials;
}

void AdaptiveRounds::add(std::int64_t index, Outcome outcome) {
  GRASPMAP_ASSERT(index >= 0);
  const auto cells = static_cast<std::int64_t>(cells_.size());
  CellTrials& cell = cells_[static_cast<std::size_t>(index % cells)];
  const std::int64_t trial = index / cells;
  const auto place = static_cast<std::size_t>(trial);
  if (place >= cell.outcomes.size()) cell.outcomes.resize(place + 1);
  cell.outcomes[place] = outcome;
  if (trial >= cell.wanted) return;  // of a later round
  --awaited_;
  while (awaited_ == 0 && (!decision_ || decision_->state == AdaptiveState::kGoesOn)) end_round();
}

/// Counts the trials of the round and decides about the next one.
void AdaptiveRounds::end_round() {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    CellTrials& trials = cells_[cell];
    for (; trials.counted < trials.wanted; ++trials.counted) {
      const Outcome outcome = *trials.outcomes[static_cast<std::size_t>(trials.counted)];
      map_.add_trial(index_of(cell, trials.counted), outcome);
    }
  }
  if (config_.points == SweepPoints::kSobol) find_design_effects(map_);
  ++rounds_;
  decision_ = decide(config_, map_);
  if (decision_->sweet_spot_known && !when_known_) when_known_ = map_.total().trials();
  for (const CellBatch& batch : decision_->batches) want(batch.cell, batch.trials);
}

SweetSpotForecast AdaptiveRounds::forecast() const {
  GRASPMAP_CHECK(decision_.has_value());
  if (decision_->forecast) return *decision_->forecast;
  return forecast_sweet_spot(config_, map_, believe(map_));
}

TrialRanges AdaptiveRounds::missing() const {
  std::vector<TrialRange> ranges;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    for (int k = cells_[cell].counted; k < cells_[cell].wanted; ++k) {
      if (is_there(cell, k)) continue;
      const std::int64_t index = index_of(cell, k);
      ranges.push_back({index, index + 1});
    }
  }
  return joined(std::move(ranges));
}

}  // namespace graspmap
