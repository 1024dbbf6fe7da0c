#include "grasp/decide/hold/held_grasps.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/held_squares.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/sweep_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

constexpr double kWeight_n = 0.04 * 9.81;

struct StoredSquares {
  TemporaryFolder folder;
  RunStore store;

  explicit StoredSquares(const std::string& hold, const std::string& success = "",
                         const std::string& force = "10")
      : store(RunStore::create(folder.path() / "run.sqlite",
                               sweep_of(pressed(force, held_squares(hold, success))))) {
    store.append(sweep_rows(store.config()), 0.5);
  }
  /// The squares with another closing force, and what follows it in its table.
  static std::string pressed(const std::string& force, std::string text) {
    const std::string ten = "closing_force_n = 10";
    return text.replace(text.find(ten), ten.size(), "closing_force_n = " + force);
  }
  [[nodiscard]] HeldGrasps held(const HoldRequest& request) const {
    const std::atomic<int> go_on = 0;
    return hold_run(store, request, &go_on, {}).value();
  }
};

/// The share of mu uniform in 0.1 to 0.3 with 2 mu F >= factor weight.
double lifted_by_hand(double force_n, double factor, double weight_n = kWeight_n) {
  const double least_mu = factor * weight_n / (2 * force_n);
  return std::clamp((0.3 - least_mu) / 0.2, 0.0, 1.0);
}

}  // namespace

TEST_CASE("held and lifted as often as friction allows, and the force for it") {
  const StoredSquares squares("");
  HoldRequest request;
  request.at.placement = {0.5, 14.5};
  request.factor = 10.0;
  const HeldGrasps held = squares.held(request);
  CHECK(held.closes.probability == 1.0);
  CHECK(held.lifted.probability == Approx(lifted_by_hand(10.0, 10.0)).margin(0.01));
  // 99 % of the frictions are above 0.102.
  const double force_n = 10.0 * kWeight_n / (2 * 0.102);
  REQUIRE(held.force_n);
  CHECK(*held.force_n == Approx(force_n).epsilon(0.01));
  CHECK(held.quantiles[2] == Approx(2 * 0.2 * 10.0 / kWeight_n).epsilon(0.02));
  // Squares end flush with any force: simulated again they are as predicted.
  REQUIRE(held.check);
  CHECK(held.check->trials == 250);
  CHECK(held.check->at.lifted.probability >= 0.99);
  for (const AtForce& at : held.curve) {
    CHECK(at.lifted.probability == Approx(lifted_by_hand(at.force_n, 10.0)).margin(0.02));
    CHECK(at.lifted.interval.low <= at.lifted.probability);
  }
  CHECK(held.cells.size() == 4);
  for (const HeldCell& cell : held.cells) {
    CHECK(cell.trials == 250);
    CHECK(cell.close == 250);
    CHECK(static_cast<double>(cell.lifted) / 250 == Approx(lifted_by_hand(10, 10)).margin(0.02));
    CHECK(cell.factor_05 == Approx(2 * 0.11 * 10 / kWeight_n).epsilon(0.03));
  }
  CHECK_THAT(hold_text(held), Contains("Lifted slowly, the part is held with safety factor 10"));
}

TEST_CASE("all cells of the map count alike, whatever their trials") {
  HeldGrasps held;
  held.cells = {{100, 100, 50}, {10, 2, 0}, {0, 0, 0}};
  CHECK_THAT(hold_text(held), Contains("Over the map 60.0 % of the closings succeed, and in 25.0 % "
                                       "the part is held, too."));
}

TEST_CASE("a sure force is larger, and none is found where the closing alone is too rare") {
  const StoredSquares squares("");
  HoldRequest request;
  request.at.placement = {0.5, 14.5};
  request.required_probability = 0.9;
  request.no_check = true;
  request.factor = 10.0;
  const HeldGrasps held = squares.held(request);
  REQUIRE(held.force_n);
  REQUIRE(held.sure_force_n);
  CHECK(*held.sure_force_n > *held.force_n);
  CHECK_FALSE(held.check);

  // Half of the trials count as no success: the placement may end up beyond the map.
  request.at.placement = {2.0, 14.0};
  request.at.position_sigma_mm = {3.0, 0.0};
  const HeldGrasps outside = squares.held(request);
  CHECK(outside.closes.probability < 0.9);
  CHECK_FALSE(outside.force_n);
  CHECK_THAT(hold_text(outside),
             Contains("The map is too small to tell whether a closing force holds 90 % of them") &&
                 !Contains("No closing force"));
}

