#include <catch2/catch.hpp>
#include <map>

#include "grasp/decide/calibrate/adaptive_simulation.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"
#include "grasp/decide/statistics/uniformity.hpp"
#include "made_up_grasp.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/ranks.hpp"

namespace graspmap {
namespace {

const SamplerSettings kSomeDraws{.draws = 100, .moves = 2};

AdaptiveSettings few_trials() { return {.round_trials = 9000, .most_rounds = 4, .draws = 50}; }

bool holds(const Interval& interval, double value) {
  return interval.low <= value && value <= interval.high;
}

Calibration calibrate_made_up(const std::vector<CalibrationCell>& cells,
                              const Nuisances& nuisances = {}) {
  const Unknowns unknowns(FrictionFamily::kUniform, made_up_ranges(), nuisances);
  return calibrate_by_simulation(cells, unknowns, {}, made_up_grasps, 0.95, few_trials(),
                                 kSomeDraws);
}

TEST_CASE("constant friction is found, with an interval of its width that holds 0", "[slow]") {
  const auto cells = made_up_experiment({.jaw = Fixed{0.25}}, 100, 21);
  const Calibration found = calibrate_made_up(cells);
  CHECK(holds(find_learned(found, "friction.jaw.mean").interval, 0.25));
  CHECK(find_learned(found, "friction.jaw.mean").sd_ratio() < 0.15);
  const Learned& width = find_learned(found, "friction.jaw.width");
  CHECK(width.interval.low == 0);
  CHECK(width.interval.high < 0.2);
  CHECK_FALSE(width.touches_low);  // there is no smaller width
  CHECK(find_learned(found, "friction.support.width").interval.low == 0);  // little is known of it
  CHECK(find_learned(found, "friction.support.width").interval.high > 0.4);
  // Nor of its mean: it keeps the spread of the prior.
  CHECK(find_learned(found, "friction.support.mean").sd_ratio() > 0.8);
  CHECK(found.fit.p_value() > 0.05);
}

TEST_CASE("distributions drawn from the prior have uniform ranks in their posteriors", "[slow]") {
  const Unknowns unknowns(FrictionFamily::kUniform, made_up_ranges());
  std::map<std::string, std::vector<double>> ranks;
  for (std::uint64_t k = 0; k < 20; ++k) {
    std::vector<double> truth;
    for (std::uint32_t j = 0; j < 4; ++j) truth.push_back(uniform_open(71, k, j));
    const auto cells = made_up_experiment({.jaw = unknowns.friction_distribution(truth, 0),
                                           .support = unknowns.friction_distribution(truth, 1)},
                                          60, 700 + k);
    const Calibration found = calibrate_made_up(cells);
    const std::vector<double> values = unknowns.values(truth);
    for (std::size_t j = 0; j < values.size(); ++j) {
      const Learned& learned = found.learned[j];
      ranks[learned.name].push_back(
          testing::rank_among(learned.draws, values[j], uniform_open(72, k, 0)));
    }
  }
  for (const auto& [name, of_name] : ranks) {
    INFO(name);
    CHECK(distance_from_uniform(of_name) < kSeldomDistance);
  }
}

TEST_CASE("single trials on a lattice are taken at their own placements", "[slow]") {
  // All at the lower ends of cells of 4 mm: taken as spread over them, they would seem to succeed
  // with more friction than there was.
  MadeUpTruth truth{.jaw = Uniform{0.2, 0.3}};
  std::vector<CalibrationCell> cells = made_up_experiment(truth, 90, 22);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    ExperimentCell& cell = cells[i].experiment;
    cell.y_min_mm = cell.y_max_mm = -4.0 * static_cast<double>(1 + i % 3);
    CalibrationTrial trial;
    trial.x_mm = cell.x_min_mm;
    trial.y_mm = cell.y_min_mm;
    trial.mu_jaw = truth.jaw.quantile(uniform_open(23, i, 0));
    trial.mu_support = 0.3;
    cell.successes = made_up_grasp(trial) == Outcome::kSuccess ? 1 : 0;
  }
  const Calibration found = calibrate_made_up(cells);
  CHECK(found.fit.p_value() > 0.05);
  CHECK(holds(find_learned(found, "friction.jaw.mean").interval, 0.25));
}

TEST_CASE("simulated trials of a calibration draw uncertain numbers, and scale what they make") {
  SweepConfig config = parse_sweep_config(testing::kConfigText, "test");
  std::vector<CalibrationTrial> trials(40);
  for (std::size_t k = 0; k < trials.size(); ++k) {
    trials[k] = {.y_mm = -5, .mu_jaw = 0.2, .mu_support = 0.3, .index = k};
  }
  const auto simulate = [&] { return simulator_of(config, 1, {})(trials); };
  const std::vector<Outcome> nominal = simulate();
  CHECK(std::count(nominal.begin(), nominal.end(), nominal.front()) == 40);  // all are alike
  const char* key = "part.piece.knob.center_mm.0";
  config.uncertain.push_back({key, Uniform{-30, 30}, *ScenarioNumber::find(config.scenario, key)});
  const std::vector<Outcome> drawn = simulate();
  CHECK(drawn != nominal);
  CHECK(simulate() == drawn);
  // A part of another size has the same draws, scaled: nearly the same ends.
  for (CalibrationTrial& trial : trials) trial.size = 1.0001;
  const std::vector<Outcome> scaled = simulate();
  int equal = 0;
  for (std::size_t k = 0; k < scaled.size(); ++k) equal += scaled[k] == drawn[k] ? 1 : 0;
  CHECK(equal >= 37);
}

TEST_CASE("placements on a lattice are detected") {
  CellGrid grid;
  grid.x_mm = {-10, 10, 20};
  grid.y_mm = {-20, 0, 20};
  std::vector<ExperimentTrial> spread;
  std::vector<ExperimentTrial> centres;
  std::vector<ExperimentTrial> corners;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const double x = -10 + 20 * uniform_open(4, i, 0);
    const double y = -20 + 20 * uniform_open(4, i, 1);
    spread.push_back({x, y, true});
    centres.push_back({std::floor(x) + 0.5, std::floor(y) + 0.5, true});
    corners.push_back({std::floor(x), y, true});
  }
  CHECK_FALSE(are_on_lattice(grid, spread));
  CHECK(are_on_lattice(grid, centres));
  CHECK(are_on_lattice(grid, corners));
  CHECK_FALSE(are_on_lattice(grid, {}));
}

