#include "grasp/sweep/store/trial_choice.hpp"

#include <catch2/catch.hpp>

#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using Catch::Matchers::Contains;
using testing::TemporaryFolder;

/// 5 x 5 cells of 4 mm from (-10, -20); trial k of the store ended with outcome k mod 6.
SweepConfig choice_config() { return testing::small_lock_piece_sweep(); }

RunStore some_store(const TemporaryFolder& folder) {
  return testing::made_up_store(folder.path() / "run.sqlite", choice_config(), {{0, 24}, {30, 49}});
}

TrialChoice of_cell(double x_mm, double y_mm, std::optional<Outcome> outcome = std::nullopt) {
  return {std::nullopt, Vec2(x_mm, y_mm), outcome};
}

TEST_CASE("a trial is chosen by index, cell, outcome, or cell and outcome") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  const auto chosen = [&](const TrialChoice& choice) { return chosen_trial(store, choice).index; };
  CHECK(chosen({33, std::nullopt, std::nullopt}) == 33);
  CHECK(chosen({std::nullopt, std::nullopt, Outcome::kTimeout}) == 3);
  CHECK(chosen(of_cell(-10, -20)) == 0);
  CHECK(chosen(of_cell(0, -10)) == 12);
  CHECK(chosen(of_cell(1.9, -8.1, Outcome::kSuccess)) == 12);
  CHECK(chosen(of_cell(1.9, -8.1, Outcome::kWedged)) == 37);
  CHECK(chosen(of_cell(-10, -16)) == 5);
  CHECK(identical(chosen_trial(store, of_cell(0, -10)), *store.row(12)));
}

TEST_CASE("a trial of a cell is chosen at its angle, or at any") {
  const TemporaryFolder folder;
  SweepConfig turned = choice_config();
  turned.placement.theta_rad = {-0.3, 0.3, 3};  // 75 cells
  const RunStore store =
      testing::made_up_store(folder.path() / "run.sqlite", turned, {{0, 60}, {70, 150}});
  const auto at = [](double theta_rad, std::optional<Outcome> outcome = std::nullopt) {
    TrialChoice choice = of_cell(0, -10, outcome);
    choice.theta_rad = theta_rad;
    return choice;
  };
  CHECK(chosen_trial(store, of_cell(0, -10)).index == 12);
  CHECK(chosen_trial(store, at(-0.3)).index == 12);
  CHECK(chosen_trial(store, at(0)).index == 37);
  CHECK(chosen_trial(store, at(0.3)).index == 137);  // 62 is not there
  CHECK(chosen_trial(store, at(0.3)).cell() == CellIndex{2, 2, 2});
  CHECK(chosen_trial(store, of_cell(0, -10, Outcome::kBlocked)).index == 112);
  CHECK_THROWS_WITH(chosen_trial(store, at(-0.2, Outcome::kBlocked)),
                    Contains("the cell x -2 to 2 mm, y -12 to -8 mm, theta -0.3 to -0.1 rad ended "
                             "blocked; how its 2 trials ended: success 1, timeout 1"));
  CHECK_THROWS_WITH(chosen_trial(store, at(0.4)),
                    Contains("--cell 0,-10,0.4: is not on the map") &&
                        Contains("y from -20 to 0 mm, theta from -0.3 to 0.3 rad"));
  CHECK_THROWS_AS(chosen_trial(store, at(0.4)), ConfigError);
}

TEST_CASE("the angle of a run at one angle may be named, no other") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  TrialChoice choice = of_cell(0, -10);
  choice.theta_rad = 0;
  CHECK(chosen_trial(store, choice).index == 12);
  choice.theta_rad = 0.1;
  CHECK_THROWS_WITH(chosen_trial(store, choice), Contains("y from -20 to 0 mm, theta = 0 rad"));
}

TEST_CASE("a trial that is not stored is refused with those that are") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  for (const std::int64_t index : {24, 29, 49, 50, -1}) {
    const TrialChoice choice{index, std::nullopt, std::nullopt};
    CHECK_THROWS_AS(chosen_trial(store, choice), ConfigError);
    CHECK_THROWS_WITH(chosen_trial(store, choice),
                      Contains("trial " + std::to_string(index)) && Contains("0-23, 30-48"));
  }
}

TEST_CASE("a placement that is not on the map is refused with the map's range") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  for (const TrialChoice& choice : {of_cell(10.1, -10), of_cell(0, 0.1), of_cell(0, -20.5)}) {
    CHECK_THROWS_AS(chosen_trial(store, choice), ConfigError);
    CHECK_THROWS_WITH(chosen_trial(store, choice),
                      Contains("x from -10 to 10 mm, y from -20 to 0 mm"));
  }
}

TEST_CASE("when no trial fits it is told how those of the cell ended") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  CHECK_THROWS_WITH(chosen_trial(store, of_cell(0, -10, Outcome::kMissed)),
                    Contains("no trial of the cell x -2 to 2 mm, y -12 to -8 mm ended missed") &&
                        Contains("2 trials ended: success 1, wedged 1"));
  CHECK_THROWS_AS(chosen_trial(store, of_cell(0, -10, Outcome::kMissed)), ConfigError);
  CHECK_THROWS_WITH(chosen_trial(store, of_cell(10, 0)),
                    Contains("the cell x 6 to 10 mm, y -4 to 0 mm has no trials yet"));
}

TEST_CASE("an outcome that no trial of the run has is told with those that they have") {
  const TemporaryFolder folder;
  const RunStore store =
      testing::made_up_store(folder.path() / "run.sqlite", choice_config(), {{0, 2}, {6, 7}});
  CHECK_THROWS_WITH(chosen_trial(store, {std::nullopt, std::nullopt, Outcome::kFailed}),
                    Contains("no trial of the run ended failed") &&
                        Contains("3 trials ended: success 2, wedged 1"));
  const TemporaryFolder other;
  const RunStore empty = RunStore::create(other.path() / "run.sqlite", choice_config());
  CHECK_THROWS_WITH(chosen_trial(empty, {std::nullopt, std::nullopt, Outcome::kFailed}),
                    Contains("the run has no trials yet"));
}

}  // namespace
}  // namespace graspmap
