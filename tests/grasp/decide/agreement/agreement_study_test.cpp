#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/agreement/predicted_sites.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "tests/support/source_dir.hpp"

/// How often agreement() is right with the lock piece, measured by simulated laboratories. Hidden:
/// grasp_tests "[agreement_study]" takes some minutes; docs/explanation/statistics.md has its
/// results.

using namespace graspmap;

namespace {

constexpr int kExperiments = 1000;      // of each design, under the true model
constexpr int kPredictions = 20;        // on which these experiments are spread
constexpr int kWrongExperiments = 250;  // under another truth
constexpr std::int64_t kBudget = 60'000;
constexpr std::uint64_t kStudySeed = 20'261'122;

SweepConfig lock_piece(const std::vector<std::string>& overrides = {}) {
  return read_sweep_config(testing::source_dir() + "/configs/lock_piece.toml", overrides);
}

/// A laboratory's placements, a trial at each, in so many sessions (0: friction varies from trial
/// to trial).
struct Design {
  std::string name;
  std::vector<IntendedPlacement> placements;
  std::size_t sessions = 0;
};

Design uniform_design(std::string name, std::size_t count, const Place& area,
                      std::size_t sessions = 0) {
  Design design{std::move(name), {}, sessions};
  for (std::size_t k = 0; k < count; ++k) {
    design.placements.push_back(
        {area.x_min_mm + (area.x_max_mm - area.x_min_mm) * uniform_open(kStudySeed, k, 1),
         area.y_min_mm + (area.y_max_mm - area.y_min_mm) * uniform_open(kStudySeed, k, 2), 0.0});
  }
  return design;
}

Design lattice_design(std::string name, double first_x, double first_y, int nx, int ny,
                      std::size_t sessions = 0) {
  Design design{std::move(name), {}, sessions};
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) design.placements.push_back({first_x + i, first_y + j, 0.0});
  }
  return design;
}

const Place kMap{-10, 10, -20, 0, 0, 0};
const Place kEdge{-8, 8, -7, -4, 0, 0};

/// The laboratory's truth: distributions, and where its gripper really is.
struct Truth {
  SweepConfig config = lock_piece();
  double shift_y_mm = 0.0;
};

/// A site for each placement, in sessions that take turns.
struct Study {
  Study(const Design& design, std::int64_t budget, std::uint64_t seed = 5) : config(lock_piece()) {
    std::vector<Place> places;
    for (const IntendedPlacement& at : design.placements) {
      places.push_back({at.x_mm, at.x_mm, at.y_mm, at.y_mm, 0, 0});
    }
    predictions = predict(config, places, prediction_effort(places.size(), budget),
                          design.sessions > 0, seed);
    settings.steps = change_steps(config);
    settings.replicates = 999;
    settings.detectable = false;
    sessions = design.sessions;
    for (std::size_t k = 0; k < places.size(); ++k) {
      PredictedSite site;
      site.x_mm = places[k].x_min_mm;
      site.y_mm = places[k].y_min_mm;
      site.place = k;
      site.session = sessions > 0 ? k % sessions : 0;
      site.group = config.placement.index(config.placement.x_mm.nearest_cell(site.x_mm),
                                          config.placement.y_mm.nearest_cell(site.y_mm));
      site.trials = 1;
      site.model = predictions.places[k].counts;
      site.changed = predictions.places[k].changed;
      sites.push_back(site);
    }
  }

  /// The outcomes of `count` experiments under a truth, experiment by experiment.
  [[nodiscard]] std::vector<Outcome> perform(const Truth& truth, int count,
                                             std::uint64_t seed) const {
    std::vector<TrialParameters> trials;
    for (int e = 0; e < count; ++e) {
      for (std::size_t k = 0; k < sites.size(); ++k) {
        const std::uint64_t index = static_cast<std::uint64_t>(e) * sites.size() + k;
        TrialParameters trial = sample_at(
            truth.config, {sites[k].x_mm, sites[k].y_mm + truth.shift_y_mm, 0}, seed, index);
        if (sessions > 0) {
          const std::uint64_t session = static_cast<std::uint64_t>(e) * sessions + sites[k].session;
          trial.mu_jaw = truth.config.mu_jaw.quantile(uniform_open(seed, session, 50));
          trial.mu_support = truth.config.mu_support.quantile(uniform_open(seed, session, 51));
        }
        trials.push_back(trial);
      }
    }
    return simulate_trials(truth.config, trials);
  }

  /// Calls `visit` with the agreement of each of `count` experiments.
  void for_each(const Truth& truth, int count, std::uint64_t seed,
                const std::function<void(const Agreement&)>& visit) {
    const std::vector<Outcome> outcomes = perform(truth, count, seed);
    for (int e = 0; e < count; ++e) {
      for (std::size_t k = 0; k < sites.size(); ++k) {
        const auto index = static_cast<std::size_t>(e) * sites.size() + k;
        sites[k].successes = outcomes[index] == Outcome::kSuccess ? 1 : 0;
      }
      visit(agreement(sites, sessions > 0 ? &predictions.draws : nullptr, settings));
    }
  }