TEST_CASE("trials of an experiment at one placement become one cell without extent") {
  Experiment experiment;
  experiment.single_trials = {{1, 2, true}, {3, 4, false}, {1, 2, false}, {1, 2.5, true}};
  CellGrid grid;
  grid.theta_rad = fixed_angle(0.3);
  const auto cells = exact_cells(grid, experiment, 0);
  REQUIRE(cells.size() == 3);
  CHECK(cells[0].experiment.trials == 2);
  CHECK(cells[0].experiment.successes == 1);
  CHECK(cells[0].experiment.x_min_mm == cells[0].experiment.x_max_mm);
  CHECK(cells[0].theta_min_rad == 0.3);
  CHECK(cells[2].experiment.y_min_mm == 2.5);
}

TEST_CASE("a part of another size is a misfit of friction alone, and is found when sought",
          "[slow]") {
  // The lower edge tells the size, the friction cannot.
  const auto cells = made_up_experiment({.jaw = Uniform{0.2, 0.3}, .size = 0.96}, 140, 24);
  const Calibration alone = calibrate_made_up(cells);
  CHECK(alone.fit.p_value() < 0.05);
  const Calibration with_size = calibrate_made_up(cells, {.size = true});
  CHECK(with_size.fit.p_value() > 0.05);
  const Learned& size = find_learned(with_size, "part.size");
  CHECK(holds(size.interval, 0.96));
  CHECK(size.interval.high < 1);
}

