#include "grasp/decide/tolerances/lots.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "tests/support/lock_piece.hpp"

namespace graspmap::testing {
namespace {

constexpr double kSigma = 0.05;
constexpr double kLotSigma = 0.04;

SweepConfig with_lots() {
  SweepConfig config = small_lock_piece_sweep();
  const Normal distribution{.mean = 64.0, .sigma = kSigma, .lot_sigma = kLotSigma};
  config.uncertain.push_back({"gripper.opening_mm", distribution,
                              *ScenarioNumber::find(config.scenario, "gripper.opening_mm")});
  // All parts of a lot are alike.
  config.mu_jaw = Normal{.mean = 0.2, .sigma = kSigma, .lot_sigma = kSigma};
  return config;
}

TEST_CASE("parts vary in a lot, and lots among each other, as their distributions say") {
  const SweepConfig config = with_lots();
  REQUIRE(has_lots(config));
  CHECK(!has_lots(small_lock_piece_sweep()));
  constexpr int kLots = 1000;
  constexpr int kParts = 10;
  double between = 0;
  double within = 0;
  double friction = 0;
  for (std::uint64_t lot = 0; lot < kLots; ++lot) {
    double mean = 0;
    double squares = 0;
    double mu_of_lot = 0;
    for (std::uint64_t part = 0; part < kParts; ++part) {
      const PartOfLot number{lot, lot * kParts + part};
      const double x = sample_uncertain(config, 4, number).front() - 64;
      // All parts of a lot have one friction.
      const double mu_jaw = sample_at(config, {}, 4, number).mu_jaw;
      if (part == 0) mu_of_lot = mu_jaw;
      CHECK(mu_jaw == Approx(mu_of_lot).epsilon(1e-9));
      mean += x / kParts;
      squares += x * x;
    }
    within += (squares - kParts * mean * mean) / (kParts - 1) / kLots;
    between += mean * mean / kLots;
    friction += std::pow(mu_of_lot - 0.2, 2) / kLots;
  }
  // Standard errors of variances: 2 % of 9000 and 4.5 % of 1000 degrees of freedom; three of them.
  const double part_variance = kSigma * kSigma - kLotSigma * kLotSigma;
  CHECK(within == Approx(part_variance).epsilon(0.05));
  CHECK(between == Approx(kLotSigma * kLotSigma + part_variance / kParts).epsilon(0.14));
  CHECK(friction == Approx(kSigma * kSigma).epsilon(0.14));
}

TEST_CASE("the success of lots is told without the chance of their parts") {
  // A lot's probability is uniform on [0.8, 1]: mean 0.9, standard deviation 0.2 / sqrt(12), the
  // 5 % quantile 0.81, and 75 % of the lots reach 0.85.
  constexpr std::int64_t kLots = 1000;
  constexpr std::int64_t kParts = 200;
  std::vector<SampleCounts> lots;
  double reaching = 0;  // of the lots that were drawn
  for (std::uint64_t lot = 0; lot < kLots; ++lot) {
    const double p = 0.8 + 0.2 * uniform_open(1, lot, 0);
    reaching += p >= 0.85 ? 1.0 / kLots : 0.0;
    SampleCounts count;
    count.trials = kParts;
    for (std::uint32_t part = 1; part <= kParts; ++part) {
      count.successes += uniform_open(1, lot, part) < p ? 1 : 0;
    }
    lots.push_back(count);
  }
  LotQuestion question;
  question.required = 0.85;
  question.lots = kLots;
  question.parts = kParts;
  const LotSuccess found = lot_success(lots, question);
  CHECK(found.part.value == Approx(0.9).margin(0.005));
  CHECK(found.part.interval.low < 0.9);
  CHECK(found.part.interval.high > 0.9);
  CHECK(found.lot_sigma == Approx(0.2 / std::sqrt(12.0)).epsilon(0.05));
  CHECK(found.median.value == Approx(0.9).margin(0.012));
  CHECK(found.fifth_percentile.value == Approx(0.81).margin(0.012));
  REQUIRE(found.reaching);
  CHECK(found.reaching->value == Approx(reaching).margin(0.025));
  CHECK(found.reaching->value == Approx(0.75).margin(3 * std::sqrt(0.75 * 0.25 / kLots)));
  CHECK_THAT(lots_text(found), Catch::Contains("share of the lots with 85 % or more"));
  // Lots that do not differ: all of their variation is the parts' chance.
  for (std::uint64_t lot = 0; lot < kLots; ++lot) {
    lots[lot].successes = 0;
    for (std::uint32_t part = 1; part <= kParts; ++part) {
      lots[lot].successes += uniform_open(1, lot, part) < 0.9 ? 1 : 0;
    }
  }
  const LotSuccess alike = lot_success(lots, question);
  CHECK(alike.lot_sigma < 0.005);
  CHECK(alike.fifth_percentile.value > 0.885);
  CHECK(alike.reaching->value == 1);
}

TEST_CASE("simulated lots do not depend on the number of threads") {
  const SweepConfig config = with_lots();
  LotQuestion question;
  question.aim = {{4, -16, 0}, {}};
  question.lots = 5;
  question.parts = 6;
  const std::vector<SampleCounts> one = simulate_lots(config, question, 1, 1);
  const std::vector<SampleCounts> two = simulate_lots(config, question, 1, 2);
  REQUIRE(one.size() == 5);
  for (std::size_t k = 0; k < one.size(); ++k) {
    CHECK(one[k].successes == two[k].successes);
    CHECK(one[k].trials + one[k].failed == 6);
  }
}

}  // namespace
}  // namespace graspmap::testing
