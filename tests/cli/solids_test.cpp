#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/xml.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kBushing = testing::source_dir() + "/configs/drawings/flanged_bushing";

/// Where there is no OpenCASCADE, the tests of STEP files have nothing to say.
bool reads_step() {
  const bool reads =
      std::filesystem::exists(std::filesystem::path(kGraspmap).parent_path() / "graspmap_step.so");
  if (!reads) WARN("skipped: this build reads no STEP files");
  return reads;
}

TEST_CASE("import writes the section of a solid with its mass, and lists how it rests") {
  Program program;
  const ProgramResult result =
      program.run({"import", kBushing + ".stl", "--section-mm", "12", "--tolerance-mm", "0.01",
                   "--material", "brass", "--draw", "a.svg"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(
      result.out,
      StartsWith(
          "# Read from flanged_bushing.stl by graspmap import.\n\n[part]\nmass_kg = 0.0575"));
  CHECK_THAT(result.out,
             Contains("# For [hold]: part_height_mm = 22, center_of_mass_height_mm = 8.05390929, "
                      "contact_height_mm = 12\n"));
  CHECK_THAT(result.out, Contains("[[part.piece]]\nname = \"flanged_bushing\"\noutline_mm = [\n"));
  CHECK_THAT(result.err,
             Contains("flanged_bushing.stl: 1 outline with 1 hole, 0 edges and 4 arcs\n"));
  CHECK_THAT(result.err, Contains("  rest 1    +z up, tips over at 60.5 deg: 22 mm high"));
  CHECK_THAT(result.err, Contains("  above     12 mm nothing reaches out of the section\n"));
  CHECK_THAT(program.text("a.svg"), Contains("<svg"));
  const ProgramResult turned =
      program.run({"import", kBushing + ".stl", "--section-mm", "12", "--rest", "2"});
  CHECK_THAT(turned.err,
             Contains("  above     12 mm the solid reaches 6 mm out of the section, at "));
  CHECK_THAT(turned.out, Contains("# mass_kg and inertia_kg_mm2 are still to be given here: "));
}

TEST_CASE("init makes a configuration of a solid, which runs") {
  Program program;
  const ProgramResult result = program.run(
      {"init", kBushing + ".stl", "--section-mm", "12", "--material", "brass", "--no-plots"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(program.text("flanged_bushing.toml"),
             Contains("kg. The whole solid, brass: 8.5e-06 kg/mm^3\n"));
  CHECK_THAT(result.out, Contains("flanged_bushing: brass 22 mm high, 0.0575 kg\n"));
  CHECK(program
            .run({"run", "flanged_bushing.toml", "--trials-per-cell", "1", "--no-plots", "--quiet"})
            .exit_code == 0);
}

TEST_CASE("import reads a STEP file exactly") {
  if (!reads_step()) return;
  Program program;
  const ProgramResult result =
      program.run({"import", kBushing + ".step", "--section-mm", "12", "--density-kg-mm3", "1e-6"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("outline_mm = [\n  [10.0, 0.0, 1.0],\n  [-10.0, 0.0, 1.0],\n]\n"
                                  "holes_mm = [\n  [[6.0, 0.0, -1.0], [-6.0, 0.0, -1.0]],\n]\n"));
  CHECK_THAT(result.err, Contains("  unit      millimetre\n"));
  const ProgramResult seen =
      program.run({"import", kBushing + ".step", "--silhouette", "--finger"});
  CHECK_THAT(seen.out, Contains("[gripper.finger]\n"));
}

TEST_CASE("wrong options and files of solids end in one line and exit code 2") {
  Program program;
  const std::string bushing = kBushing + ".stl";
  const auto refused = [&](std::vector<std::string> args, const std::string& message) {
    const ProgramResult result = program.run(args);
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(count_lines(result.err) == 1);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains(message));
  };
  refused({"import", bushing}, "a solid needs either --section-mm H");
  refused({"import", bushing, "--section-mm", "5", "--silhouette"},
          "a solid needs either --section-mm H");
  refused({"import", bushing, "--section-mm", "5"}, "has a face at 5 mm");
  refused({"import", bushing, "--section-mm", "50"},
          "must be above 0 and below its height there, 22 mm");
  refused({"import", bushing, "--section-mm", "-1"}, "--section-mm");
  refused({"import", bushing, "--silhouette", "--rest", "9"}, "has no rest 9; must be from 1 to 2");
  refused({"import", bushing, "--silhouette", "--up", "0,0,0"}, "X,Y,Z, not all of them 0");
  refused({"import", bushing, "--silhouette", "--layer", "a"}, "--layer is for drawings");
  refused({"import", bushing, "--silhouette", "--thickness-mm", "3"}, "a solid has its own");
  refused({"import", bushing, "--silhouette", "--solid", "2"}, "which is one solid");
  refused({"import", bushing, "--silhouette", "--finger-height-mm", "2"}, "goes with --section-mm");
  refused({"import", kConfigs + "/drawings/l_bracket.dxf", "--section-mm", "2"},
          "is for solids only");
  refused({"init", bushing, "--no-plots"}, "a solid needs either --section-mm H");
  refused({"import", "none.step", "--silhouette"},
          "cannot be read: No such file or directory; give a STEP or STL file");
  refused({"studio", bushing}, "is a solid; give the configuration that graspmap init makes of it");
  for (const char* name : {"a.stl", "a.step"}) {
    for (const std::string& bytes :
         {std::string(), std::string("garbage"), std::string(200, '\xff'),
          file_text(kBushing + std::filesystem::path(name).extension().string()).substr(0, 5000)}) {
      const std::string file = program.folder().write(name, bytes).string();
      refused({"import", file, "--silhouette"}, "");
    }
  }
  CHECK(program.names() == std::vector<std::string>{"a.step", "a.stl"});
}

}  // namespace
}  // namespace graspmap::testing