TEST_CASE("an uncertain number is found when sought", "[slow]") {
  const auto cells = made_up_experiment({.jaw = Uniform{0.2, 0.3}, .size = 0.96}, 140, 24);
  Nuisances sought;
  sought.numbers = {
      {.key = "part.piece.bar.semi_axes_mm.0", .low = 0.9, .high = 1.1, .least = 0.9, .most = 1.1}};
  const Calibration found = calibrate_made_up(cells, sought);
  CHECK(found.fit.p_value() > 0.05);
  const Learned& number = find_learned(found, "part.piece.bar.semi_axes_mm.0");
  CHECK(holds(number.interval, 0.96));
  CHECK(number.interval.high < 1);
}

TEST_CASE("a number is sought within its distribution, with lots the value of the lot") {
  SweepConfig config = parse_sweep_config(testing::kConfigText, "test");
  const ScenarioNumber number = *ScenarioNumber::find(config.scenario, "part.mass_kg");
  config.uncertain = {
      {"part.mass_kg", Normal{.mean = 0.05, .sigma = 0.005, .lot_sigma = 0.003}, number}};
  const SoughtNumber lot = sought_number(config, 0);
  CHECK(lot.low == Approx(0.041));
  CHECK(lot.high == Approx(0.059));
  CHECK(lot.part_sigma == Approx(0.004));
  CHECK(lot.least < lot.low);
  config.uncertain[0].distribution = Uniform{0.04, 0.06};
  const SoughtNumber plain = sought_number(config, 0);
  CHECK(plain.low == Approx(0.04002));
  CHECK(plain.high == Approx(0.05998));
  CHECK(plain.part_sigma == 0);

  Nuisances sought;
  sought.numbers = {lot};
  const Unknowns unknowns(FrictionFamily::kUniform, made_up_ranges(), sought);
  const std::vector<double> middle(static_cast<std::size_t>(unknowns.dimension()), 0.5);
  const Distribution distribution = unknowns.distributions(middle).back();
  CHECK(distribution.mean() == Approx(0.05));
  CHECK(*distribution.sigma() == Approx(0.004));
  CHECK(unknowns.values(middle).back() == Approx(0.05));
  CHECK(unknowns.reported().back().name == "part.mass_kg");
}

TEST_CASE("a trial of a calibration has the sought number in place of a draw") {
  SweepConfig config = parse_sweep_config(testing::kConfigText, "test");
  const char* key = "part.piece.knob.center_mm.0";
  const ScenarioNumber number = *ScenarioNumber::find(config.scenario, key);
  config.uncertain = {{key, Uniform{-30, 30}, number}};
  std::vector<CalibrationTrial> trials;
  for (std::uint64_t k = 0; k < 20; ++k) {
    trials.push_back({.y_mm = -5, .mu_jaw = 0.2, .mu_support = 0.3, .index = k});
    trials.back().numbers = {{0, number.value(config.scenario)}};
  }
  const std::vector<Outcome> sought = simulator_of(config, 1, {})(trials);
  CHECK(std::count(sought.begin(), sought.end(), sought.front()) == 20);
  for (CalibrationTrial& trial : trials) trial.numbers.clear();
  CHECK(simulator_of(config, 1, {})(trials) != sought);
}

