#include <cmath>

#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/compare/published_facts.hpp"
#include "grasp/decide/detections/detections.hpp"
#include "grasp/decide/plan/posterior_draws.hpp"
#include "grasp/decide/robot_grasps/robot_frames.hpp"
#include "grasp/decide/support_fit/pushes.hpp"
#include "grasp/show/story/given_trials.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "tests/fuzz/one_trial.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/support/config_text.hpp"

namespace graspmap::fuzz {
namespace {

const SweepConfig& small_sweep() {
  static const SweepConfig config = parse_sweep_config(testing::kConfigText, "small.toml");
  return config;
}

}  // namespace

void read_experiment(std::string_view text) {
  const Experiment experiment = graspmap::read_experiment(input_file("experiment.csv", text));
  expect(experiment.cells.empty() != experiment.single_trials.empty(), "no trials, or both kinds");
  expect(pooled_cells(experiment).size() <= experiment.cells.size(), "cells were added");
}

void read_facts(std::string_view text) {
  const PublishedFacts facts = read_published_facts(input_file("facts.toml", text));
  expect(!facts.facts.empty(), "no fact");
}

void read_trials(std::string_view text) {
  const CsvTable table = parse_csv(text, "trials.csv");
  const SweepConfig& config = small_sweep();
  const std::vector<TrialParameters> trials = given_trials(table, config);
  expect(trials.size() == table.rows.size(), "a trial is missing");
  if (!trials.empty()) try_one_trial(small_sweep(), trials.front());
  must_accept([&] {
    const std::vector<GivenTrialResult> results(trials.size());
    const CsvTable again = parse_csv(given_trials_csv(table, results, config), "result.csv");
    expect(again.rows.size() == trials.size(), "a result is missing");
  });
}

void read_map(std::string_view text) {
  const std::string once = map_csv(read_map_csv(input_file("map.csv", text)));
  must_accept([&] {
    expect(map_csv(read_map_csv(input_file("map.csv", once))) == once,
           "the written map is another one");
  });
}

void read_pushes(std::string_view text) {
  const PushFile pushes = graspmap::read_pushes(input_file("pushes.csv", text), {1.5, -2.0});
  for (const MeasuredPush& push : pushes.rows) {
    expect(push.wrench.allFinite() && push.twist.allFinite(), "a push is not finite");
  }
}

void read_detections(std::string_view text) {
  const DetectionFile file = graspmap::read_detections(input_file("detections.csv", text));
  const Detection& first = file.detections.front();
  for (const Detection& one : file.detections) {
    const auto [x, y, theta] = placement_deviation(first.pose, one.pose, 0.1);
    expect(std::isfinite(x) && std::isfinite(y) && std::isfinite(theta), "is not finite");
  }
}

void read_frame(std::string_view text) {
  PlaneCalibration calibration;
  calibration.file = input_file("frame.toml", text).string();
  const SpatialPose pose = plane_frame(calibration)->pose;
  expect((pose.rotation * pose.rotation.transpose()).isIdentity(1e-6), "turns no right angles");
}

void read_posterior(std::string_view text) {
  const bool is_json = text.starts_with('{');
  static_cast<void>(
      input_file("posterior.csv", is_json ? "friction.jaw.min,friction.jaw.max\n0.1,0.2\n" : text));
  const auto json = input_file("calibrate.json", is_json ? text : "{}");
  const std::array<Distribution, 2> stored = {Uniform{0.05, 0.6},
                                              TruncatedNormal{0.3, 0.1, 0.1, 0.5}};
  TrialSample sample;
  sample.parameters.mu_jaw = 0.2;
  sample.parameters.mu_support = 0.3;
  for (const PosteriorDraw& draw : graspmap::read_posterior(json, stored, 8, "run/run.sqlite")) {
    for (const double weight : draw_weights(draw, stored, {sample})) {
      expect(std::isfinite(weight) && weight >= 0, "a weight is no number");
    }
  }
}

}  // namespace graspmap::fuzz
