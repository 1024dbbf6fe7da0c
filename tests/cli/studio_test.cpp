#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("studio refuses what it cannot put into a page") {
  Program program;
  const ProgramResult key =
      program.run({"studio", testing::source_dir() + "/configs/lock_piece.toml", "--set",
                   "gripper.opening_mm=-1"});
  CHECK(key.exit_code == 2);
  CHECK_THAT(key.err, Contains("gripper.opening_mm: is -1; must be"));
  CHECK(program.run({"studio", "missing.dxf"}).exit_code == 2);
  CHECK(program.run({"studio", "--set", "sweep.seed=2"}).exit_code == 2);
  CHECK_THAT(program.run({"studio", "missing.toml"}).err, Contains("missing.toml"));
}

}  // namespace
}  // namespace graspmap::testing
