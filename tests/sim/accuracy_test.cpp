/// Symmetry, and what becomes of results when the step shrinks.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The part seen in a mirror along its y axis.
Part mirrored(const Part& part) {
  Part image = part;
  for (Piece& piece : image.pieces) {
    piece.pose.position_mm.x() *= -1.0;
    piece.pose.angle_rad *= -1.0;
  }
  return image;
}

Scenario mirrored(const Scenario& scenario) {
  Scenario image = scenario;
  image.part = mirrored(scenario.part);
  image.mass.center_of_mass_P_mm.x() *= -1.0;
  return image;
}

TrialParameters mirrored(const TrialParameters& trial) {
  TrialParameters image = trial;
  image.placement_x_mm *= -1.0;
  image.theta_rad *= -1.0;
  return image;
}

/// The largest difference of two trials' ends when the second is mirrored back, mm and rad.
double distance(const State& a, const State& image) {
  const Vec3 pose = a.part_pose - image.part_pose.cwiseProduct(Vec3(-1.0, 1.0, -1.0));
  return std::max({pose.lpNorm<Eigen::Infinity>(), std::abs(a.jaw_right_mm + image.jaw_left_mm),
                   std::abs(a.jaw_left_mm + image.jaw_right_mm)});
}

void check_mirror(const Scenario& scenario, std::uint64_t seed, int trials) {
  const Scenario image = mirrored(scenario);
  Random random(seed);
  for (int k = 0; k < trials; ++k) {
    TrialParameters trial = lock_piece_trial(random);
    trial.theta_rad = random.uniform(-0.2, 0.2);
    const SimulationResult a = run(scenario, trial);
    const SimulationResult b = run(image, mirrored(trial));
    INFO("trial " << k << ": " << describe(trial));
    CHECK(a.end == b.end);
    CHECK(a.end_time_s == within(b.end_time_s, 1e-9));
    CHECK(distance(a.final_state, b.final_state) <= 1e-9);
    CHECK(a.left_touches == b.right_touches);
    CHECK(a.right_touches == b.left_touches);
  }
}

/// The physical model's outcome: 's' success, 'w' wedged, 'm' missed, 't' timeout, 'f' failed.
char outcome(const SimulationResult& result) {
  const auto touches = [](const std::vector<int>& pieces, int tooth) {
    return std::find(pieces.begin(), pieces.end(), tooth) != pieces.end();
  };
  if (result.end == EndReason::kFailed) return 'f';
  if (result.end == EndReason::kBlocked) return 'b';
  if (result.end == EndReason::kClosed) return 'm';
  if (touches(result.left_touches, 1) && touches(result.right_touches, 6)) return 's';
  if (result.left_touches.empty() || result.right_touches.empty()) return 'm';
  return result.end == EndReason::kStopped ? 'w' : 't';
}

Scenario lock_piece_at_step(double step_s) {
  Scenario scenario = lock_piece_scenario();
  scenario.step_s = step_s;
  return scenario;
}

}  // namespace

TEST_CASE("the mirrored trial is the mirror image of the trial") {
  for (const Coupling coupling : {Coupling::kSymmetric, Coupling::kIndependent}) {
    Scenario scenario = lock_piece_scenario();
    scenario.gripper.coupling = coupling;
    check_mirror(scenario, 41, 50);
    scenario.support = lock_piece_on_tripod().support;
    check_mirror(scenario, 42, 50);
  }
}

TEST_CASE("outcomes at 5 ms and at 1 ms agree for 98 in a hundred") {
  constexpr int kTrials = 500;
  Random random(43);
  int agree = 0;
  int successes = 0;
  for (int k = 0; k < kTrials; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    const char coarse = outcome(run(lock_piece_at_step(0.005), trial));
    const char fine = outcome(run(lock_piece_at_step(0.001), trial));
    CHECK(fine != 'f');
    if (coarse == fine) ++agree;
    if (fine == 's') ++successes;
  }
  CHECK(agree >= kTrials * 98 / 100);
  CHECK(successes > kTrials * 4 / 10);
  CHECK(successes < kTrials * 9 / 10);
}

TEST_CASE("final poses converge at first order in the step") {
  constexpr int kTrials = 60;
  Random random(44);
  std::array<std::vector<double>, 3> errors;
  for (int k = 0; k < kTrials; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    const SimulationResult reference = run(lock_piece_at_step(0.000125), trial);
    if (outcome(reference) != 's') continue;
    for (std::size_t level = 0; level < 3; ++level) {
      const double h = 0.004 / std::pow(2.0, static_cast<double>(level));
      const SimulationResult result = run(lock_piece_at_step(h), trial);
      if (outcome(result) != outcome(reference)) continue;
      const Vec3 error = result.final_state.part_pose - reference.final_state.part_pose;
      errors[level].push_back(error.norm());
    }
  }
  std::array<double, 3> median{};
  for (std::size_t level = 0; level < 3; ++level) {
    std::vector<double>& e = errors[level];
    std::nth_element(e.begin(), e.begin() + static_cast<std::ptrdiff_t>(e.size() / 2), e.end());
    median[level] = e[e.size() / 2];
  }
  INFO("median errors " << median[0] << ' ' << median[1] << ' ' << median[2]);
  CHECK(median[0] / median[1] == within(2.0, 0.5));
  CHECK(median[1] / median[2] == within(2.0, 0.5));
}
