#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/adaptive/rounds.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

/// A sweep whose trials succeed in closed form: in a disc that is the larger the more friction.
SweepConfig disc_sweep(SweepPoints points, std::uint64_t seed, int trials_per_cell) {
  SweepConfig config;
  config.placement.x_mm = {-10, 10, 12};
  config.placement.y_mm = {-10, 10, 12};
  config.mu_jaw = Uniform{0, 1};
  config.mu_support = Uniform{0, 1};
  config.trials_per_cell = trials_per_cell;
  config.seed = seed;
  config.points = points;
  return config;
}

Outcome disc_outcome(const SweepConfig& config, std::int64_t index) {
  const TrialParameters p = sample_trial(config, index).parameters;
  const double radius = 5 + 2.5 * p.mu_jaw + p.mu_support * p.mu_support;
  return std::hypot(p.placement_x_mm, p.placement_y_mm) < radius ? Outcome::kSuccess
                                                                 : Outcome::kWedged;
}

SuccessMap disc_map(SweepPoints points, std::uint64_t seed, int trials_per_cell) {
  const SweepConfig config = disc_sweep(points, seed, trials_per_cell);
  SuccessMap map(config.placement);
  for (std::int64_t i = 0; i < config.trials(); ++i) map.add_trial(i, disc_outcome(config, i));
  if (points == SweepPoints::kSobol) find_design_effects(map);
  return map;
}

const SuccessMap& true_map() {
  static const SuccessMap map = disc_map(SweepPoints::kSobol, 999, 4096);
  return map;
}

double squared_error(const SuccessMap& map) {
  double sum = 0;
  for (std::size_t c = 0; c < map.cells.size(); ++c) {
    const double truth = true_map().cells[c].success_probability();
    sum += std::pow(map.cells[c].success_probability() - truth, 2);
  }
  return sum;
}

TEST_CASE("a trial belongs to its cell and its net") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  map.add_trial(1, Outcome::kSuccess);  // cell 1: first net, second, first
  map.add_trial(3, Outcome::kSuccess);
  map.add_trial(5, Outcome::kWedged);
  map.add_trial(9, Outcome::kFailed);
  CHECK(map.cells[0].trials() == 0);
  CHECK(map.cells[1].valid_trials() == 3);
  CHECK(map.cells[1].first_net.trials == 2);
  CHECK(map.cells[1].first_net.successes == 1);
}

TEST_CASE("nets cut the variance of a map several times", "[slow]") {
  double nets = 0;
  double independent = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    nets += squared_error(disc_map(SweepPoints::kSobol, seed, 64));
    independent += squared_error(disc_map(SweepPoints::kIndependent, seed, 64));
  }
  CHECK(independent / nets > 3);
}

TEST_CASE("intervals of nets hold the truth as often as they say, and are narrower", "[slow]") {
  // In bins of min(p, 1 - p): nearly sure cells keep Wilson's interval.
  constexpr std::array kFrom = {0.04, 0.1, 0.25};
  std::array<int, 3> held{};
  std::array<int, 3> cells{};
  double effective = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const SuccessMap map = disc_map(SweepPoints::kSobol, seed, 64);
    effective += independent_trials(map) / 100;
    for (std::size_t c = 0; c < map.cells.size(); ++c) {
      const double p = true_map().cells[c].success_probability();
      const auto bin = std::upper_bound(kFrom.begin(), kFrom.end(), std::min(p, 1 - p));
      if (bin == kFrom.begin()) continue;
      const auto k = static_cast<std::size_t>(bin - kFrom.begin()) - 1;
      const Interval interval = map.cells[c].success_interval();
      ++cells[k];
      held[k] += interval.low <= p && p <= interval.high ? 1 : 0;
    }
  }
  for (std::size_t k = 0; k < kFrom.size(); ++k) {
    const double coverage = static_cast<double>(held[k]) / cells[k];
    CAPTURE(k, coverage, cells[k]);
    CHECK(coverage > 0.935);
    CHECK(coverage < 0.99);
  }
  CHECK(effective > 2.2 * 64 * 144);
}

TEST_CASE("independent trials have no design effect") {
  const SuccessMap map = disc_map(SweepPoints::kIndependent, 5, 32);
  for (const CellCounts& cell : map.cells) {
    CHECK(cell.effective_trials() == static_cast<double>(cell.valid_trials()));
  }
  CHECK(independent_trials(map) == Approx(32 * 144));
}

TEST_CASE("independent trials in two halves show an effect of nearly 1") {
  SuccessMap map = disc_map(SweepPoints::kIndependent, 5, 64);
  find_design_effects(map);
  CHECK(independent_trials(map) < 1.5 * 64 * 144);
}

TEST_CASE("where failures are few, a cell counts as independent trials do") {
  SuccessMap map({0, 1, 1}, {0, 1, 1});
  for (std::int64_t k = 0; k < 100; ++k) {
    map.add_trial(k, k == 50 ? Outcome::kWedged : Outcome::kSuccess);
  }
  find_design_effects(map);
  CHECK(map.cells[0].design_effect == 1);
}

