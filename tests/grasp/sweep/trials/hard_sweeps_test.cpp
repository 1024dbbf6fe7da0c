#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "geometry/part.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "sim/closing/length_unit.hpp"
#include "sim/closing/tolerances.hpp"
#include "tests/support/brute_overlap.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_gap.hpp"
#include "tests/support/source_dir.hpp"

// Sweeps with extreme but legal physics that have failed, hung or ended with jaws where they cannot
// be: tests/data/hard_cases/sweeps.

namespace graspmap::testing {
namespace {

std::vector<std::filesystem::path> hard_sweeps(const char* folder = "sweeps") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(testing::source_dir()) / "tests/data/hard_cases" / folder)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// They failed with steps of first order.
const std::vector<std::string> kFirstOrder = {"simulation.order=1", "simulation.tolerance_mm=0"};

bool all_finite(const State& state) {
  return state.part_pose.allFinite() && state.part_velocity.allFinite() &&
         std::isfinite(state.jaw_right_mm) && std::isfinite(state.jaw_left_mm) &&
         std::isfinite(state.jaw_right_mm_s) && std::isfinite(state.jaw_left_mm_s);
}

void check_trial(const SweepConfig& config, std::int64_t index) {
  const Scenario& scenario = config.scenario;
  const double size = bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
  constexpr int kEvery = 32;  // a step in so many is looked at
  int steps = 0;
  double overlap = 0.0;
  bool finite = true;
  const StepObserver observer = [&](const StepRecord& record) {
    finite = finite && all_finite(*record.state);
    if (steps++ % kEvery == 0) {
      overlap = std::max(overlap, brute_overlap_mm(scenario, *record.state, 60));
    }
  };
  Workspace workspace;
  SimulationResult result;
  const TrialParameters trial = sample_trial(config, index).parameters;
  simulate(scenario, trial, workspace, result, &observer);
  CHECK(finite);
  CHECK(all_finite(result.final_state));
  CHECK(static_cast<int>(result.end) < static_cast<int>(EndReason::kFailed));
  CHECK(result.statistics.newton_iterations < 40000);
  CHECK(result.final_state.jaw_right_mm >= result.final_state.jaw_left_mm);
  CHECK(result.end_time_s <= scenario.stop.timeout_s * (1 + 1e-9) + scenario.step_s);
  if (result.end == EndReason::kBlocked) return;
  overlap = std::max(overlap, brute_overlap_mm(scenario, result.final_state));
  CHECK(overlap <= 1e-9 * size);
}

TEST_CASE("sweeps with extreme physics end, without overlap") {
  const std::vector<std::filesystem::path> files = hard_sweeps();
  REQUIRE(files.size() >= 114);
  for (const std::filesystem::path& file : files) {
    const SweepConfig config = read_sweep_config(file, kFirstOrder);
    for (std::int64_t index = 0; index < config.trials(); ++index) {
      CAPTURE(file.filename().string(), index);
      check_trial(config, index);
    }
  }
}

// Gaps at every eighth step, from sampled boundaries: nothing of the simulation's own contacts.
TEST_CASE("contacts of thin and sharp parts are not lost: they end, without overlap") {
  const std::vector<std::filesystem::path> files = hard_sweeps("lost_contacts");
  REQUIRE(files.size() == 13);
  const std::vector<std::string> settings =
      GENERATE(std::vector<std::string>{}, std::vector<std::string>(kFirstOrder));
  for (const std::filesystem::path& file : files) {
    CAPTURE(file.filename().string(), settings);
    const SweepConfig config = read_sweep_config(file, settings);
    const Scenario& scenario = config.scenario;
    const OutlineGap gap(scenario);
    int steps = 0;
    double least_mm = 0.0;
    const StepObserver observer = [&](const StepRecord& record) {
      if (steps++ % 8 == 0) least_mm = std::min(least_mm, gap.smallest_mm(*record.state));
    };
    Workspace workspace;
    SimulationResult result;
    simulate(scenario, sample_trial(config, 0).parameters, workspace, result, &observer);
    least_mm = std::min(least_mm, gap.smallest_mm(result.final_state));
    CHECK(static_cast<int>(result.end) < static_cast<int>(EndReason::kBlocked));
    CHECK(-least_mm <= 1e-7 * bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm));
  }
}

/// The trials of a sweep of tests/data/hard_cases/unsolved that fail, by reason.
struct UnsolvedSweep {
  const char* file;
  std::int64_t trials;
  int failed;    ///< EndReason::kFailed
  int too_long;  ///< EndReason::kTooLong
  std::vector<std::string> settings = kFirstOrder;
};

void check_unsolved(const UnsolvedSweep& sweep) {
  const SweepConfig config = read_sweep_config(
      std::filesystem::path(testing::source_dir()) / "tests/data/hard_cases/unsolved" / sweep.file,
      sweep.settings);
  CAPTURE(sweep.file);
  REQUIRE(config.trials() == sweep.trials);
  int failed = 0;
  int too_long = 0;
  Workspace workspace;
  SimulationResult result;
  for (std::int64_t index = 0; index < sweep.trials; ++index) {
    simulate(config.scenario, sample_trial(config, index).parameters, workspace, result);
    CHECK(all_finite(result.final_state));
    CHECK(result.final_state.jaw_right_mm >= result.final_state.jaw_left_mm);
    failed += result.end == EndReason::kFailed ? 1 : 0;
    too_long += result.end == EndReason::kTooLong ? 1 : 0;
  }
  CHECK(failed == sweep.failed);
  CHECK(too_long == sweep.too_long);
}

