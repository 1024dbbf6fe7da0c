#include "grasp/decide/agreement/agreement.hpp"

#include <catch2/catch.hpp>

#include "grasp/decide/agreement/simulated_experiments.hpp"
#include "grasp/decide/agreement/site_model.hpp"
#include "tests/grasp/decide/agreement/made_up_sites.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// How many of `count` experiments under a truth fulfil a condition.
template <typename Condition>
int how_often(int count, const std::vector<PredictedSite>& sites, const MadeUpModel& truth,
              const AgreementSettings& settings, MadeUpDraws& draws, const Condition& condition) {
  std::vector<PredictedSite> experiment = sites;
  int found = 0;
  for (int i = 0; i < count; ++i) {
    perform(experiment, truth, draws);
    found += condition(agreement(experiment, nullptr, settings)) ? 1 : 0;
  }
  return found;
}

/// How likely the test of a change in x at the 5 % level is to find this amount.
double detection_power(const std::vector<PredictedSite>& sites, double amount) {
  const auto models = site_models(sites, FailedTrials::kNoSuccess);
  const auto score = score_weights(sites, models, Change::kShiftX, kMadeUpStep);
  REQUIRE(score);
  const auto variance = score_variance(sites, models, nullptr, score->weights);
  return power({sites, models, *score, variance, kMadeUpStep, two_sided_z(0.95)}, amount);
}

bool is_significant(const Agreement& result) { return result.significant; }
bool agrees(const Agreement& result) { return result.verdict == AgreementVerdict::kAgrees; }

}  // namespace

TEST_CASE("p-values of several tests are corrected together", "[agreement]") {
  TestStatistic a;
  a.observed = 10;
  for (int r = 0; r < 99; ++r) a.simulated.push_back(r % 10);
  TestStatistic b = a;
  b.two_sided = false;
  b.observed = 4.5;  // 50 of the simulated ones are larger
  const JointTests one = joint_tests({a}, 0.05);
  CHECK(one.tests[0].p_value == Approx(0.02));  // two-sided, the observed one itself of 100
  CHECK(one.tests[0].adjusted_p == Approx(0.02));
  const JointTests twice = joint_tests({a, a, b}, 0.05);
  CHECK(twice.tests[0].p_value == Approx(0.02));
  CHECK(twice.tests[1].adjusted_p == Approx(twice.tests[0].adjusted_p));
  CHECK(twice.tests[2].p_value == Approx(0.5));
  CHECK(twice.tests[2].adjusted_p >= 0.5);
  CHECK(twice.tests[0].adjusted_p == Approx(0.02));  // the other tests say nothing as rare
}

TEST_CASE("independent tests are corrected as for as many", "[agreement]") {
  MadeUpDraws draws(1);
  std::vector<TestStatistic> statistics(4);
  for (TestStatistic& statistic : statistics) {
    statistic.two_sided = false;
    for (int r = 0; r < 999; ++r) statistic.simulated.push_back(draws.uniform());
    statistic.observed = 0.5;
  }
  statistics[2].observed = 0.99;
  const JointTests tests = joint_tests(statistics, 0.05);
  CHECK(tests.tests[2].p_value == Approx(0.01).margin(0.01));
  CHECK(tests.tests[2].adjusted_p ==
        Approx(1 - std::pow(1 - tests.tests[2].p_value, 4)).margin(0.015));
  CHECK(tests.critical_p == Approx(1 - std::pow(0.95, 0.25)).margin(0.006));
}

TEST_CASE("with one probability, the interval of the mean success is Wilson's", "[agreement]") {
  std::vector<PredictedSite> sites(3);
  for (PredictedSite& site : sites) {
    site.trials = 20;
    site.model = {300, 1000, 0};
  }
  const auto models = site_models(sites, FailedTrials::kNoSuccess);
  for (const std::int64_t successes : {0, 7, 33, 60}) {
    const Interval interval =
        mean_success_interval(models, static_cast<double>(successes), kZ95, 1.0);
    const Interval wilson = wilson_interval(successes, 60);
    CHECK(interval.low == Approx(wilson.low).margin(1e-9));
    CHECK(interval.high == Approx(wilson.high).margin(1e-9));
  }
}

