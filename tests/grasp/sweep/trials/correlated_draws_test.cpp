#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "grasp/sweep/config/distributions.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "tests/support/lock_piece.hpp"

using namespace graspmap;

namespace {

constexpr std::uint64_t kDraws = 20'000;

Distribution normal(double mean, double sigma, double lot_sigma) {
  return Normal{.mean = mean, .sigma = sigma, .lot_sigma = lot_sigma};
}

/// Uncertain mass and opening, and random friction.
SweepConfig sweep_with_lots() {
  SweepConfig config;
  config.placement.x_mm = {-1, 1, 1};
  config.placement.y_mm = {-1, 1, 1};
  config.trials_per_cell = static_cast<int>(kDraws);
  config.seed = 5;
  config.mu_jaw = Uniform{0, 1};
  for (const auto& [key, distribution] : {std::pair{"gripper.opening_mm", normal(60, 2, 1.2)},
                                          std::pair{"part.mass_kg", normal(1, 0.1, 0.06)}}) {
    config.uncertain.push_back({key, distribution, *ScenarioNumber::find(config.scenario, key)});
  }
  return config;
}

void correlate(SweepConfig& config, double jaw_opening, double jaw_mass, double opening_mass) {
  Eigen::MatrixXd R(3, 3);
  R << 1, jaw_opening, jaw_mass, jaw_opening, 1, opening_mass, jaw_mass, opening_mass, 1;
  config.correlated = {{{"friction.jaw", "gripper.opening_mm", "part.mass_kg"}, R}};
}

/// Normal scores of friction, opening and mass.
struct Scores {
  std::vector<double> jaw, opening, mass;

  void add(const SweepConfig& config, const TrialParameters& parameters,
           const std::vector<double>& uncertain) {
    jaw.push_back(normal_score(config.mu_jaw.cumulative(parameters.mu_jaw)));
    opening.push_back((uncertain[0] - 60) / 2);
    mass.push_back((uncertain[1] - 1) / 0.1);
  }
};

/// The mean product: the correlation of scores whose means are 0 and variances 1.
double mean_product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum / static_cast<double>(a.size());
}

/// Five standard errors of a mean product.
const double kMargin = 5 * std::sqrt(2.0 / static_cast<double>(kDraws));

Scores scores_of_run(const SweepConfig& config) {
  Scores scores;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(kDraws); ++i) {
    const SampledTrial trial = sample_trial(config, i);
    scores.add(config, trial.parameters, trial.uncertain);
  }
  return scores;
}

/// The variance of lots' means and the mean variance within lots of ten parts.
struct LotVariances {
  double between = 0.0;
  double within = 0.0;
};

LotVariances variances_of_lots(const std::vector<double>& scores) {
  constexpr std::size_t kParts = 10;
  const std::size_t lots = scores.size() / kParts;
  LotVariances v;
  for (std::size_t lot = 0; lot < lots; ++lot) {
    double mean = 0;
    for (std::size_t k = 0; k < kParts; ++k) mean += scores[lot * kParts + k] / kParts;
    for (std::size_t k = 0; k < kParts; ++k) {
      const double d = scores[lot * kParts + k] - mean;
      v.within += d * d / (kParts - 1) / static_cast<double>(lots);
    }
    v.between += mean * mean / static_cast<double>(lots);
  }
  v.between -= v.within / kParts;
  return v;
}

Scores scores_of_lots(const SweepConfig& config) {
  Scores scores;
  for (std::uint64_t part = 0; part < kDraws; ++part) {
    const PartOfLot of_lot{part / 10, part};
    scores.add(config, sample_at(config, {}, config.seed, of_lot),
               sample_uncertain(config, config.seed, of_lot));
  }
  return scores;
}

}  // namespace