// Better or worse: a change of these numbers belongs into tests/data/hard_cases/unsolved/README.md.
TEST_CASE("legal sweeps that are not solved fail as they are known to") {
  check_unsolved({"jam.toml", 1, 0, 0});
}

TEST_CASE("a tolerance of a 1e-10th of the part takes long, and is kept", "[slow]") {
  check_unsolved({"small_tolerance.toml", 2, 0, 0, {}});
}

TEST_CASE("a trial that needs too much work is given up", "[slow]") {
  SweepConfig config = small_lock_piece_sweep();
  config.scenario.tolerance_mm = 1e-10;
  config.scenario.step_s = 1e-4;
  config.scenario.stop.timeout_s = 0.5;
  Workspace workspace;
  SimulationResult result;
  const TrialParameters trial{2.0, -6.0, 0.1, 0.2, 0.2};
  simulate(config.scenario, trial, workspace, result);
  CHECK(result.end == EndReason::kTooLong);
  CHECK(static_cast<double>(result.statistics.newton_iterations) <= tolerances::kLeastWork + 10000);
  CHECK(trial_row(config, config.scenario, trial, result).outcome == Outcome::kFailed);
}

TEST_CASE("parts of 0.02 mm and of 20 m move as one of 20 mm does, to the last bit") {
  const SweepConfig config = small_lock_piece_sweep();
  Workspace workspace;
  for (const double factor : {1024.0, 1.0 / 1024.0}) {
    Scenario scaled = config.scenario;
    scale_lengths(1.0 / factor, scaled);
    REQUIRE(length_unit_mm(scaled) == 1.0 / factor);
    REQUIRE(length_unit_mm(config.scenario) == 1.0);
    for (std::int64_t index = 0; index < 25; ++index) {
      const TrialParameters trial = sample_trial(config, index).parameters;
      SimulationResult as_it_is;
      simulate(config.scenario, trial, workspace, as_it_is);
      SimulationResult result;
      simulate(scaled, in_units(trial, factor), workspace, result);
      in_mm(factor, result);
      CAPTURE(factor, index);
      CHECK(result.end == as_it_is.end);
      CHECK(result.end_time_s == as_it_is.end_time_s);
      CHECK(result.final_state.part_pose == as_it_is.final_state.part_pose);
      CHECK(result.final_state.part_velocity == as_it_is.final_state.part_velocity);
      CHECK(result.final_state.jaw_right_mm == as_it_is.final_state.jaw_right_mm);
      CHECK(result.statistics.newton_iterations == as_it_is.statistics.newton_iterations);
      CHECK(result.statistics.worst_gap_mm == as_it_is.statistics.worst_gap_mm);
    }
  }
}

TEST_CASE("an observer sees a small part's steps in mm") {
  const SweepConfig config = small_lock_piece_sweep();
  constexpr double kFactor = 1024.0;
  Scenario scaled = config.scenario;
  scale_lengths(1.0 / kFactor, scaled);
  const TrialParameters trial = sample_trial(config, 12).parameters;
  Workspace workspace;
  SimulationResult result;
  struct Seen {
    State state;
    std::vector<ContactRecord> contacts;
    Vec3 support;
    double dissipation;
  };
  const auto watch = [&](const Scenario& scenario, const TrialParameters& parameters) {
    std::vector<Seen> seen;
    const StepObserver observer = [&](const StepRecord& record) {
      seen.push_back({*record.state, *record.contacts, record.support_impulse,
                      record.friction_dissipation_mn_mm});
    };
    simulate(scenario, parameters, workspace, result, &observer);
    return seen;
  };
  const std::vector<Seen> as_it_is = watch(config.scenario, trial);
  const std::vector<Seen> small = watch(scaled, in_units(trial, kFactor));
  REQUIRE(small.size() == as_it_is.size());
  for (std::size_t k = 0; k < small.size(); ++k) {
    CHECK(kFactor * small[k].state.jaw_right_mm == as_it_is[k].state.jaw_right_mm);
    CHECK(kFactor * small[k].support.head<2>() == as_it_is[k].support.head<2>());
    CHECK(kFactor * kFactor * small[k].support[2] == as_it_is[k].support[2]);
    CHECK(kFactor * kFactor * small[k].dissipation == as_it_is[k].dissipation);
    REQUIRE(small[k].contacts.size() == as_it_is[k].contacts.size());
    for (std::size_t i = 0; i < small[k].contacts.size(); ++i) {
      const ContactRecord& a = small[k].contacts[i];
      const ContactRecord& b = as_it_is[k].contacts[i];
      CHECK(kFactor * a.psi_mm == b.psi_mm);
      CHECK(kFactor * a.point_G_mm == b.point_G_mm);
      CHECK(kFactor * a.normal_impulse_mn_s == b.normal_impulse_mn_s);
      CHECK(kFactor * a.tangential_impulse_mn_s == b.tangential_impulse_mn_s);
      CHECK(kFactor * a.slip_mm_s == b.slip_mm_s);
    }
  }
}

}  // namespace
}  // namespace graspmap::testing
