#include "grasp/sweep/trials/trial_sampler.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "grasp/base/probability/random.hpp"
#include "tests/support/lock_piece.hpp"

using namespace graspmap;

namespace {

Distribution uniform(double min, double max) { return Uniform{min, max}; }

Distribution normal(double mean, double sigma) { return Normal{mean, sigma}; }

/// A sweep of 5 x 4 cells; the sampler looks at nothing of the scenario.
SweepConfig small_sweep() {
  SweepConfig config;
  config.placement.x_mm = {-10, 10, 5};
  config.placement.y_mm = {-20, 0, 4};
  config.mu_jaw = uniform(0.05, 0.35);
  config.mu_support = uniform(0.10, 0.50);
  config.trials_per_cell = 2000;
  config.seed = 7;
  return config;
}

SweepConfig independent_sweep() {
  SweepConfig config = small_sweep();
  config.points = SweepPoints::kIndependent;
  return config;
}

std::vector<double> values(const TrialParameters& p) {
  return {p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support};
}

double mean_of(const SweepConfig& config, const std::function<double(const SampledTrial&)>& f) {
  double sum = 0;
  for (std::int64_t i = 0; i < config.trials(); ++i) sum += f(sample_trial(config, i));
  return sum / static_cast<double>(config.trials());
}

}  // namespace

TEST_CASE("a trial is a function of seed and index alone") {
  const SweepConfig config = small_sweep();
  const SampledTrial late = sample_trial(config, 12345);
  for (std::int64_t i = 0; i < 100; ++i) (void)sample_trial(config, i);
  CHECK(values(sample_trial(config, 12345).parameters) == values(late.parameters));

  SweepConfig other_seed = config;
  other_seed.seed = 8;
  CHECK(values(sample_trial(other_seed, 12345).parameters) != values(late.parameters));
  CHECK(values(sample_trial(config, 12346).parameters) != values(late.parameters));
}

TEST_CASE("the trials of a shorter sweep are the first of a longer one") {
  const SweepConfig config = small_sweep();
  SweepConfig longer = config;
  longer.trials_per_cell = 2 * config.trials_per_cell;
  for (std::int64_t i = 0; i < 1000; ++i) {
    const SampledTrial a = sample_trial(config, i);
    const SampledTrial b = sample_trial(longer, i);
    CHECK(std::tie(a.cell_x, a.cell_y) == std::tie(b.cell_x, b.cell_y));
    CHECK(values(a.parameters) == values(b.parameters));
  }
}

TEST_CASE("trials go round the cells, x fastest") {
  const SweepConfig config = small_sweep();
  std::vector<int> counts(20);
  for (std::int64_t i = 0; i < 60; ++i) {
    const SampledTrial trial = sample_trial(config, i);
    CHECK(trial.cell_x == i % 5);
    CHECK(trial.cell_y == i / 5 % 4);
    CHECK(cell_of_trial(config.placement, i) == CellIndex{trial.cell_x, trial.cell_y, 0});
    ++counts[static_cast<std::size_t>(trial.cell_y * 5 + trial.cell_x)];
  }
  CHECK(counts == std::vector<int>(20, 3));
}

TEST_CASE("a placement without noise lies strictly inside its cell") {
  SweepConfig config = small_sweep();
  SECTION("of ordinary cells") {}
  SECTION("of cells so small that rounding meets their edges") {
    config.placement.x_mm = {1000.0, 1000.0 + 5 * 8 * 0x1p-43, 5};  // eight doubles wide each
  }
  for (std::int64_t i = 0; i < config.trials(); ++i) {
    const SampledTrial trial = sample_trial(config, i);
    const TrialParameters& p = trial.parameters;
    REQUIRE(p.placement_x_mm > config.placement.x_mm.cell_min(trial.cell_x));
    REQUIRE(p.placement_x_mm < config.placement.x_mm.cell_min(trial.cell_x + 1));
    REQUIRE(p.placement_y_mm > config.placement.y_mm.cell_min(trial.cell_y));
    REQUIRE(p.placement_y_mm < config.placement.y_mm.cell_min(trial.cell_y + 1));
  }
}

