#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <map>

#include "grasp/decide/lab_plan/lab_plan.hpp"
#include "grasp/decide/lab_plan/run_sheet.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "tests/support/source_dir.hpp"

// The power that lab-plan promises, measured with experiments that are really simulated: every
// trial of each is simulated in the changed laboratory, and the model is simulated anew at the
// sheet's placements, as compare does. docs/explanation/statistics.md has the result.

namespace graspmap::testing {
namespace {

struct StudyCase {
  const char* config;
  LabGoal goal;
  PlacementChoice choice = PlacementChoice::kSpread;
  int sessions = 0;
};

constexpr std::uint64_t kStudySeed = 7'000'000;
constexpr int kModels = 6;  ///< simulations of the model
constexpr std::int64_t kExperiments = 1200;

/// The trials of one experiment as a laboratory has them.
std::vector<TrialParameters> lab_trials(const ChangedLab& lab, const LabDesign& design,
                                        std::int64_t trials, std::uint64_t seed) {
  std::vector<TrialParameters> list;
  for (std::int64_t j = 0; j < trials; ++j) {
    IntendedPlacement at = design.places[design.place_of(j)];
    at.x_mm += lab.offset.x_mm;
    at.y_mm += lab.offset.y_mm;
    at.theta_rad += lab.offset.theta_rad;
    TrialParameters trial = sample_at(lab.config, at, seed, static_cast<std::uint64_t>(j));
    if (design.sessions > 0) {
      const std::uint64_t session = 1'000'000 + design.session_of(j);
      const TrialParameters surfaces = sample_at(lab.config, at, seed, session);
      trial.mu_jaw = surfaces.mu_jaw;
      trial.mu_support = surfaces.mu_support;
    }
    list.push_back(trial);
  }
  return list;
}

/// The sites of an experiment of the first `trials` trials of a design, without successes.
std::vector<PredictedSite> study_sites(const SweepConfig& config, const LabDesign& design,
                                       const Predictions& model, std::int64_t trials,
                                       std::vector<std::size_t>& of_trial) {
  std::vector<PredictedSite> sites;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
  of_trial.clear();
  for (std::int64_t j = 0; j < trials; ++j) {
    const std::size_t place = design.place_of(j);
    const std::size_t session = design.session_of(j);
    const auto [found, is_new] = numbers.try_emplace({place, session}, sites.size());
    if (is_new) {
      const IntendedPlacement& at = design.places[place];
      PredictedSite site;
      site.x_mm = at.x_mm;
      site.y_mm = at.y_mm;
      site.session = session;
      site.place = place;
      site.group = config.placement.index(config.placement.x_mm.nearest_cell(at.x_mm),
                                          config.placement.y_mm.nearest_cell(at.y_mm));
      site.model = model.places[place].counts;
      site.changed = model.places[place].changed;
      sites.push_back(site);
    }
    ++sites[found->second].trials;
    of_trial.push_back(found->second);
  }
  return sites;
}

/// The model at the placements of the first `trials` trials.
Predictions model_at(const SweepConfig& config, const LabDesign& design, std::int64_t trials,
                     std::uint64_t seed) {
  std::vector<Place> places;
  for (const IntendedPlacement& at : design.places) {
    const auto used = static_cast<std::int64_t>(places.size()) * design.trials_per_placement;
    if (used >= trials) break;
    places.push_back({at.x_mm, at.x_mm, at.y_mm, at.y_mm, at.theta_rad, at.theta_rad});
  }
  return predict(config, places, prediction_effort(places.size(), prediction_budget(places.size())),
                 design.sessions > 0, seed);
}

struct Measured {
  std::int64_t experiments = 0;
  std::int64_t reached = 0;
  std::vector<double> by_model = {};  ///< power with each simulation of the model
};

Measured measure(const SweepConfig& config, const LabRequest& request, const LabDesign& design,
                 std::int64_t trials, std::int64_t experiments) {
  Measured measured;
  const ChangedLab lab = lab_of(config, request.goal);
  AgreementSettings settings;
  settings.confidence = request.confidence;
  if (const auto* agree = std::get_if<AgreeGoal>(&request.goal)) settings.within = agree->within;
  settings.steps = change_steps(config);
  settings.replicates = 1999;
  settings.detectable = false;
  for (int m = 0; m < kModels; ++m) {
    const Predictions model =
        model_at(config, design, trials, kStudySeed + static_cast<std::uint64_t>(m));
    std::vector<std::size_t> of_trial;
    const auto sites = study_sites(config, design, model, trials, of_trial);
    const std::int64_t count = experiments / kModels;
    std::vector<TrialParameters> all;
    for (std::int64_t r = 0; r < count; ++r) {
      const auto seed = kStudySeed + 1000 + static_cast<std::uint64_t>(m * count + r);
      for (const TrialParameters& trial : lab_trials(lab, design, trials, seed)) {
        all.push_back(trial);
      }
    }
    const std::vector<Outcome> outcomes = simulate_trials(lab.config, all);
    std::vector<char> hits(static_cast<std::size_t>(count));
    (void)run_trials(count, {}, [&](std::int64_t r, Workspace&, SimulationResult&) {
      auto own = sites;
      for (std::size_t j = 0; j < of_trial.size(); ++j) {
        const std::size_t at = static_cast<std::size_t>(r * trials) + j;
        if (outcomes[at] == Outcome::kSuccess) ++own[of_trial[j]].successes;
      }
      const Agreement judged =
          agreement(own, design.sessions > 0 ? &model.draws : nullptr, settings);
      hits[static_cast<std::size_t>(r)] = reached(judged, request) ? 1 : 0;
      return Outcome::kSuccess;
    });
    std::int64_t reached_here = 0;
    for (const char hit : hits) reached_here += hit;
    measured.reached += reached_here;
    measured.experiments += count;
    measured.by_model.push_back(static_cast<double>(reached_here) / static_cast<double>(count));
  }
  return measured;
}

}  // namespace

TEST_CASE("lab-plan: power asked and power measured", "[.long]") {
  const std::vector<StudyCase> cases = {
      {"lock_piece", DetectGoal{{LabDifference::kJawFriction, 0.05}}},
      {"lock_piece", DetectGoal{{LabDifference::kJawFriction, -0.04}},
       PlacementChoice::kInformative},
      {"lock_piece", DetectGoal{{LabDifference::kSupportFriction, 0.15}},
       PlacementChoice::kInformative},
      {"lock_piece", DetectGoal{{LabDifference::kShiftX, 0.6}}},
      {"lock_piece", DetectGoal{{LabDifference::kShiftY, 0.3}}, PlacementChoice::kInformative},
      {"lock_piece", DetectGoal{{LabDifference::kSizePercent, 1}}},
      {"bolt", DetectGoal{{LabDifference::kShiftY, 0.5}}, PlacementChoice::kInformative},
      {"lock_piece", DetectGoal{{LabDifference::kJawFriction, 0.1}}, PlacementChoice::kInformative,
       6},
      {"lock_piece", AgreeGoal{0.08}},
      {"lock_piece", LearnGoal{Change::kShiftY, 0.8}},
  };
  const char* only = std::getenv("LAB_CASE");
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (only != nullptr && std::to_string(k) != only) continue;
    const StudyCase& study = cases[k];
    const SweepConfig config = read_sweep_config(
        fmt::format("{}/configs/{}.toml", testing::source_dir(), study.config), {});
    LabQuestion question;
    question.request.goal = study.goal;
    question.choice = study.choice;
    question.sessions = study.sessions;
    const LabPlan plan = make_lab_plan(config, question, {}, {});
    REQUIRE(plan.answer.search.found);
    const std::int64_t trials = plan.answer.search.trials;
    const Measured measured =
        measure(config, question.request, plan.answer.design, trials, kExperiments);
    const Interval interval = wilson_interval(measured.reached, measured.experiments);
    std::cout << fmt::format(
                     "{} | {} | {} | {} | {} | {} | {:.1f} | {:.1f} ({:.1f} to {:.1f}) | {:.2f}\n",
                     study.config, words(study.goal), name(study.choice), study.sessions, trials,
                     plan.other ? plan.other->search.trials : 0,
                     100 * plan.answer.checked().power(),
                     100.0 * static_cast<double>(measured.reached) /
                         static_cast<double>(measured.experiments),
                     100 * interval.low, 100 * interval.high, fmt::join(measured.by_model, " "))
              << std::flush;
    CHECK(interval.high >= 0.77);
    CHECK(interval.low <= 0.83);
  }
}

}  // namespace graspmap::testing