TEST_CASE("sessions with constant friction tell less of its mean than as many single draws") {
  std::vector<CalibrationCell> cells;
  for (std::size_t session = 0; session < 3; ++session) {
    const double mu = 0.15 + 0.1 * static_cast<double>(session);
    auto some = made_up_experiment({.jaw = Fixed{mu}}, 20, 60 + session);
    for (CalibrationCell& cell : some) cell.experiment.session = session;
    cells.insert(cells.end(), some.begin(), some.end());
  }
  const Unknowns unknowns(FrictionFamily::kUniform, made_up_ranges());
  AdaptiveSettings settings = few_trials();
  settings.round_trials = 6000;
  settings.most_rounds = 2;
  settings.draws = 50;
  const SamplerSettings draws{.draws = 60, .moves = 2};
  const auto width_of_mean = [&](bool in_sessions) {
    settings.in_sessions = in_sessions;
    const Calibration c =
        calibrate_by_simulation(cells, unknowns, {}, made_up_grasps, 0.9, settings, draws);
    const Interval interval = find_learned(c, "friction.jaw.mean").interval;
    CHECK(holds(interval, 0.25));
    return interval.high - interval.low;
  };
  CHECK(width_of_mean(true) > 1.3 * width_of_mean(false));
}

/// Predicts the same everywhere.
class ConstantModel final : public OutcomeModel {
 public:
  ConstantModel(const std::vector<CalibrationCell>& cells, double p) : OutcomeModel(cells), p_(p) {}
  [[nodiscard]] std::vector<CellPrediction> predict(std::span<const double>) const override {
    return std::vector(cells_.size(), CellPrediction{p_, 1e6});
  }

 private:
  double p_;
};

TEST_CASE("a discrepancy of the model is found where it is, and only if there is one") {
  std::vector<CalibrationCell> as_predicted;
  std::vector<CalibrationCell> tilted;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      CalibrationCell cell;
      const double x = i;
      const double y = j;
      cell.experiment = {{x, x, y, y}, 8, 4};
      as_predicted.push_back(cell);
      cell.experiment.successes = i < 6 ? 2 : 6;
      tilted.push_back(cell);
    }
  }
  const ConstantModel half(as_predicted, 0.5);
  const DiscrepancyModel none(half, as_predicted);
  const DiscrepancyModel some(half, tilted);
  const std::vector<double> small{0.01};
  const std::vector<double> large{0.7};
  CHECK(none.log_likelihood(small) > none.log_likelihood(large));
  CHECK(some.log_likelihood(large) > some.log_likelihood(small) + 20);
  CHECK(none.field(large).cwiseAbs().maxCoeff() < 0.05);
  const Eigen::VectorXd field = some.field(large);
  CHECK(field(2 * 12 + 6) == Approx(-std::log(3)).margin(0.25));
  CHECK(field(9 * 12 + 6) == Approx(std::log(3)).margin(0.25));
  CHECK(some.predict(large)[9 * 12 + 6].probability == Approx(0.75).margin(0.06));
  CHECK(discrepancy_sd(0.6827) == Approx(kDiscrepancyScale).epsilon(0.01));
}

TEST_CASE("points stand for other distributions without the bias of their kernel") {
  ProposalRound round;
  round.distributions = {{Uniform{0, 1}}};
  round.noise = {0.01};
  const NonNegative non_negative{true};
  const Eigen::ArrayXXd points = draw_points(round, non_negative, 0, 400, 5);
  const std::vector<double> share{1.0};
  const DesignPoints design(points,
                            mixture_density(std::span(&round, 1), share, non_negative, points));
  const std::vector<double> bandwidth{0.1};
  for (const double width : {1e-6, 0.1, 0.4}) {
    const std::vector<Distribution> distribution{Uniform{0.6 - width / 2, 0.6 + width / 2}};
    const PointWeights weights = weights_for(design, distribution, bandwidth);
    double sum = 0;
    double mean = 0;
    double square = 0;
    for (std::size_t i = 0; i < weights.points.size(); ++i) {
      const double w = weights.values(static_cast<Eigen::Index>(i));
      const double z = points(weights.points[i], 0);
      sum += w;
      mean += w * z;
      square += w * (z - 0.6) * (z - 0.6);
    }
    CHECK(sum == Approx(1).margin(1e-5));
    CHECK(mean == Approx(0.6).margin(1e-3));
    CHECK(square == Approx(width * width / 12).margin(2e-4));
    CHECK(weights.effective_points > 30);
    CHECK(weights.effective_points < 400);
  }
}

