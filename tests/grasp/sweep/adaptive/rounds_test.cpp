#include "grasp/sweep/adaptive/rounds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "grasp/base/probability/random.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/maps.hpp"

namespace graspmap {
namespace {

using testing::add_trials;

/// A map of 12 x 12 cells of 1 mm on which only the probabilities below count.
SweepConfig adaptive_config(const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> all = {"placement.x_min_mm=-6",
                                  "placement.x_max_mm=6",
                                  "placement.x_cells=12",
                                  "placement.y_min_mm=-12",
                                  "placement.y_max_mm=0",
                                  "placement.y_cells=12",
                                  "sweep.trials_per_cell=60",
                                  "sweep.sampling=adaptive",
                                  "sweep.adaptive.first_trials=4",
                                  "sweep.adaptive.most_trials=2880",
                                  "summary.sweet_spot_half_width_mm=2"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return testing::small_lock_piece_sweep(all);
}

/// True probabilities: a plateau of 7 x 6 cells with a soft edge towards low y, and nothing else.
double true_probability(std::size_t cell) {
  const int i = static_cast<int>(cell % 12);
  const int j = static_cast<int>(cell / 12);
  if (i < 2 || i > 8 || j > 8) return 0.0;
  return j >= 3 ? 1.0 : j == 2 ? 0.8 : 0.0;
}

/// The outcome of a trial of the synthetic sweep.
Outcome true_outcome(std::int64_t index) {
  const double u = uniform_open(99, static_cast<std::uint64_t>(index), 0);
  return u < true_probability(static_cast<std::size_t>(index % 144)) ? Outcome::kSuccess
                                                                     : Outcome::kWedged;
}

std::vector<std::int64_t> indices(const TrialRanges& ranges) {
  std::vector<std::int64_t> list;
  for (const TrialRange& range : ranges) {
    for (std::int64_t i = range.first; i < range.end; ++i) list.push_back(i);
  }
  return list;
}

/// A run to its end: all its trials, round by round.
struct FinishedRun {
  std::vector<std::int64_t> trials;
  AdaptiveRounds rounds;

  explicit FinishedRun(const SweepConfig& config) : rounds(config) {
    while (!rounds.finished()) {
      for (const std::int64_t index : indices(rounds.missing())) {
        trials.push_back(index);
        rounds.add(index, true_outcome(index));
      }
    }
  }

  [[nodiscard]] std::map<std::size_t, int> trials_by_cell() const {
    std::map<std::size_t, int> counts;
    for (const std::int64_t index : trials) ++counts[static_cast<std::size_t>(index % 144)];
    return counts;
  }
};

SweetSpot sweet_spot_of_complete_run(const SweepConfig& config) {
  SuccessMap map(config.placement);
  for (std::int64_t index = 0; index < config.trials(); ++index) {
    ++map.cells[static_cast<std::size_t>(index % 144)]
          .by_outcome[static_cast<std::size_t>(true_outcome(index))];
  }
  return find_sweet_spot(map, config.sweet_spot_half_width_mm);
}

TEST_CASE(
    "an adaptive run finds the complete run's sweet spot and leaves out what does not matter") {
  const SweepConfig config = adaptive_config();
  const FinishedRun run(config);
  const AdaptiveDecision& decision = *run.rounds.decision();
  CHECK(decision.state == AdaptiveState::kGoalReached);
  CHECK(decision.sweet_spot_known);
  CHECK(decision.wide_cells == 0);
  const SweetSpot complete = sweet_spot_of_complete_run(config);
  CHECK(decision.forecast->spot.x_mm == complete.x_mm);
  CHECK(decision.forecast->spot.y_mm == complete.y_mm);
  CHECK(decision.forecast->spot.lowest_probability == 1.0);
  CHECK(run.trials.size() < static_cast<std::size_t>(config.trials()) / 4);
  for (const auto& [cell, trials] : run.trials_by_cell()) {
    const bool far_outside = cell % 12 >= 10 || cell / 12 >= 10;
    if (far_outside) CHECK(trials == 4);
  }
}

TEST_CASE("a cell always has its first trials, each once") {
  const FinishedRun run(adaptive_config());
  std::vector<std::int64_t> sorted = run.trials;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  const auto counts = run.trials_by_cell();
  CHECK(counts.size() == 144);
  for (const std::int64_t index : sorted) {
    CHECK(index / 144 < counts.at(static_cast<std::size_t>(index % 144)));
  }
}

TEST_CASE("the rounds do not depend on the order in which trials are told, nor on interruptions",
          "[slow]") {
  const SweepConfig config = adaptive_config();
  const FinishedRun run(config);
  const auto size = static_cast<std::int64_t>(run.trials.size());
  std::vector<std::int64_t> shuffled = run.trials;
  std::sort(shuffled.begin(), shuffled.end(), [](std::int64_t a, std::int64_t b) {
    return std::pair(a * 389 % 1009, a) < std::pair(b * 389 % 1009, b);
  });
  AdaptiveRounds again(config);
  for (const std::int64_t index : shuffled) again.add(index, true_outcome(index));
  CHECK(again.finished());
  CHECK(again.rounds() == run.rounds.rounds());
  CHECK(again.trials_when_known() == run.rounds.trials_when_known());
  // Resumed in the first round, in the middle of others: the rest is what the run went on with.
  for (const std::int64_t stop : {std::int64_t{100}, size / 2, size - 3}) {
    AdaptiveRounds resumed(config);
    std::vector<std::int64_t> first(run.trials.begin(), run.trials.begin() + stop);
    std::sort(first.begin(), first.end());
    for (const std::int64_t index : first) resumed.add(index, true_outcome(index));
    std::vector<std::int64_t> rest;
    while (!resumed.finished()) {
      for (const std::int64_t index : indices(resumed.missing())) {
        rest.push_back(index);
        resumed.add(index, true_outcome(index));
      }
    }
    CHECK(rest == std::vector<std::int64_t>(run.trials.begin() + stop, run.trials.end()));
  }
}

TEST_CASE("a run with a larger budget begins with that of a smaller one") {
  const FinishedRun small(adaptive_config({"sweep.adaptive.most_trials=777"}));
  CHECK(small.trials.size() == 777);
  CHECK(small.rounds.decision()->state == AdaptiveState::kBudgetSpent);
  const FinishedRun large(adaptive_config());
  std::vector<std::int64_t> more = large.trials;
  std::vector<std::int64_t> fewer = small.trials;
  std::sort(more.begin(), more.end());
  std::sort(fewer.begin(), fewer.end());
  CHECK(std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()));
}

TEST_CASE("each goal stops the run by itself", "[slow]") {
  const auto finished = [](const std::string& goal) {
    return FinishedRun(adaptive_config({"sweep.adaptive.goal=" + goal}));
  };
  const FinishedRun both = finished("both");
  const FinishedRun either = finished("either");
  const FinishedRun spot = finished("sweet_spot");
  const FinishedRun edge = finished("interval_width");
  CHECK(spot.rounds.decision()->sweet_spot_known);
  CHECK(edge.rounds.decision()->wide_cells == 0);
  CHECK((either.rounds.decision()->sweet_spot_known || either.rounds.decision()->wide_cells == 0));
  CHECK(either.trials.size() <= both.trials.size());
  for (const FinishedRun* run : {&both, &either, &spot, &edge}) {
    CHECK(run->rounds.decision()->state == AdaptiveState::kGoalReached);
  }
}

TEST_CASE("a run that is never sure ends as the complete run, and is then quite sure") {
  const SweepConfig config =
      adaptive_config({"sweep.trials_per_cell=6", "sweep.adaptive.most_trials=864",
                       "sweep.adaptive.interval_width=0.01", "sweep.adaptive.goal=both"});
  const FinishedRun run(config);
  CHECK(run.rounds.decision()->forecast->confidence > 0.9);
  const AdaptiveDecision complete = [&] {
    SuccessMap map(config.placement);
    for (std::int64_t i = 0; i < 864; ++i) {
      ++map.cells[static_cast<std::size_t>(i % 144)]
            .by_outcome[static_cast<std::size_t>(true_outcome(i))];
    }
    return decide(config, map);
  }();
  CHECK(complete.state == AdaptiveState::kAllRun);
  CHECK(complete.forecast->confidence == 1.0);
  CHECK(complete.batches.empty());
}

TEST_CASE("the sweet spot is forecast at its angle") {
  SweepConfig config = adaptive_config();
  config.placement.theta_rad = {-0.3, 0.3, 3};
  SuccessMap map(config.placement);
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    const bool good = cell / 144 == 2 && true_probability(cell % 144) == 1.0;
    map.cells[cell]
        .by_outcome[static_cast<std::size_t>(good ? Outcome::kSuccess : Outcome::kMissed)] = 8;
  }
  const SweetSpotForecast forecast = forecast_sweet_spot(config, map, believe(map));
  const SweetSpot now = find_sweet_spot(map, config.sweet_spot_half_width_mm);
  CHECK(forecast.spot.cell_theta == 2);
  CHECK(forecast.spot.theta_rad == now.theta_rad);
  CHECK(forecast.spot.x_mm == now.x_mm);
  CHECK(forecast.spot.lowest_probability == 1.0);
  CHECK(forecast.confidence > 0);
}

/// What is believed of the middle cell of 3 x 3.
CellBelief belief_of_middle(int successes, int others, int neighbour_successes,
                            int neighbour_others) {
  SuccessMap map({0, 3, 3}, {0, 3, 3});
  for (int cell = 0; cell < 9; ++cell) {
    const bool middle = cell == 4;
    add_trials(map, cell % 3, cell / 3, Outcome::kSuccess,
               middle ? successes : neighbour_successes);
    add_trials(map, cell % 3, cell / 3, Outcome::kWedged, middle ? others : neighbour_others);
  }
  return believe(map)[4];
}

double never_fails(const CellBelief& belief, int trials) {
  return others_to_come(belief, trials).front();
}

TEST_CASE("a cell is believed to be like its neighbours") {
  const double inside = never_fails(belief_of_middle(8, 0, 8, 0), 200);
  const double at_edge = never_fails(belief_of_middle(8, 0, 7, 1), 200);
  const double on_slope = never_fails(belief_of_middle(8, 0, 4, 4), 200);
  CHECK(inside > 0.9);
  CHECK(at_edge < inside);
  CHECK(on_slope < inside);
  CHECK(never_fails(belief_of_middle(7, 1, 8, 0), 200) < 0.2);
  CHECK(belief_at_least(belief_of_middle(8, 0, 8, 0), 0.95) > 0.95);
  CHECK(belief_at_least(belief_of_middle(0, 8, 0, 8), 0.05) < 0.05);
  CHECK(belief_at_least(belief_of_middle(80, 20, 80, 20), 0.8) == Approx(0.5).margin(0.1));
}

TEST_CASE("failed trials say nothing of a cell") {
  SuccessMap map({0, 3, 3}, {0, 3, 3});
  for (int cell = 0; cell < 9; ++cell) add_trials(map, cell % 3, cell / 3, Outcome::kSuccess, 5);
  const CellBelief before = believe(map)[4];
  add_trials(map, 1, 1, Outcome::kFailed, 3);
  add_trials(map, 0, 1, Outcome::kFailed, 1);
  const CellBelief after = believe(map)[4];
  for (std::size_t k = 0; k < before.size(); ++k) CHECK(before[k].weight == after[k].weight);
}

TEST_CASE("trials to come are beta-binomial") {
  CellBelief belief{};
  belief[0] = {1.0, 1.0, 1.0};  // uniform p: all numbers are equally probable
  const auto even = others_to_come(belief, 9);
  CHECK(even.size() == 10);
  for (const double p : even) CHECK(p == Approx(0.1).epsilon(1e-12));
  belief[0] = {1.0, 8.5, 0.5};
  const auto p = others_to_come(belief, 2000);
  CHECK(std::accumulate(p.begin(), p.end(), 0.0) == Approx(1.0).epsilon(1e-12));
  CHECK(p.front() == Approx(std::exp(std::lgamma(2008.5) + std::lgamma(9) - std::lgamma(2009) -
                                     std::lgamma(8.5)))
                         .epsilon(1e-9));
  double mean = 0;
  for (std::size_t j = 0; j < p.size(); ++j) mean += static_cast<double>(j) * p[j];
  CHECK(mean == Approx(2000 * 0.5 / 9).epsilon(1e-9));
}

TEST_CASE("draws of the complete run keep what is there and spread as the trials to come do") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  add_trials(map, 0, 0, Outcome::kSuccess, 6);
  add_trials(map, 0, 0, Outcome::kWedged, 4);
  add_trials(map, 1, 0, Outcome::kSuccess, 19);
  add_trials(map, 1, 0, Outcome::kFailed, 1);
  CellBelief belief{};
  belief[0] = {1.0, 6.5, 4.5};
  const CompleteRuns runs(map, {belief, belief}, 20, 1, 4000);
  double sum = 0;
  for (int draw = 0; draw < runs.draws(); ++draw) {
    CHECK(runs.successes(draw, 0) >= 6);
    CHECK(runs.successes(draw, 0) <= 16);
    CHECK(runs.probability(draw, 1) == 1.0);  // complete: 19 of 19, and one that failed
    sum += runs.successes(draw, 0);
  }
  // 6 + 10 * 6.5 / 11; the standard deviation of a draw is below 2.5.
  CHECK(sum / 4000 == Approx(6 + 65.0 / 11).margin(5 * 2.5 / std::sqrt(4000)));
}

}  // namespace
}  // namespace graspmap