TEST_CASE("a cell's neighbours say whether its nets differ more than those of other cells") {
  SuccessMap map({0, 20, 20}, {0, 10, 10});
  for (int j = 0; j < 10; ++j) {
    for (int i = 0; i < 20; ++i) {
      CellCounts& cell = map.cells[map.index(i, j)];
      cell.by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = 32;
      cell.by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = 32;
      cell.first_net = {32, i < 10 ? 17 : 16};
    }
  }
  find_design_effects(map);
  const auto effect = [&](int i, int j) { return map.at(i, j).design_effect; };
  // The nets differ as those of 4 times as many trials on one half, and not at all on the other:
  // 9 cells, each of twice the mean, count beside 24 of the mean.
  CHECK(effect(5, 5) / effect(15, 5) == Approx((9 * 2.0 + 24) / 24).epsilon(0.01));
  CHECK(effect(0, 0) / effect(19, 9) == Approx((4 * 2.0 + 24) / 24).epsilon(0.01));
  const double mean = 0.0625 / (0.25 * 64 / 63) / 2;
  CHECK(effect(5, 5) == Approx(1.06 * mean * (9 * 2.0 + 24) / 33).epsilon(0.05));
}

// ---- Allocation ----

struct AllocatedRun {
  SuccessMap map;
  AdaptiveRounds rounds;
};

SweepConfig allocated_sweep(std::uint64_t seed, std::int64_t most_trials) {
  SweepConfig config = disc_sweep(SweepPoints::kSobol, seed, 252);
  config.adaptive = AdaptiveSampling{};
  config.adaptive->first_trials = 8;
  config.adaptive->round_trials = 144;
  config.adaptive->most_trials = most_trials;
  config.adaptive->goal = AdaptiveGoal::kMap;
  return config;
}

template <typename Outcomes>
AllocatedRun allocated_run(const SweepConfig& config, const Outcomes& outcome_of) {
  AdaptiveRounds rounds(config);
  SuccessMap map(config.placement);
  while (!rounds.finished()) {
    for (const TrialRange& range : rounds.missing()) {
      for (std::int64_t i = range.first; i < range.end; ++i) {
        const Outcome outcome = outcome_of(config, i);
        map.add_trial(i, outcome);
        rounds.add(i, outcome);
      }
    }
  }
  CHECK(map.total().trials() <= config.adaptive->most_trials);
  find_design_effects(map);
  return {map, rounds};
}

AllocatedRun allocated_run(std::uint64_t seed, std::int64_t most_trials,
                           std::optional<double> standard_error = {}) {
  SweepConfig config = allocated_sweep(seed, most_trials);
  config.adaptive->standard_error = standard_error;
  return allocated_run(config, disc_outcome);
}

SuccessMap allocated_map(std::uint64_t seed, std::int64_t most_trials) {
  const AllocatedRun run = allocated_run(seed, most_trials);
  CHECK(run.rounds.rounds() == 2);
  CHECK(run.rounds.decision()->state == AdaptiveState::kBudgetSpent);
  CHECK(run.map.total().trials() > most_trials - 4 * 144);
  return run.map;
}

TEST_CASE("a pilot and one more round tell the map with fewer trials", "[slow]") {
  double allocated = 0;
  double even = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    allocated += squared_error(allocated_map(seed, 144 * 32));
    even += squared_error(disc_map(SweepPoints::kSobol, seed, 32));
  }
  CHECK(even / allocated > 1.5);
}

/// A disc on the left; on the right the outcome is mixed everywhere, which is of no use to anyone.
Outcome disc_and_haze(const SweepConfig& config, std::int64_t index) {
  const TrialParameters p = sample_trial(config, index).parameters;
  const double radius = 3 + 2 * p.mu_jaw + p.mu_support * p.mu_support;
  const bool in_disc = std::hypot(p.placement_x_mm + 5, p.placement_y_mm) < radius;
  const bool in_haze = p.placement_x_mm > 2 && p.mu_jaw + p.mu_support < 0.7;
  return in_disc || in_haze ? Outcome::kSuccess : Outcome::kWedged;
}

/// The success of a grasp that is aimed at the disc's centre.
double success_of_aim(const SuccessMap& map, double sigma_mm) {
  const auto mass = [&](const Axis& axis, int i, double aim_mm) {
    return normal_cumulative((axis.cell_max(i) - aim_mm) / sigma_mm) -
           normal_cumulative((axis.cell_min(i) - aim_mm) / sigma_mm);
  };
  double sum = 0;
  for (int j = 0; j < 12; ++j) {
    for (int i = 0; i < 12; ++i) {
      sum += mass(map.x_mm, i, -5) * mass(map.y_mm, j, 0) *
             map.cells[map.index(i, j)].success_probability();
    }
  }
  return sum;
}