TEST_CASE(
    "a smoothed distribution is a density of the distribution's own variance and the noise's") {
  const Distribution wide = Uniform{0.2, 0.5};
  const Distribution narrow = Uniform{0.3, 0.3 + 1e-7};
  const Distribution normal =
      TruncatedNormal{0.1, 0.2, 0.0, std::numeric_limits<double>::infinity()};
  for (const Distribution& distribution : {wide, narrow, Distribution(Fixed{0.3}), normal}) {
    double sum = 0;
    double mean = 0;
    double square = 0;
    constexpr double kStep = 1e-3;
    for (double z = -2; z < 3; z += kStep) {
      const double f = kStep * smoothed_density(distribution, 0.05, z);
      sum += f;
      mean += f * z;
      square += f * z * z;
    }
    CHECK(sum == Approx(1).epsilon(5e-3));
    if (distribution.is<TruncatedNormal>()) continue;  // keeps its bound
    CHECK(mean == Approx(distribution.mean()).epsilon(1e-3));
    CHECK(square - mean * mean == Approx(distribution.variance() + 0.0025).epsilon(2e-3));
  }
  double mean = 0;
  double square = 0;
  for (int i = 0; i < 2000; ++i) {
    const double x = normal.quantile((i + 0.5) / 2000);
    mean += x / 2000;
    square += x * x / 2000;
  }
  CHECK(normal.mean() == Approx(mean).epsilon(1e-3));
  CHECK(normal.variance() == Approx(square - mean * mean).epsilon(3e-3));
}

TEST_CASE("the shortest interval reaches a bound where draws pile up, and only there") {
  std::vector<double> piled;   // half of a normal density at 0
  std::vector<double> inside;  // a normal density about 0.5
  std::vector<double> flat;
  const Distribution normal = Normal{0.0, 0.1};
  for (int i = 0; i < 2000; ++i) {
    const double u = (i + 0.5) / 2000;
    piled.push_back(std::abs(normal.quantile(u)));
    inside.push_back(0.5 + normal.quantile(u));
    flat.push_back(u);
  }
  const ShortestInterval low = shortest_interval(piled, 0.9, 0, 1);
  CHECK(low.interval.low == 0);
  CHECK(low.interval.high == Approx(0.1645).margin(0.005));
  CHECK(low.touches_low);
  CHECK_FALSE(low.touches_high);
  const ShortestInterval middle = shortest_interval(inside, 0.9, 0, 1);
  CHECK(middle.interval.low == Approx(0.5 - 0.1645).margin(0.005));
  CHECK(middle.interval.high == Approx(0.5 + 0.1645).margin(0.005));
  CHECK_FALSE((middle.touches_low || middle.touches_high));
  const ShortestInterval all = shortest_interval(flat, 0.9, 0, 1);
  CHECK(all.interval.low == 0);
  CHECK(all.interval.high == 1);
}

TEST_CASE("a misfit names its direction") {
  std::vector<CalibrationCell> cells;
  std::vector<CellPrediction> expected;
  for (int k = 0; k < 60; ++k) {
    CalibrationCell cell;
    const double y = k;
    // Half succeed wherever they are, but those that do lie at larger y.
    cell.experiment = {{0, 0, y, y}, 1, k >= 30 ? 1 : 0};
    cells.push_back(cell);
    expected.push_back({0.5, 500});
  }
  const FitCheck check = check_fit(cells, std::vector(200, expected));
  CHECK(check.p_value() < 0.01);
  CHECK(check.largest_trend().name == "y");
  CHECK(check.largest_trend().deviation > 4);
  CHECK(check.successes == 30);
  CHECK(check.predicted_successes == Approx(30));
  // The deviance of single trials says nothing of it.
  CHECK(check.deviance_p_value > 0.5);
}

}  // namespace
}  // namespace graspmap