  /// The mean change, and the mean absolute change, of the success that a truth makes.
  struct Effect {
    double mean = 0.0;
    double absolute = 0.0;
  };
  [[nodiscard]] Effect effect(const Truth& truth) const {
    constexpr int kRuns = 200;
    const auto shares = [&](const Truth& of, std::uint64_t seed) {
      std::vector<double> p(sites.size(), 0.0);
      const auto outcomes = perform(of, kRuns, seed);
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        p[i % sites.size()] += outcomes[i] == Outcome::kSuccess ? 1.0 / kRuns : 0.0;
      }
      return p;
    };
    const auto changed = shares(truth, 71);
    const auto unchanged = shares({}, 71);  // the same random numbers
    Effect effect;
    for (std::size_t k = 0; k < sites.size(); ++k) {
      effect.mean += (changed[k] - unchanged[k]) / static_cast<double>(sites.size());
      effect.absolute += std::abs(changed[k] - unchanged[k]) / static_cast<double>(sites.size());
    }
    return effect;
  }

  SweepConfig config;
  Predictions predictions;
  std::vector<PredictedSite> sites;
  std::size_t sessions = 0;
  AgreementSettings settings;
};

std::string share(int count, int all) { return fmt::format("{:.1f} %", 100.0 * count / all); }

}  // namespace

TEST_CASE("size of the tests of agreement", "[.long][agreement_study]") {
  std::vector<Design> designs = {
      uniform_design("200 random", 200, kMap),
      lattice_design("400 cell centres", -9.5, -19.5, 20, 20),
      lattice_design("399 integers", -9, -20, 19, 21),
      uniform_design("60 at the edge", 60, kEdge),
      uniform_design("200 random, 1 session", 200, kMap, 1),
      uniform_design("200 random, 5 sessions", 200, kMap, 5),
      lattice_design("400 cell centres, 8 sessions", -9.5, -19.5, 20, 20, 8)};
  for (const Design& design : designs) {
    int rejected = 0;
    int total = 0;
    int covered = 0;
    int agrees = 0;
    double widening = 0.0;
    double within = 0.0;
    const auto count = [&](const Agreement& result) {
      const ChangeResult& level = *result.of(Change::kLevel);
      rejected += result.significant ? 1 : 0;
      total += level.p_value <= 0.05 ? 1 : 0;
      covered += level.estimate.interval.low <= 0 && level.estimate.interval.high >= 0 ? 1 : 0;
      agrees += result.verdict == AgreementVerdict::kAgrees ? 1 : 0;
      widening = result.session_widening;
      within += result.smallest_within / kExperiments;
    };
    // The tests are exact over experiments and predictions together.
    for (int k = 0; k < kPredictions; ++k) {
      const auto seed = static_cast<std::uint64_t>(k);
      Study study(design, kBudget, 5 + seed);
      study.for_each({}, kExperiments / kPredictions, 11 + seed, count);
    }
    WARN(fmt::format(
        "{}: true model rejected {}, total alone {}, interval covers {}, agrees "
        "within 10 points {}, mean smallest {:.1f}, widening {:.2f}",
        design.name, share(rejected, kExperiments), share(total, kExperiments),
        share(covered, kExperiments), share(agrees, kExperiments), 100 * within, widening));
    CHECK(rejected <= kExperiments * 0.07);
    CHECK(total <= kExperiments * 0.08);
  }
}

TEST_CASE("power of the tests of agreement", "[.long][agreement_study]") {
  const Truth narrow{lock_piece({"friction.jaw.max=0.2"}), 0.0};
  const Truth shifted{lock_piece(), 0.5};
  struct Case {
    Design design;
    Truth truth;
    std::string what;
  };
  std::vector<Case> cases = {
      {uniform_design("200 random", 200, kMap), narrow, "jaw 0.05 to 0.20"},
      {uniform_design("60 at the edge", 60, kEdge), narrow, "jaw 0.05 to 0.20"},
      {uniform_design("200 random, 5 sessions", 200, kMap, 5), narrow, "jaw 0.05 to 0.20"},
      {uniform_design("200 random", 200, kMap), shifted, "0.5 mm in y"}};
  for (const Case& c : cases) {
    Study study(c.design, kBudget);
    int significant = 0;
    int total = 0;
    study.for_each(c.truth, kWrongExperiments, 12, [&](const Agreement& result) {
      significant += result.significant ? 1 : 0;
      total += result.of(Change::kLevel)->p_value <= 0.05 ? 1 : 0;
    });
    WARN(fmt::format("{}, {}: found {}, by the total alone {}", c.design.name, c.what,
                     share(significant, kWrongExperiments), share(total, kWrongExperiments)));
  }
}

TEST_CASE("error of agreement when it is wrong by the margin", "[.long][agreement_study]") {
  const Truth narrow{lock_piece({"friction.jaw.max=0.2"}), 0.0};
  const Truth wide{lock_piece({"friction.jaw.max=0.5"}), 0.0};
  const Truth shifted{lock_piece(), 0.7};
  struct Case {
    Design design;
    Truth truth;
    std::string what;
  };
  std::vector<Case> cases = {
      {uniform_design("200 random", 200, kMap), wide, "jaw 0.05 to 0.50"},
      {uniform_design("200 random", 200, kMap), shifted, "0.7 mm in y"},
      {uniform_design("60 at the edge", 60, kEdge), wide, "jaw 0.05 to 0.50"},
      {uniform_design("200 random, 5 sessions", 200, kMap, 5), wide, "jaw 0.05 to 0.50"}};
  for (const Case& c : cases) {
    Study study(c.design, kBudget);
    const auto effect = study.effect(c.truth);
    study.settings.within = effect.absolute;
    int agrees = 0;
    study.for_each(c.truth, kWrongExperiments, 13, [&](const Agreement& result) {
      agrees += result.verdict == AgreementVerdict::kAgrees ? 1 : 0;
    });
    WARN(
        fmt::format("{}, {}: margin = the true mean absolute change, {:.1f} points (mean change "
                    "{:.1f}): agrees {}",
                    c.design.name, c.what, 100 * effect.absolute, 100 * effect.mean,
                    share(agrees, kWrongExperiments)));
    CHECK(agrees <= kWrongExperiments * 0.08);
  }
}