TEST_CASE("trials for the best placement tell its success better than trials for the map",
          "[slow]") {
  constexpr double kError_mm = 1.5;
  constexpr int kSeeds = 40;
  const auto run = [&](std::uint64_t seed, int trials_per_cell, AdaptiveGoal goal) {
    SweepConfig config = allocated_sweep(seed, std::int64_t{144} * trials_per_cell);
    config.adaptive->goal = goal;
    config.robot = RobotError{};
    config.robot->position_sigma_mm = {kError_mm, kError_mm};
    const AllocatedRun found = allocated_run(config, disc_and_haze);
    CHECK(found.rounds.rounds() == 2);
    return success_of_aim(found.map, kError_mm);
  };
  double truth = 0;
  for (std::uint64_t seed = 900; seed < 910; ++seed) {
    truth += run(seed, 252, AdaptiveGoal::kMap) / 10;
  }
  const auto error = [&](AdaptiveGoal goal) {
    double bias = 0;
    double square = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const double away = run(seed, 24, goal) - truth;
      bias += away / kSeeds;
      square += away * away / kSeeds;
    }
    CHECK(std::abs(bias) < 0.5 * std::sqrt(square));
    return square;
  };
  CHECK(error(AdaptiveGoal::kMap) / error(AdaptiveGoal::kPlan) > 2);
}

TEST_CASE("an allocated map is right on average", "[slow]") {
  constexpr int kSeeds = 60;
  double bias = 0;  // of the mean over the map
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const SuccessMap map = allocated_map(seed, 144 * 24);
    for (std::size_t c = 0; c < map.cells.size(); ++c) {
      bias += map.cells[c].success_probability() - true_map().cells[c].success_probability();
    }
  }
  CHECK(bias / (kSeeds * 144) == Approx(0).margin(0.001));
}

TEST_CASE("a run for the whole map ends with the standard error asked for, which it has",
          "[slow]") {
  constexpr double kAsked = 0.03;
  constexpr int kSeeds = 30;
  std::vector<double> squares(144, 0.0);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const AllocatedRun run = allocated_run(seed, 144 * 252, kAsked);
    REQUIRE(run.rounds.decision()->state == AdaptiveState::kGoalReached);
    CHECK(run.map.total().trials() < 144 * 64);
    CHECK(mean_standard_error(run.map) == run.rounds.decision()->standard_error);
    CHECK(mean_standard_error(run.map) <= kAsked);
    for (std::size_t c = 0; c < squares.size(); ++c) {
      const double truth = true_map().cells[c].success_probability();
      squares[c] += std::pow(run.map.cells[c].success_probability() - truth, 2) / kSeeds;
    }
  }
  double sum = 0;
  int mixed = 0;
  for (std::size_t c = 0; c < squares.size(); ++c) {
    const double truth = true_map().cells[c].success_probability();
    if (std::min(truth, 1 - truth) < 0.02) continue;
    sum += std::sqrt(squares[c]);
    ++mixed;
  }
  CHECK(mixed > 20);
  CHECK(sum / mixed < 1.1 * kAsked);
  // A budget that is too small says so.
  const AllocatedRun poor = allocated_run(1, 144 * 12, kAsked);
  CHECK(poor.rounds.decision()->state == AdaptiveState::kBudgetSpent);
  CHECK(mean_standard_error(poor.map) > kAsked);
}

TEST_CASE("a run for the map looks for the sweet spot when it ends, or when asked") {
  SweepConfig config = disc_sweep(SweepPoints::kSobol, 1, 252);
  config.adaptive = AdaptiveSampling{};
  config.adaptive->first_trials = 8;
  config.adaptive->most_trials = 144 * 24;
  config.adaptive->goal = AdaptiveGoal::kMap;
  AdaptiveRounds pilot(config);
  SuccessMap map(config.placement);
  for (std::int64_t i = 0; i < 144 * 8; ++i) {
    const Outcome outcome = disc_outcome(config, i);
    map.add_trial(i, outcome);
    pilot.add(i, outcome);
  }
  find_design_effects(map);
  REQUIRE(pilot.rounds() == 1);
  CHECK_FALSE(pilot.decision()->forecast);
  const SweetSpotForecast expected = forecast_sweet_spot(config, map, believe(map));
  CHECK(expected.spot.found);
  CHECK(pilot.forecast().spot.x_mm == expected.spot.x_mm);
  CHECK(pilot.forecast().spot.y_mm == expected.spot.y_mm);
  CHECK(pilot.forecast().confidence == expected.confidence);
  const AllocatedRun whole = allocated_run(1, 144 * 24);
  REQUIRE(whole.rounds.decision()->forecast);
  CHECK(whole.rounds.forecast().confidence == whole.rounds.decision()->forecast->confidence);
}

TEST_CASE("more trials in all are no fewer in any cell, and cells have their limits") {
  const SuccessMap pilot = disc_map(SweepPoints::kSobol, 3, 8);
  const std::vector<CellBelief> beliefs = believe(pilot);
  std::vector<int> before(pilot.cells.size(), 8);
  for (const std::int64_t total : {1152, 1500, 3000, 9000, 30'000, 40'000}) {
    const std::vector<int> trials = allocated_trials(pilot, map_weights(beliefs), total, 252);
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < trials.size(); ++c) {
      REQUIRE((trials[c] >= before[c] && trials[c] <= 252));
      sum += trials[c];
    }
    CHECK(sum <= total);
    before = trials;
  }
  CHECK(before == std::vector<int>(144, 252));
}

}  // namespace
}  // namespace graspmap
