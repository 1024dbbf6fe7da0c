#include <catch2/catch.hpp>

#include "tests/cli/program.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/xml.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kBracket = testing::source_dir() + "/configs/drawings/l_bracket.dxf";

TEST_CASE("init writes a configuration from a drawing that runs as it is, and its picture") {
  Program program;
  const ProgramResult result = program.run({"init", kBracket, "--material", "aluminium"});
  CHECK(result.err.find("1 outline with 2 holes") != std::string::npos);
  REQUIRE(result.exit_code == 0);
  CHECK(program.names() == Names{"l_bracket.toml", "l_bracket_setup.png", "l_bracket_setup.svg"});
  CHECK_THAT(result.out, Contains("l_bracket: aluminium 10 mm thick, 0.028 kg\n") &&
                             Contains("Next: graspmap run l_bracket.toml\n"));
  CHECK(XmlCheck(program.text("l_bracket_setup.svg")).problem().empty());
  const ProgramResult run =
      program.run({"run", "l_bracket.toml", "--quiet", "--no-plots", "--trials-per-cell", "20"});
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, StartsWith("Put the gripper at ("));
}

TEST_CASE("init says when the jaws would turn the part, and how it is drawn as they hold it") {
  Program program;
  const std::string ellipse = testing::source_dir() + "/tests/data/ellipses.dxf";
  const ProgramResult askew = program.run({"init", ellipse, "--no-plots"});
  REQUIRE(askew.exit_code == 0);
  CHECK_THAT(askew.err,
             Contains("warning: ellipses.toml: placement: a grasp at the map's middle") &&
                 Contains("theta_rad is 1.02") && Contains("--rotation-rad 1.02"));
  const std::size_t at = askew.err.find("--rotation-rad ") + std::string("--rotation-rad ").size();
  const ProgramResult turned = program.run(
      {"init", ellipse, "--no-plots", "--force", "--rotation-rad", askew.err.substr(at, 5)});
  CHECK_THAT(turned.err, !Contains("warning"));
  const ProgramResult run =
      program.run({"run", "ellipses.toml", "--quiet", "--no-plots", "--trials-per-cell", "20"});
  CHECK_THAT(run.out, StartsWith("Put the gripper at ("));
}

TEST_CASE("what needs a run says of a configuration that it is to be run first") {
  Program program;
  REQUIRE(program.run({"init", "--shape", "disc", "--no-plots"}).exit_code == 0);
  for (const char* command : {"plan", "pose", "plot", "report", "export", "hash", "sensitivity"}) {
    CAPTURE(command);
    const ProgramResult result = program.run({command, "disc.toml"});
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Contains("disc.toml: is a configuration; run it first") &&
                               Contains("graspmap run disc.toml"));
  }
}

TEST_CASE("init takes a shape or corners instead of a drawing") {
  Program program;
  CHECK(program
            .run({"init", "--shape", "ring", "--size-mm", "30,12", "--no-plots", "--out",
                  "washer.toml"})
            .exit_code == 0);
  CHECK_THAT(program.text("washer.toml"), Contains("name = \"ring\"") && Contains("holes_mm"));
  static_cast<void>(
      program.folder().write("plate.csv", "x_mm,y_mm,name\n0,0,base\n0,20,\n40,20,\n40,0,\n"));
  CHECK(program.run({"init", "--points", "plate.csv", "--no-plots"}).exit_code == 0);
  CHECK_THAT(program.text("plate.toml"), Contains("\"base\"") && Contains("read from plate.csv"));
}

TEST_CASE("init overwrites nothing without --force, and asks nothing without a terminal") {
  Program program;
  static_cast<void>(program.folder().write("disc_setup.svg", "mine"));
  const ProgramResult refused = program.run({"init", "--shape", "disc"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("disc_setup.svg is there already; --force overwrites it"));
  CHECK(program.names() == Names{"disc_setup.svg"});
  const ProgramResult forced = program.run({"init", "--shape", "disc", "--force"});
  CHECK(forced.exit_code == 0);
  CHECK_THAT(forced.out, StartsWith("disc: steel"));  // no question before it
  CHECK(program.text("disc_setup.svg") != "mine");
}

TEST_CASE("init says in one line what is wrong, and writes nothing") {
  Program program;
  static_cast<void>(program.folder().write("crossed.csv", "x_mm,y_mm\n0,0\n10,10\n10,0\n0,10\n"));
  static_cast<void>(
      program.folder().write("named.csv", "x_mm,y_mm,name\n0,0,a b\n10,10,\n10,0,\n"));
  const auto error = [&](std::vector<std::string> args) {
    args.insert(args.begin(), "init");
    const ProgramResult result = program.run(args);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    return result.err;
  };
  CHECK_THAT(error({}), Contains("give one of FILE (.dxf, .svg, .step, .stl), --shape, --points"));
  CHECK_THAT(error({kBracket, "--shape", "disc"}), Contains("give one of"));
  for (const Names& wrong :
       {Names{"--material", "gold"}, Names{"--force-n", "0"}, Names{"--out", "bracket.txt"}}) {
    CHECK_THAT(error({kBracket, wrong[0], wrong[1]}),
               StartsWith("graspmap: error: init: " + wrong[0]));  // not what was read
  }
  CHECK_THAT(error({"--shape", "disc", "--view", "2"}), Contains("--view goes with a file only"));
  CHECK_THAT(error({"--shape", "cube"}), Contains("must be one of disc, ring"));
  CHECK_THAT(error({"--shape", "disc", "--material", "gold"}),
             Contains("--material: 'gold'; must be one of steel"));
  CHECK_THAT(error({"--shape", "disc", "--opening-mm", "30"}),
             Contains("--opening-mm: 30; must be above 40"));
  CHECK_THAT(error({"--shape", "disc", "--jaw-friction", "0.3,0.1"}), Contains("A,B with 0 <= A"));
  CHECK_THAT(error({"--points", "crossed.csv"}), Contains("crossed.csv: "));
  CHECK_THAT(error({"--points", "named.csv"}), Contains("named.csv:2: name: is 'a b'"));
  CHECK_THAT(error({kBracket, "--hold-by", "front"}), Contains("nothing is named 'front'"));
  CHECK(program.names() == Names{"crossed.csv", "named.csv"});
}

}  // namespace
}  // namespace graspmap::testing
