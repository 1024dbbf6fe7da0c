#include <catch2/catch.hpp>
#include <numbers>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

const std::string kProgram = R"(
[[program]]
do = "move"
by_mm = [3, 4]
speed_mm_s = 20
until = "contact"
[[program]]
do = "close"
[[program]]
do = "open"
opening_mm = 25
timeout_s = 2
[[program]]
do = "turn"
by_deg = -90
speed_rad_s = 2
center_mm = [10, 0]
jaws = "open"
[[program]]
do = "wait"
time_s = 0.5
)";

std::string program_text() { return kConfigText + kProgram; }

}  // namespace

TEST_CASE("a configuration without a program closes once") {
  CHECK(sweep_of(kConfigText).scenario.program.empty());
}

TEST_CASE("phases say how the gripper moves, what drives its jaws, and what ends them") {
  const GripperProgram program = sweep_of(program_text()).scenario.program;
  REQUIRE(program.size() == 5);
  const Phase& move = program[0];
  CHECK(move.twist.velocity_mm_s.isApprox(Vec2(12, 16)));
  CHECK(move.duration_s == Approx(0.25));
  CHECK(move.drive == JawDrive::kHold);
  CHECK(move.until == PhaseGoal::kContact);
  CHECK(program[1].drive == JawDrive::kClose);
  CHECK(program[1].until == PhaseGoal::kStopped);
  CHECK(program[1].duration_s == 3.0);  // stop.timeout_s
  CHECK(program[2].drive == JawDrive::kOpen);
  CHECK(program[2].until == PhaseGoal::kOpening);
  CHECK(program[2].opening_mm == 25.0);
  CHECK(program[2].duration_s == 2.0);
  const Phase& turn = program[3];
  CHECK(turn.twist.turn_rad_s == -2.0);
  CHECK(turn.duration_s == Approx(std::numbers::pi / 4));
  CHECK(turn.twist.at({10, 0}).head<2>().norm() == Approx(0).margin(1e-12));  // its centre stays
  CHECK(turn.drive == JawDrive::kOpen);
  CHECK(program[4].until == PhaseGoal::kDuration);
  CHECK(program[4].duration_s == 0.5);
  CHECK_FALSE(program[4].twist.moves());
}

TEST_CASE("what is left out of a phase is the gripper's and the stop rule's") {
  const SweepConfig config =
      sweep_of(std::string(kConfigText) +
               "[[program]]\ndo = \"open\"\n[[program]]\ndo = \"close\"\n[stop]\ntimeout_s = 1\n");
  CHECK(config.scenario.program[0].opening_mm == config.scenario.gripper.opening_mm);
  CHECK(config.scenario.program[0].duration_s == 1.0);
  CHECK(config.scenario.program[1].duration_s == 1.0);
}

TEST_CASE("a move may last until a finger has lost the part") {
  const std::string text = replaced(program_text(), "\"contact\"", "\"contact-lost\"");
  CHECK(sweep_of(text).scenario.program[0].until == PhaseGoal::kContactLost);
}

TEST_CASE("a program is written as it was read") {
  const SweepConfig config = sweep_of(program_text());
  const std::string text = to_toml(config);
  const SweepConfig again = sweep_of(text);
  CHECK(to_toml(again) == text);
  REQUIRE(again.scenario.program.size() == config.scenario.program.size());
  for (std::size_t k = 0; k < config.scenario.program.size(); ++k) {
    const Phase& a = config.scenario.program[k];
    const Phase& b = again.scenario.program[k];
    CHECK(a.twist.velocity_mm_s == b.twist.velocity_mm_s);
    CHECK(a.twist.turn_rad_s == b.twist.turn_rad_s);
    CHECK(a.duration_s == b.duration_s);
    CHECK(a.opening_mm == b.opening_mm);
    CHECK((a.drive == b.drive && a.until == b.until));
  }
}

TEST_CASE("phases that cannot be are told by line and key") {
  check_mistakes(
      program_text(), "sweep.toml", sweep_error,
      {{"do = \"wait\"", "do = \"rest\"", "do = \"rest\"", "program.4.do", "\"wait\""},
       {"by_mm = [3, 4]", "by_mm = [0, 0]", "by_mm", "program.0.by_mm", "a distance above 0"},
       {"by_deg = -90", "by_deg = 0", "by_deg", "program.3.by_deg", "an angle other than 0"},
       {"\nspeed_mm_s = 20", "\nspeed_mm_s = -1", "speed_mm_s = -1", "program.0.speed_mm_s", "> 0"},
       {"speed_rad_s = 2\n", "", "[[program]]\ndo = \"turn\"", "program.3.speed_rad_s", "missing"},
       {"time_s = 0.5", "time_s = 0.5\nby_mm = [1, 0]", "by_mm = [1, 0]", "program.4.by_mm",
        "for program.do = \"move\" only"},
       {"opening_mm = 25", "opening_mm = 2", "opening_mm = 2\n", "program.2.opening_mm",
        "above stop.closed_opening_mm"},
       {"time_s = 0.5", "time_s = 1e6", "do = \"wait\"", "program.4.do", "10,000,000 steps"}});
}