TEST_CASE("the true model is rejected as often as asked", "[agreement]") {
  MadeUpDraws draws(2);
  const auto settings = made_up_settings(199);
  // So few simulated trials that a test that took them as exact would reject often.
  int rejected = 0;
  for (int i = 0; i < 20; ++i) {
    const auto sites = made_up_sites(60, 2, 12, draws);
    rejected += how_often(10, sites, {}, settings, draws, is_significant);
  }
  CHECK(rejected <= 20);  // of 200; 10 expected
}

TEST_CASE("sparse trials find what their total shows", "[agreement]") {
  MadeUpDraws draws(3);
  const auto sites = made_up_sites(200, 1, 300, draws);
  const auto settings = made_up_settings(999);
  const auto found = [](const Agreement& result) {
    return result.of(Change::kLevel)->p_value < 0.05 && result.significant;
  };
  CHECK(how_often(20, sites, {.shift_y_mm = -1.2}, settings, draws, found) >= 17);
}

TEST_CASE("a shift is found as a shift", "[agreement]") {
  MadeUpDraws draws(4);
  auto sites = made_up_sites(200, 2, 300, draws);
  perform(sites, {.shift_x_mm = 0.5}, draws);
  const Agreement result = agreement(sites, nullptr, made_up_settings());
  const ChangeResult* shift = result.of(Change::kShiftX);
  REQUIRE(shift != nullptr);
  CHECK(shift->adjusted_p < 0.05);
  CHECK(shift->estimate.interval.low < 0.5);
  CHECK(shift->estimate.interval.high > 0.5);
  CHECK(shift->estimate.interval.low > 0);
  CHECK(result.of(Change::kLevel)->adjusted_p > 0.05);  // what is lost on a side comes at the other
  CHECK(result.of(Change::kTurn) == nullptr);
  CHECK(result.verdict != AgreementVerdict::kCannotTell);
}

TEST_CASE("agreement is shown with enough trials and not with few", "[agreement]") {
  MadeUpDraws draws(5);
  const auto settings = made_up_settings(199);
  const auto many = made_up_sites(200, 3, 500, draws);
  CHECK(how_often(20, many, {}, settings, draws, agrees) >= 19);
  const auto few = made_up_sites(12, 1, 500, draws);
  CHECK(how_often(20, few, {}, settings, draws, agrees) <= 4);
}

TEST_CASE("a model that is wrong by the margin is rarely said to agree", "[agreement][slow]") {
  MadeUpDraws draws(6);
  auto settings = made_up_settings(199);
  const auto sites = made_up_sites(150, 2, 500, draws);
  const MadeUpModel model;
  const MadeUpModel truth{.level = 0.8};
  double lost = 0.0;
  for (const PredictedSite& site : sites) {
    lost += model.probability(site.x_mm, site.y_mm) - truth.probability(site.x_mm, site.y_mm);
  }
  settings.within = lost / static_cast<double>(sites.size());
  CHECK(how_often(60, sites, truth, settings, draws, agrees) <= 7);  // 3 expected at most
}

TEST_CASE("trials of one session are no independent trials", "[agreement]") {
  // Each session has its edge at one of 50 places; the mean of them is the model.
  MadeUpDraws draws(7);
  constexpr std::size_t kDraws = 50;
  constexpr std::size_t kSessions = 4;
  auto places = made_up_sites(25, 1, 100, draws);
  SessionDraws model;
  model.places = places.size();
  for (std::size_t j = 0; j < kDraws; ++j) {
    const double edge = -3 + 6 * (static_cast<double>(j) + 0.5) / kDraws;
    for (const PredictedSite& place : places) {
      const bool success = std::abs(place.x_mm) < 6 && place.y_mm < edge;
      model.success.push_back(success ? 1.0F : 0.0F);
    }
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    places[k].model = {0, kDraws, 0};
    for (std::size_t j = 0; j < kDraws; ++j) {
      places[k].model.successes += model.success[j * model.places + k] > 0 ? 1 : 0;
    }
  }
  std::vector<PredictedSite> sites;
  for (std::size_t s = 0; s < kSessions; ++s) {
    for (PredictedSite site : places) {
      site.session = s;
      site.trials = 2;
      sites.push_back(site);
    }
  }
  const auto settings = made_up_settings(199);
  int rejected = 0;
  int rejected_without = 0;
  for (int i = 0; i < 100; ++i) {
    std::array<std::size_t, kSessions> of_session{};
    for (std::size_t& j : of_session) j = static_cast<std::size_t>(draws.uniform() * kDraws);
    for (PredictedSite& site : sites) {
      site.successes =
          model.success[of_session[site.session] * model.places + site.place] > 0 ? site.trials : 0;
    }
    const Agreement result = agreement(sites, &model, settings);
    rejected += result.significant ? 1 : 0;
    rejected_without += agreement(sites, nullptr, settings).significant ? 1 : 0;
    if (i > 0) continue;
    CHECK(result.session_widening > 1.5);
    CHECK(result.between_sessions);
    REQUIRE(result.sessions.size() == kSessions);
    CHECK(result.sessions[1].trials == 50);
  }
  CHECK(rejected <= 11);
  CHECK(rejected_without > 20);
}

