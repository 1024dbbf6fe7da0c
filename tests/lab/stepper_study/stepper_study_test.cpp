#include "lab/stepper_study/stepper_study.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "lab/grasp_scene/scene_grasp_stepper.hpp"
#include "lab/stepper_study/stepper_study_report.hpp"
#include "tests/support/source_dir.hpp"

using namespace graspmap;

namespace {

SweepConfig lock_piece_sweep() {
  return read_sweep_config(testing::source_dir() + "/configs/lock_piece.toml",
                           {"simulation.order=1"});
}

StepperStudyRequest small_study() {
  StepperStudyRequest request;
  request.config = lock_piece_sweep();
  request.trials = 5;
  request.settings = {{StepperKind::kImplicit, 0, 0.002},
                      {StepperKind::kStewartTrinkle, 0, 0.005},
                      {StepperKind::kStewartTrinkle, 12, 0.005}};
  request.reference_step_s = 1e-3;
  return request;
}

/// The first trials of a study under one setting, run one by one.
std::vector<TrialRow> studied_rows(const StepperSetting& setting, int trials) {
  SweepConfig config = lock_piece_sweep();
  config.scenario.other_stepper = scene_stepper(setting.stepper, setting.polygon_vertices);
  config.scenario.step_s = setting.step_s;
  config.scenario.tolerance_mm = 0.0;
  Workspace workspace;
  SimulationResult result;
  std::vector<TrialRow> rows;
  for (int k = 0; k < trials; ++k) {
    rows.push_back(run_trial(config, studied_trial(config, k), workspace, result));
  }
  return rows;
}

/// Their outcomes; nothing for trials whose outcome depends on the step of the reference.
std::vector<std::optional<Outcome>> robust_outcomes(double step_s, int trials) {
  const auto rows = studied_rows({StepperKind::kImplicit, 0, step_s}, trials);
  const auto fine = studied_rows({StepperKind::kImplicit, 0, step_s / 2}, trials);
  const auto coarse = studied_rows({StepperKind::kImplicit, 0, step_s * 2}, trials);
  std::vector<std::optional<Outcome>> outcomes(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool is_robust =
        rows[k].outcome != Outcome::kFailed &&
        std::set{rows[k].outcome, fine[k].outcome, coarse[k].outcome}.size() == 1;
    if (is_robust) outcomes[k] = rows[k].outcome;
  }
  return outcomes;
}

}  // namespace

TEST_CASE("the trials of a study are spread over the map without repetition") {
  const SweepConfig config = lock_piece_sweep();
  std::set<std::int64_t> indices;
  std::array<int, 4> quarters{};
  for (int k = 0; k < 400; ++k) {
    const std::int64_t index = studied_trial(config, k);
    CHECK(index >= 0);
    CHECK(index < config.trials());
    indices.insert(index);
    const CellIndex cell = cell_of_trial(config.placement, index);
    ++quarters[static_cast<std::size_t>((cell.x >= 10 ? 1 : 0) + (cell.y >= 10 ? 2 : 0))];
  }
  CHECK(indices.size() == 400);
  for (const int count : quarters) CHECK(std::abs(count - 100) <= 5);
}

TEST_CASE("a study depends on the number of threads in its times only") {
  const StepperStudyRequest request = small_study();
  const auto one = study_steppers(request, {1, nullptr, nullptr});
  const auto two = study_steppers(request, {2, nullptr, nullptr});
  REQUIRE(one.has_value());
  REQUIRE(two.has_value());
  REQUIRE(one->scores.size() == 3);
  for (std::size_t s = 0; s < one->scores.size(); ++s) {
    for (std::size_t k = 0; k < 5; ++k) {
      const StudiedTrial& a = one->scores[s].trials[k];
      const StudiedTrial& b = two->scores[s].trials[k];
      CHECK(a.outcome == b.outcome);
      CHECK(a.final_pose.position_mm == b.final_pose.position_mm);
      CHECK(a.final_pose.angle_rad == b.final_pose.angle_rad);
      CHECK(a.seconds > 0.0);
    }
  }
  CHECK(trials_of(request) == 5 * 6);
  CHECK(wrong_grasps_csv(*one) == wrong_grasps_csv(*two));
}

TEST_CASE("scores count agreement over robust trials and errors where outcomes agree") {
  const StepperStudyRequest request = small_study();
  const auto study = study_steppers(request, {2, nullptr, nullptr});
  REQUIRE(study.has_value());
  REQUIRE(study->scores.size() == 3);
  REQUIRE(study->reference.size() == 5);
  for (int k = 0; k < 5; ++k) {
    CHECK(study->reference[static_cast<std::size_t>(k)].index == studied_trial(request.config, k));
  }
  const auto expected = robust_outcomes(request.reference_step_s, 5);
  CHECK(study->robust() == 5 - std::count(expected.begin(), expected.end(), std::nullopt));
  for (const StepperScore& score : study->scores) {
    std::int64_t iterations = 0;
    for (const StudiedTrial& trial : score.trials) iterations += trial.iterations;
    CHECK(score.iterations_per_trial == Approx(static_cast<double>(iterations) / 5.0));
    CHECK(score.iterations_per_trial >= score.steps_per_trial);
    CHECK(score.seconds_per_iteration() * score.iterations_per_trial ==
          Approx(score.seconds_per_trial));
    CHECK(score.worst_error_mm >= score.p95_error_mm);
    CHECK(score.worst_error_rad >= score.median_error_rad);
    int agreeing = 0;
    double worst_gap_mm = 0.0;
    const std::vector<TrialRow> rows = studied_rows(score.setting, 5);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k].outcome == expected[k]) ++agreeing;
      worst_gap_mm = std::min(worst_gap_mm, rows[k].statistics.worst_gap_mm);
    }
    CHECK(score.agreeing == agreeing);
    CHECK(score.agreeing <= study->robust());
    CHECK(score.seconds_per_trial > 0.0);
    CHECK(score.worst_gap_mm == worst_gap_mm);
  }
  const StepperScore& implicit = study->scores[0];
  CHECK(implicit.agreeing == study->robust());
  CHECK(implicit.median_error_mm < 0.05);
  CHECK(implicit.worst_gap_mm >= -1e-8);
  CHECK(study->scores[2].median_error_mm > implicit.median_error_mm);
}

TEST_CASE("a study that is stopped gives nothing") {
  const std::atomic<int> stop = 1;
  CHECK_FALSE(study_steppers(small_study(), {1, &stop, nullptr}).has_value());
}