TEST_CASE("placements are uniform in their cells") {
  const SweepConfig config = small_sweep();
  const double n = static_cast<double>(config.trials());
  const auto in_cell = [&](const SampledTrial& t) {  // 0 to 1 across the cell
    return t.parameters.placement_x_mm / 4 + 2.5 - t.cell_x;
  };
  CHECK(mean_of(config, in_cell) == Approx(0.5).margin(4 * std::sqrt(1 / (12 * n))));
  CHECK(mean_of(config, [&](const SampledTrial& t) { return std::pow(in_cell(t) - 0.5, 2); }) ==
        Approx(1.0 / 12).margin(4 * std::sqrt(1 / (180 * n))));
  // x and y vary independently.
  const auto in_cell_y = [](const SampledTrial& t) {
    return t.parameters.placement_y_mm / 5 + 4 - t.cell_y;
  };
  CHECK(mean_of(config, [&](const SampledTrial& t) {
          return (in_cell(t) - 0.5) * (in_cell_y(t) - 0.5);
        }) == Approx(0.0).margin(4 / (12 * std::sqrt(n))));
}

TEST_CASE("angles are uniform in their cells and vary on their own") {
  SweepConfig config = independent_sweep();
  config.placement.theta_rad = {-0.3, 0.9, 6};
  config.trials_per_cell = 400;
  const SweepConfig flat = independent_sweep();
  const double n = static_cast<double>(config.trials());
  const auto in_cell = [&](const SampledTrial& t) {
    return (t.intended.theta_rad + 0.3) / 0.2 - t.cell_theta;
  };
  const auto variance = [&](const SampledTrial& t) { return std::pow(in_cell(t) - 0.5, 2); };
  const auto covariance = [&](const SampledTrial& t) {
    return (in_cell(t) - 0.5) * (t.parameters.placement_x_mm / 4 + 2 - t.cell_x);
  };
  CHECK(mean_of(config, in_cell) == Approx(0.5).margin(4 * std::sqrt(1 / (12 * n))));
  CHECK(mean_of(config, variance) == Approx(1.0 / 12).margin(4 * std::sqrt(1 / (180 * n))));
  CHECK(mean_of(config, covariance) == Approx(0.0).margin(4 / (12 * std::sqrt(n))));
  for (std::int64_t i = 0; i < 240; ++i) {
    const SampledTrial trial = sample_trial(config, i);
    CHECK(trial.cell() == CellIndex{static_cast<int>(i % 5), static_cast<int>(i / 5 % 4),
                                    static_cast<int>(i / 20 % 6)});
    REQUIRE(trial.parameters.theta_rad > config.placement.theta_rad.cell_min(trial.cell_theta));
    REQUIRE(trial.parameters.theta_rad < config.placement.theta_rad.cell_max(trial.cell_theta));
    // The angle takes nothing from the other inputs.
    TrialParameters other = sample_trial(flat, i).parameters;
    other.theta_rad = trial.parameters.theta_rad;
    REQUIRE(values(trial.parameters) == values(other));
  }
}

TEST_CASE("the trials of a sweep at one angle are those that they have always been") {
  // As stored by graspmap 0.1.0, which had no range of angles and only random points.
  const SweepConfig config =
      read_sweep_config(testing::lock_piece_file(), {"sweep.points=independent"});
  CHECK(values(sample_trial(config, 251).parameters) ==
        std::vector<double>{1.530373594897727, -7.802898299713166, 0.0, 0.2338491319712196,
                            0.3387650255505634});
  CHECK(values(sample_trial(config, 99999).parameters) ==
        std::vector<double>{9.761859284399623, -0.1799402058385423, 0.0, 0.25817075683038027,
                            0.296267275158866});
}

TEST_CASE("friction coefficients have the means and bounds of their distributions") {
  const SweepConfig config = small_sweep();
  const double n = static_cast<double>(config.trials());
  CHECK(mean_of(config, [](const SampledTrial& t) { return t.parameters.mu_jaw; }) ==
        Approx(0.20).margin(4 * 0.3 / std::sqrt(12 * n)));
  CHECK(mean_of(config, [](const SampledTrial& t) { return t.parameters.mu_support; }) ==
        Approx(0.30).margin(4 * 0.4 / std::sqrt(12 * n)));
  for (std::int64_t i = 0; i < config.trials(); ++i) {
    const TrialParameters p = sample_trial(config, i).parameters;
    REQUIRE((p.mu_jaw > 0.05 && p.mu_jaw < 0.35));
    REQUIRE((p.mu_support > 0.10 && p.mu_support < 0.50));
  }
}