TEST_CASE("cells with very many trials in sessions are drawn quickly", "[agreement]") {
  SessionDraws model;
  model.places = 2;
  for (int j = 0; j < 20; ++j) {
    model.success.push_back(0.3F);
    model.success.push_back(1e-8F);
  }
  std::vector<PredictedSite> sites(2);
  sites[0].trials = sites[1].trials = 1'000'000'000;
  sites[0].model = {6'000, 20'000, 0};
  sites[0].successes = 300'000'000;
  sites[1].place = sites[1].group = 1;
  sites[1].model = {0, 20'000, 0};
  sites[1].successes = 10;
  const Agreement result = agreement(sites, &model, made_up_settings(99));
  CHECK(result.p_value > 0.05);
  CHECK(result.sessions.size() == 1);
  // 20 draws say how the mean of the session is known.
  CHECK(result.expected_sd == Approx(std::sqrt(0.3 * 0.7 * 1e9 * (1 + 1.0 / 20))).epsilon(1e-3));
}

TEST_CASE("the detectable change is found as often as said", "[agreement][slow]") {
  MadeUpDraws draws(8);
  auto sites = made_up_sites(150, 2, 500, draws);
  auto settings = made_up_settings(999);
  settings.detectable = true;
  perform(sites, {}, draws);
  const Agreement planned = agreement(sites, nullptr, settings);
  const double shift = planned.of(Change::kShiftX)->detectable_80;
  REQUIRE(shift > 0.1);
  CHECK(planned.of(Change::kShiftX)->detectable_90 > shift);
  settings = made_up_settings(499);
  const int found = how_often(
      50, sites, {.shift_x_mm = shift}, settings, draws,
      [](const Agreement& result) { return result.of(Change::kShiftX)->adjusted_p <= 0.05; });
  CHECK(found >= 33);  // 40 expected
  CHECK(found <= 47);
  CHECK(detection_power(sites, shift) > 0.8);
  CHECK(detection_power(sites, 0.0) == Approx(0.05).margin(0.02));
}

TEST_CASE("failed simulated trials count for neither side", "[agreement]") {
  MadeUpDraws draws(9);
  auto sites = made_up_sites(60, 2, 100, draws);
  perform(sites, {.shift_y_mm = -1}, draws);
  const Agreement without = agreement(sites, nullptr, made_up_settings());
  for (PredictedSite& site : sites) site.model.failed = 20;
  const Agreement with = agreement(sites, nullptr, made_up_settings());
  const ChangeResult* level = with.of(Change::kLevel);
  CHECK(level->p_value > without.of(Change::kLevel)->p_value);
  CHECK(level->estimate.interval.low < without.of(Change::kLevel)->estimate.interval.low);
  CHECK(level->estimate.interval.high > without.of(Change::kLevel)->estimate.interval.high);
  CHECK(with.smallest_within > without.smallest_within);
}

TEST_CASE("an experiment at places where all trials succeed can agree", "[agreement]") {
  std::vector<PredictedSite> sites(60);
  for (std::size_t k = 0; k < sites.size(); ++k) {
    sites[k].place = sites[k].group = k;
    sites[k].trials = sites[k].successes = 1;
    sites[k].model = {200, 200, 0};
  }
  const Agreement result = agreement(sites, nullptr, made_up_settings());
  CHECK(result.p_value == 1.0);
  CHECK(result.smallest_within > 0.04);  // 60 of 60 still allow 95 %
  CHECK(result.verdict == AgreementVerdict::kAgrees);
}