TEST_CASE("independent jaws hold no part that is moved along x, with any force") {
  const StoredSquares squares("acceleration_m_s2 = 5\ndirection = \"horizontal\"\n", "",
                              "10\ncoupling = \"independent\"");
  HoldRequest request;
  request.at.placement = {0.5, 14.5};
  const HeldGrasps held = squares.held(request);
  CHECK(held.closes.probability == 1.0);
  CHECK(held.lifted.probability == 0.0);
  CHECK(held.quantiles[3] == 0.0);
  CHECK(held.shifts == 1.0);
  CHECK_FALSE(held.force_n);
  CHECK_THAT(hold_text(held), Contains("No closing force holds 99 % of them") &&
                                  Contains("independent jaws give way to a load along x"));
}

TEST_CASE("an offset of the robot is named, and the interval holds it") {
  // Success is |y + error - 14.5| < 0.5: with an offset of one standard deviation, 0.5 mm, half of
  // the grasps, with twice as much almost none.
  const StoredSquares squares(
      "[robot]\nposition_sigma_mm = [0.4, 0.2]\noffset_sigma_mm = [0, 0.5]\n",
      "y_mm = [-15, -14]\n");
  HoldRequest request;
  request.at.placement = {0, 14.5};
  request.no_check = true;
  const HeldGrasps held = squares.held(request);
  CHECK(held.lifted.probability == within(std::erf(0.5 / std::sqrt(2 * 0.29)), 0.06));
  CHECK(held.lifted.interval.low < 0.1);
  CHECK(held.lifted.interval.high > 0.9);
  CHECK(held.closes.interval.low < 0.1);
  CHECK_THAT(hold_text(held),
             Contains("an offset that is unknown but the same in each grasp, of 0 mm in x and "
                      "0.5 mm in y") &&
                 Contains("The intervals hold what is unknown but the same in each grasp, too."));
}

TEST_CASE("of an uncertain closing force the nominal one is told") {
  HoldRequest request;
  request.at.placement = {0.5, 14.5};
  request.no_check = true;
  const std::string says = "these are nominal ones, whose distribution is scaled with them";
  const StoredSquares uncertain("", "", "{ distribution = \"uniform\", min = 8, max = 12 }");
  CHECK_THAT(hold_text(uncertain.held(request)), Contains(says));
  CHECK_THAT(hold_text(StoredSquares("").held(request)), !Contains(says));
}

TEST_CASE("another manoeuvre is asked of the same trials") {
  const StoredSquares squares("acceleration_m_s2 = 1\n");
  HoldRequest request;
  request.at.placement = {0.5, 14.5};
  request.no_check = true;
  request.factor = 5.0;
  request.set = {"hold.acceleration_m_s2=9.81"};
  const HeldGrasps held = squares.held(request);
  CHECK(held.lifted.probability == Approx(lifted_by_hand(10.0, 5.0, 2 * kWeight_n)).margin(0.01));
  CHECK(held.rule.acceleration_m_s2 == 9.81);
  request.set = {"gripper.closing_force_n=20"};
  CHECK_THROWS_WITH(squares.held(request), Contains("must be a key of [hold]"));
}

TEST_CASE("where success asks for a hold factor, closings are judged without it") {
  const StoredSquares squares("", "hold_factor = 10\n");
  HoldRequest request;
  request.at.placement = {0.5, 14.5};
  request.no_check = true;
  const HeldGrasps held = squares.held(request);
  CHECK(held.question.factor == 10.0);
  CHECK(held.closes.probability == 1.0);
  CHECK(held.lifted.probability == Approx(lifted_by_hand(10.0, 10.0)).margin(0.01));
}

TEST_CASE("without [hold] it says what to give") {
  const TemporaryFolder folder;
  SweepConfig config = sweep_of(held_squares(""));
  config.hold.reset();
  RunStore store = RunStore::create(folder.path() / "run.sqlite", config);
  store.append(sweep_rows(config), 0.5);
  const std::atomic<int> go_on = 0;
  HoldRequest request;
  CHECK_THROWS_WITH(hold_run(store, request, &go_on, {}),
                    Contains("the run has no [hold]: --set must give the part's height"));
  request.set = {"hold.part_height_mm=5"};
  request.at.placement = {0.5, 14.5};
  request.no_check = true;
  CHECK(hold_run(store, request, &go_on, {})->lifted.probability == 1.0);
  // The thickness of [part] is the height.
  config.scenario.thickness_mm = 5;
  RunStore plate = RunStore::create(folder.path() / "plate.sqlite", config);
  plate.append(sweep_rows(config), 0.5);
  request.set = {};
  CHECK(hold_run(plate, request, &go_on, {})->lifted.probability == 1.0);
}