TEST_CASE("correlated inputs have the correlations of the matrix and their own distributions") {
  SweepConfig config = sweep_with_lots();
  correlate(config, 0.8, -0.5, -0.3);
  const Scores scores = scores_of_run(config);
  CHECK(mean_product(scores.jaw, scores.opening) == Approx(0.8).margin(kMargin));
  CHECK(mean_product(scores.jaw, scores.mass) == Approx(-0.5).margin(kMargin));
  CHECK(mean_product(scores.opening, scores.mass) == Approx(-0.3).margin(kMargin));
  for (const auto& own : {scores.jaw, scores.opening, scores.mass}) {
    CHECK(mean_product(own, own) == Approx(1).margin(kMargin));
    CHECK(mean_product(own, std::vector<double>(own.size(), 1.0)) == Approx(0).margin(kMargin));
  }
}

TEST_CASE("a correlation leaves all other inputs as they are") {
  SweepConfig config = sweep_with_lots();
  config.points = SweepPoints::kIndependent;  // a net has more dimensions with more inputs
  config.mu_support = Uniform{0, 1};
  config.placement.noise_y_mm = normal(0, 1, 0);
  SweepConfig correlated = config;
  correlated.correlated = {{{"part.mass_kg", "placement.noise.x_mm"}, Eigen::MatrixXd(2, 2)}};
  correlated.correlated[0].correlation << 1, 0.5, 0.5, 1;
  correlated.placement.noise_x_mm = normal(0, 1, 0);
  for (std::int64_t i = 0; i < 20; ++i) {
    const SampledTrial a = sample_trial(config, i);
    const SampledTrial b = sample_trial(correlated, i);
    CHECK(a.parameters.mu_jaw == b.parameters.mu_jaw);
    CHECK(a.parameters.mu_support == b.parameters.mu_support);
    CHECK(a.parameters.placement_y_mm == b.parameters.placement_y_mm);
    CHECK(a.uncertain[0] == b.uncertain[0]);
    CHECK(b.intended.x_mm + sample_noise(correlated, i).x_mm == b.parameters.placement_x_mm);
    CHECK(sample_uncertain(correlated, i) == b.uncertain);
    CHECK(sample_uncertain(correlated, correlated.seed, static_cast<std::uint64_t>(i)) ==
          b.uncertain);
  }
}

TEST_CASE("parts of a lot differ less than parts of all lots") {
  const SweepConfig config = sweep_with_lots();
  const Scores scores = scores_of_lots(config);
  for (const auto& own : {scores.opening, scores.mass}) {  // lot_sigma is 0.6 sigma
    const LotVariances v = variances_of_lots(own);
    CHECK(v.between == Approx(0.36).margin(5 * std::sqrt(2.0 / 2000)));
    CHECK(v.within == Approx(0.64).margin(5 * 0.64 * std::sqrt(2.0 / 18000)));
  }
  const LotVariances jaw = variances_of_lots(scores.jaw);  // has no lots
  CHECK(jaw.between == Approx(0).margin(5 * 0.1 * std::sqrt(2.0 / 2000)));
  CHECK(jaw.within == Approx(1).margin(5 * std::sqrt(2.0 / 18000)));
}

TEST_CASE("correlated inputs of lots have the correlations of the matrix over all parts") {
  SweepConfig config = sweep_with_lots();
  correlate(config, 0.5, 0.2, 0.7);
  const Scores scores = scores_of_lots(config);
  // Parts of a lot are alike: as 2000 lots of draws.
  const double margin = 5 * std::sqrt(2.0 / 4000);
  CHECK(mean_product(scores.jaw, scores.opening) == Approx(0.5).margin(margin));
  CHECK(mean_product(scores.jaw, scores.mass) == Approx(0.2).margin(margin));
  CHECK(mean_product(scores.opening, scores.mass) == Approx(0.7).margin(margin));
  const LotVariances v = variances_of_lots(scores.opening);
  CHECK(v.between == Approx(0.36).margin(5 * std::sqrt(2.0 / 2000)));
  CHECK(v.within == Approx(0.64).margin(5 * 0.64 * std::sqrt(2.0 / 18000)));
}

TEST_CASE("a part without lots is the trial's own") {
  SweepConfig config = sweep_with_lots();
  for (UncertainNumber& number : config.uncertain)
    number.distribution = number.distribution.without_lots();
  CHECK(sample_uncertain(config, 5, PartOfLot{3, 17}) == sample_uncertain(config, 5, 17));
}
