#include <catch2/catch.hpp>

#include "grasp/decide/compare/comparison_report.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;

PredictedSite site_at(double x_mm, double y_mm, std::int64_t trials, std::int64_t successes,
                      std::int64_t simulated_successes) {
  PredictedSite site;
  site.x_mm = x_mm;
  site.y_mm = y_mm;
  site.trials = trials;
  site.successes = successes;
  site.model = {simulated_successes, 100, 0};
  return site;
}

/// A disc of radius 20 mm at P, between fingers that are quarter-planes.
SweepConfig disc_config() {
  SweepConfig config;
  DrawnScenario& scenario = config.scenario;
  scenario.part.pieces.push_back({"disc", {20, 20, 2}, {}});
  scenario.gripper.opening_mm = 50;
  return config;
}

}  // namespace

TEST_CASE("the figure of an experiment has the map, the placements and bins of predictions") {
  SuccessMap run({0, 2, 2}, {0, 1, 1});
  run.add(0, 0, Outcome::kSuccess);
  run.add(0, 0, Outcome::kMissed);
  ExperimentComparison comparison;
  comparison.run_name = "a run";
  comparison.experiment.origin = ExperimentOrigin::kDigitised;
  comparison.prediction.sites = {site_at(0.5, 0.25, 4, 3, 92), site_at(1.5, 0.75, 4, 4, 98),
                                 site_at(1, 0.5, 2, 0, 31)};
  comparison.agreement.trials = 10;
  comparison.agreement.successes = 7;
  comparison.agreement.expected = 8.2;
  const Figure figure = experiment_figure(run, comparison, disc_config());
  CHECK(figure.name == "experiment");
  CHECK_THAT(figure.script, Contains("7 of 10 trials succeeded (digitised), 8.2 predicted"));
  const std::string& csv = figure.data.value();
  // One cell has no trials.
  CHECK_THAT(csv, Contains("kind,x,y,value,low,high,trials\ncell,0.5,0.5,0.5,,,\nsite,0.5,"));
  CHECK_THAT(csv, Contains("site,0.5,0.25,0.75,,,4\n") && Contains("site,1.5,0.75,1,,,4\n") &&
                      Contains("site,1,0.5,0,,,2\n"));
  CHECK_THAT(csv, Contains("bin,0.95,,0.875,") && Contains("bin,0.31,,0,0,"));
}

}  // namespace graspmap::testing