TEST_CASE("noise is added to the placement and to the nominal angle") {
  SweepConfig exact = small_sweep();
  exact.placement.theta_rad = fixed_angle(0.5);
  exact.placement.noise_theta_rad = normal(0, 0.3);
  SweepConfig noisy = exact;
  noisy.placement.noise_x_mm = normal(0.1, 1);
  noisy.placement.noise_y_mm = normal(0, 2);
  double sum_x = 0, sum_xx = 0, sum_yy = 0, sum_tt = 0, sum_xt = 0;
  for (std::int64_t i = 0; i < noisy.trials(); ++i) {
    const TrialParameters a = sample_trial(exact, i).parameters;
    const SampledTrial trial = sample_trial(noisy, i);
    const TrialParameters& b = trial.parameters;
    const double dx = b.placement_x_mm - trial.intended.x_mm;
    const double dy = b.placement_y_mm - trial.intended.y_mm;
    const double dt = b.theta_rad - 0.5;
    sum_x += dx, sum_xx += dx * dx, sum_yy += dy * dy, sum_tt += dt * dt, sum_xt += dx * dt;
    REQUIRE(b.mu_jaw == a.mu_jaw);  // noise takes nothing from the other inputs
    REQUIRE(b.mu_support == a.mu_support);
  }
  const double n = static_cast<double>(noisy.trials());
  CHECK(sum_x / n == Approx(0.1).margin(4 / std::sqrt(n)));
  CHECK(sum_xx / n == Approx(1.01).epsilon(4 * std::sqrt(2 / n)));
  CHECK(sum_yy / n == Approx(4.0).epsilon(4 * std::sqrt(2 / n)));
  CHECK(sum_tt / n == Approx(0.09).epsilon(4 * std::sqrt(2 / n)));
  CHECK(sum_xt / n == Approx(0.0).margin(4 * 0.3 / std::sqrt(n)));
}

TEST_CASE("each input keeps its draw number") {
  // These numbers are part of the meaning of a seed: recorded runs are replayed by index.
  SweepConfig config = independent_sweep();
  config.placement.noise_x_mm = uniform(10, 11);
  config.placement.noise_y_mm = uniform(20, 21);
  config.placement.noise_theta_rad = uniform(30, 31);
  const std::int64_t index = 4711;  // cell (1, 2)
  const auto u = [&](std::uint32_t draw) { return uniform_open(7, index, draw); };
  const TrialParameters p = sample_trial(config, index).parameters;
  CHECK(p.placement_x_mm == Approx(-6 + 4 * u(0) + 10 + u(4)).epsilon(1e-14));
  CHECK(p.placement_y_mm == Approx(-10 + 5 * u(1) + 20 + u(5)).epsilon(1e-14));
  CHECK(p.theta_rad == Approx(30 + u(6)).epsilon(1e-14));
  CHECK(p.mu_jaw == Approx(0.05 + 0.30 * u(2)).epsilon(1e-14));
  CHECK(p.mu_support == Approx(0.10 + 0.40 * u(3)).epsilon(1e-14));
  config.placement.theta_rad = {0, 2, 1};
  CHECK(sample_trial(config, index).parameters.theta_rad ==
        Approx(2 * u(7) + 30 + u(6)).epsilon(1e-14));
}

TEST_CASE("the trials of a cell are nets over all inputs that vary") {
  SweepConfig config = small_sweep();
  config.placement.noise_theta_rad = uniform(-0.1, 0.1);
  const int cells = config.placement.cell_count();
  for (const int net : {0, 1}) {
    // 16 points of a net: one in each sixteenth of each input, in each cell.
    for (int cell = 0; cell < cells; ++cell) {
      std::vector<std::vector<int>> counts(5, std::vector<int>(16));
      for (int k = 0; k < 16; ++k) {
        const TrialParameters p =
            sample_trial(config, cell + std::int64_t{cells} * (2 * k + net)).parameters;
        const CellIndex at = config.placement.cell(static_cast<std::size_t>(cell));
        const std::vector<double> shares = {
            (p.placement_x_mm + 10) / 4 - at.x, (p.placement_y_mm + 20) / 5 - at.y,
            (p.mu_jaw - 0.05) / 0.3, (p.mu_support - 0.1) / 0.4, (p.theta_rad + 0.1) / 0.2};
        for (std::size_t d = 0; d < shares.size(); ++d) {
          ++counts[d][static_cast<std::size_t>(16 * shares[d])];
        }
      }
      for (const auto& of_input : counts) REQUIRE(of_input == std::vector<int>(16, 1));
    }
  }
}

