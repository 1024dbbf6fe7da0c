#include <catch2/catch.hpp>

#include "tests/cli/program.hpp"
#include "tests/support/xml.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("grippers lists the library, as JSON too, and draws it") {
  Program program;
  const ProgramResult list = program.run({"grippers"});
  CHECK(list.exit_code == 0);
  CHECK_THAT(list.out,
             Contains("robotiq_2f85") && Contains("Franka Hand") && Contains("Estimated: "));
  CHECK_THAT(program.run({"grippers", "--json"}).out,
             Contains("\"model\": \"robotiq_2f85\"") && Contains("\"closing_force_n\": 235"));
  CHECK(program.run({"grippers", "--draw", "all.svg"}).exit_code == 0);
  CHECK(XmlCheck(program.text("all.svg")).problem().empty());
  CHECK_THAT(program.text("all.svg"), Contains(">Robotiq 2F-85<"));
  CHECK(program.run({"grippers", "--draw", "all.pdf"}).exit_code == 2);
}

TEST_CASE("init takes a gripper of the library") {
  Program program;
  CHECK(program
            .run({"init", "--shape", "disc", "--gripper", "robotiq_2f85", "--force-n", "50",
                  "--no-plots"})
            .exit_code == 0);
  const std::string text = program.text("disc.toml");
  CHECK_THAT(text, Contains("model = \"robotiq_2f85\"") && Contains("closing_force_n = 50") &&
                       !Contains("opening_mm = ") && !Contains("pad_width_mm = "));
  CHECK(program.run({"run", "disc.toml", "--quiet", "--no-plots", "--trials-per-cell", "2"})
            .exit_code == 0);
  const ProgramResult wrong = program.run({"init", "--shape", "slot", "--gripper", "robotic"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.err, Contains("--gripper: 'robotic'; must be none, or one of festo_ehps_20"));
  CHECK_THAT(program.run({"init", "--shape", "slot", "--gripper", "schunk_pgn_plus_p_80"}).err,
             Contains("--gripper: schunk_pgn_plus_p_80 opens 16 mm; must be above 40"));
}

}  // namespace
}  // namespace graspmap::testing
