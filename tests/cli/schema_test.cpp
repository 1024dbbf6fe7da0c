#include <catch2/catch.hpp>
#include <fstream>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("schema prints a JSON schema") {
  Program program;
  const ProgramResult result = program.run({"schema"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out,
             StartsWith("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n") &&
                 Contains("\"closing_force_n\": {\n"));
  CHECK(program.run({"schema", "x"}).exit_code == 2);
}

TEST_CASE("each missing key is told in a line of its own") {
  Program program;
  std::ofstream(program.path("part.toml"))
      << "[part]\n[[part.piece]]\nname = \"disc\"\nsemi_axes_mm = [9, 9]\n";
  const ProgramResult result = program.run({"run", "part.toml"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err,
             StartsWith("graspmap: error: part.toml:1: part.mass_kg: missing; give either") &&
                 Contains("\ngraspmap: error: part.toml:1: gripper.opening_mm: missing; must be a "
                          "finite number > 0\n") &&
                 Contains("\ngraspmap: error: part.toml:1: sweep.seed: missing"));
}

}  // namespace
}  // namespace graspmap::testing