TEST_CASE("with normal noise the trials of a cell are even in where the part comes to lie") {
  SweepConfig config = small_sweep();
  config.placement.noise_x_mm = normal(0.5, 1.5);
  constexpr int kPoints = 64;
  const int cells = config.placement.cell_count();
  const int cell = 7;  // its x: from -2 to 2
  std::vector<int> counts(kPoints);
  int beyond = 0;
  for (int k = 0; k < kPoints; ++k) {
    const SampledTrial trial = sample_trial(config, cell + std::int64_t{cells} * 2 * k);
    REQUIRE(std::abs(trial.intended.x_mm) < 2);
    const double x = trial.parameters.placement_x_mm;
    CHECK(x - trial.intended.x_mm ==
          Approx(sample_noise(config, cell + std::int64_t{cells} * 2 * k).x_mm));
    const auto integral = [&](double bound) {
      const double z = (x - 0.5 - bound) / 1.5;
      return 1.5 * (z * normal_cumulative(z) + normal_density(z));
    };
    ++counts[static_cast<std::size_t>(kPoints * (integral(-2) - integral(2)) / 4)];
    beyond += std::abs(x) > 2 ? 1 : 0;
  }
  CHECK(counts == std::vector<int>(kPoints, 1));
  CHECK(beyond > 10);
  // The intended placements are uniform still.
  CHECK(mean_of(config, [](const SampledTrial& t) { return t.intended.x_mm; }) ==
        Approx(0).margin(0.02));
}

TEST_CASE("trials at somebody's own placements are one net over all inputs that vary") {
  const SweepConfig config = small_sweep();
  REQUIRE_FALSE(config.mu_jaw.is_fixed());
  const std::array<Distribution, 3> placement = {
      Distribution(Normal{3, 2}), Distribution(Uniform{-8, -4}), Distribution(Fixed{0.5})};
  constexpr std::uint32_t kPoints = 64;
  std::array<std::vector<int>, 3> counts;
  counts.fill(std::vector<int>(kPoints, 0));
  for (std::uint32_t number = 0; number < kPoints; ++number) {
    const SampledTrial trial = sample_evenly(config, placement, 7, number);
    CHECK(trial.intended.theta_rad == 0.5);
    const std::array levels = {placement[0].cumulative(trial.intended.x_mm),
                               placement[1].cumulative(trial.intended.y_mm),
                               config.mu_jaw.cumulative(trial.parameters.mu_jaw)};
    for (std::size_t k = 0; k < levels.size(); ++k) {
      ++counts[k][static_cast<std::size_t>(levels[k] * kPoints)];
    }
  }
  for (const auto& of_input : counts) CHECK(of_input == std::vector<int>(kPoints, 1));
}

TEST_CASE("inputs beyond the dimensions of a net are drawn by themselves") {
  SweepConfig config = small_sweep();
  SweepConfig alone = independent_sweep();
  const DrawnScenario scenario = read_sweep_config(testing::lock_piece_file(), {}).scenario;
  const ScenarioNumber mass = *ScenarioNumber::find(scenario, "part.mass_kg");
  for (int k = 0; k < 70; ++k) {
    const UncertainNumber number{"number_" + std::to_string(100 + k), uniform(0, 1), mass};
    config.uncertain.push_back(number);
    alone.uncertain.push_back(number);
  }
  const std::vector<double> values = sample_trial(config, 33).uncertain;
  const std::vector<double> independent = sample_trial(alone, 33).uncertain;
  CHECK(values[56] != independent[56]);  // the last of 64 dimensions
  CHECK(values[57] == independent[57]);
  CHECK(sample_uncertain(config, 33) == values);
}
