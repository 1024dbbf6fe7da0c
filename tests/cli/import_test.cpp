#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/cli/program.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/xml.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kData = testing::source_dir() + "/tests/data/";

/// The lines of a text that begin with a word, after blanks.
std::vector<std::string> lines_with(const std::string& text, const std::string& word) {
  std::vector<std::string> found;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t at = line.find(word);
    if (at != std::string::npos && at == line.find_first_not_of(' ')) found.push_back(line);
  }
  return found;
}

TEST_CASE("import prints the tables of a part, and what it understood") {
  Program program;
  const ProgramResult result = program.run({"import", kData + "bracket.dxf"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, StartsWith("# Read from bracket.dxf by graspmap import.\n\n[part]\n"));
  CHECK_THAT(result.out, Contains("[[part.piece]]\nname = \"bracket\"\noutline_mm = [\n"
                                  "  [0.0, 0.0],\n  [60.0, 0.0],\n"));
  CHECK_THAT(result.out, Contains("holes_mm = [\n  [[52.5, 5.0, -1.0], [47.5, 5.0, -1.0]],\n"));
  CHECK_THAT(result.out, Contains("names = [\"contact\", \"part\", "));
  CHECK(result.err == kData +
                          "bracket.dxf: 1 outline with 2 holes, 6 edges and 5 arcs\n"
                          "  read      1 ARC, 2 CIRCLE, 6 LINE on layers 'contact', 'part'\n"
                          "  unit      mm ($INSUNITS 4)\n"
                          "  size      60 x 40 mm, from (0, 0) to (60, 40)\n"
                          "  area      866.095 mm^2, centroid (21.3368, 11.3534) mm\n"
                          "  ignored   1 TEXT: is a note (line 466)\n"
                          "  ignored   1 POINT: has no length (line 490)\n"
                          "  ignored   1 CIRCLE on layer 'old': the layer is off (line 508)\n");
  CHECK(program.names().empty());
}

TEST_CASE("import tells gaps that it joined, and what it dropped") {
  Program program;
  const std::string err = program.run({"import", kData + "untidy.dxf"}).err;
  CHECK(lines_with(err, "joined").at(0) ==
        "  joined    2 gaps: 0.004 mm at (0.002, 10), 0.002 mm at (10, 0.001)");
  CHECK(lines_with(err, "dropped").size() == 2);
  CHECK(lines_with(err, "merged").at(0) ==
        "  merged    1 element with the one before on the same line or circle");
}

TEST_CASE("import writes the tables into a new file, and a picture") {
  Program program;
  const ProgramResult result =
      program.run({"import", kData + "bracket.dxf", "--out", "part.toml", "--draw", "part.svg",
                   "--density-kg-mm3", "2.7e-6", "--thickness-mm", "5", "--origin", "centroid"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.empty());
  CHECK(program.names() == Names{"part.svg", "part.toml"});
  CHECK_THAT(program.text("part.toml"),
             Contains("[part]\ndensity_kg_mm3 = 2.7e-06\nthickness_mm = 5.0\n"));
  CHECK(lines_with(result.err, "mass").at(0) == "  mass      0.0116923 kg");
  CHECK_THAT(result.err, Contains("centroid (0, 0) mm"));
  CHECK_THAT(result.err, Contains("Drawn in part.svg\nTables in part.toml\n"));
  const std::string picture = program.text("part.svg");
  CHECK(XmlCheck(picture).problem().empty());
  for (const char* label :
       {">contact: 60<", ">part: R5<", ">part: 40<", ">hole 1: \u00d85<", ">60<", ">40<"}) {
    CHECK_THAT(picture, Contains(label));
  }
  const ProgramResult again = program.run({"import", kData + "bracket.dxf", "--out", "part.toml"});
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.err, Contains("--out: part.toml is there already; give a new file"));
}

TEST_CASE("import draws a PNG by gnuplot, and leaves nothing else") {
  Program program;
  const ProgramResult result =
      program.run({"import", kData + "ellipses.dxf", "--draw", "part.png"});
  CHECK(result.exit_code == 0);
  CHECK(program.names() == Names{"part.png"});
  CHECK(program.text("part.png").substr(1, 3) == "PNG");
  program.search_path = "/nowhere";
  const ProgramResult without =
      program.run({"import", kData + "bracket.dxf", "--draw", "b.png", "--out", "b.toml"});
  CHECK(without.exit_code == 1);
  CHECK_THAT(without.err, Contains("gnuplot"));
  CHECK(program.names() == Names{"part.png"});
}

TEST_CASE("a drawing that a configuration names is the same as its imported tables") {
  Program program;
  std::string config = file_text(lock_piece());
  config = config.substr(config.find("[gripper]"));
  config = replaced(replaced(config, "tooth_1", "part"), "tooth_6", "contact");
  std::filesystem::copy(kData + "bracket.dxf", program.path("bracket.dxf"));
  const ProgramResult tables = program.run({"import", "bracket.dxf", "--density-kg-mm3", "2.7e-6",
                                            "--thickness-mm", "5", "--out", "part.toml"});
  REQUIRE(tables.exit_code == 0);
  std::ofstream(program.path("tables.toml")) << program.text("part.toml") << config;
  std::ofstream(program.path("file.toml"))
      << "[part]\ndensity_kg_mm3 = 2.7e-6\nthickness_mm = 5\n[[part.piece]]\nname = \"bracket\"\n"
      << "file = \"bracket.dxf\"\n"
      << config;
  for (const char* name : {"tables", "file"}) {
    const ProgramResult run =
        program.run(join({"run", std::string(name) + ".toml", "--out", name, "--no-plots",
                          "--quiet", "--set", "name=\"x\"", "--set", "gripper.opening_mm=200"},
                         small_sweep()));
    CHECK(run.err.empty());
    REQUIRE(run.exit_code == 0);
  }
  const std::string written = program.text("tables/config.toml");
  CHECK_THAT(written, Contains("-0.41421356237309503"));
  CHECK(written.substr(written.find("[part]")) ==
        program.text("file/config.toml").substr(program.text("file/config.toml").find("[part]")));
}

TEST_CASE("import writes the table of a finger, of one outline") {
  Program program;
  const ProgramResult result =
      program.run({"import", kData + "mirrored_r12.dxf", "--finger", "--names", "layer"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("\n[gripper.finger]\noutline_mm = [\n"));
  CHECK_THAT(result.out, Contains("names = [\"0\", "));
  const ProgramResult two = program.run({"import", kData + "nut_source.svg", "--finger"});
  CHECK(two.exit_code == 2);
  CHECK_THAT(two.err, Contains("shows 2 outlines apart from each other") &&
                          Contains("; a finger must be one"));
  CHECK(program.run({"import", kData + "nut_source.svg", "--finger", "--layer", "nut"}).exit_code ==
        0);
}

TEST_CASE("import numbers the pieces of several outlines") {
  Program program;
  const std::string out = program.run({"import", kData + "nut_openscad.dxf", "--bodies", "2"}).out;
  CHECK(lines_with(out, "name =") ==
        std::vector<std::string>{"name = \"nut_openscad_1\"", "name = \"nut_openscad_2\""});
}

TEST_CASE("import takes layers, scale, rotation, origin and tolerance") {
  Program program;
  const auto size = [&](const std::vector<std::string>& options) {
    const ProgramResult result = program.run(join({"import", kData + "nut_source.svg"}, options));
    REQUIRE(result.exit_code == 0);
    return lines_with(result.err, "size").at(0);
  };
  CHECK(size({"--layer", "nut"}) ==
        "  size      24 x 27.7128 mm, from (8, 6.14359) to (32, 33.8564)");
  CHECK(size({"--layer", "nut", "--origin", "20,20"}) ==
        "  size      24 x 27.7128 mm, from (-12, -13.8564) to (12, 13.8564)");
  CHECK(size({"--layer", "nut", "--origin", "centroid", "--scale", "0.5", "--rotation-rad",
              "-1.5707963267948966"}) ==
        "  size      13.8564 x 12 mm, from (-6.9282, -6) to (6.9282, 6)");
  const auto arcs = [&](const char* tolerance_mm) {
    return count_lines(
        program.run({"import", kData + "ellipses.dxf", "--tolerance-mm", tolerance_mm}).out);
  };
  CHECK(arcs("0.5") < arcs("0.005"));
}

TEST_CASE("import says in one line what is wrong, and writes nothing") {
  Program program;
  const auto error = [&](const std::vector<std::string>& args) {
    const ProgramResult result = program.run(join({"import"}, args));
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(count_lines(result.err) == 1);
    return result.err;
  };
  const std::string file = kData + "bracket.dxf";
  CHECK_THAT(error({}), Contains("import"));
  CHECK_THAT(error({"gone.dxf", "--out", "a.toml", "--draw", "a.svg"}),
             Contains("gone.dxf: cannot be read: No such file or directory"));
  CHECK_THAT(error({file, "--tolerance-mm", "0"}), Contains("must be a number > 0"));
  CHECK_THAT(error({file, "--tolerance-mm", "1e-9"}), Contains("tolerance (mm) 1e-09; must be"));
  CHECK_THAT(error({file, "--scale", "big"}), Contains("--scale: 'big'; must be a number > 0"));
  CHECK_THAT(error({file, "--rotation-rad", "1,2"}), Contains("must be one angle in rad"));
  CHECK_THAT(error({file, "--origin", "left"}),
             Contains("--origin: 'left'; must be drawn, centroid, or X,Y in mm"));
  CHECK_THAT(error({file, "--origin", "1,2,3"}), Contains("--origin"));
  CHECK_THAT(error({file, "--names", "all"}), Contains("--names: 'all'; must be layer or none"));
  CHECK_THAT(error({file, "--density-kg-mm3", "1"}),
             Contains("--density-kg-mm3 and --thickness-mm go together"));
  CHECK_THAT(error({file, "--material", "steel"}),
             Contains("--material and --thickness-mm go together"));
  CHECK_THAT(error({file, "--draw", "same.svg", "--out", "./same.svg"}),
             Contains("--draw and --out name the same file; give two"));
  CHECK_THAT(error({file, "--draw", "a.gif"}), Contains("must be FILE.svg or FILE.png"));
  CHECK_THAT(error({file, "--layer", "nothing"}),
             Contains("layer 'nothing': the drawing shows no lines on it; layers with lines: "
                      "'contact', 'part'"));
  CHECK_THAT(error({file, "--layer", "part"}), Contains("the outline is open"));
  std::ofstream(program.path("binary.dxf")) << "AutoCAD Binary DXF\r\n\x1a";
  CHECK_THAT(error({"binary.dxf"}), Contains("binary.dxf: is a binary DXF file"));
  std::filesystem::copy(file, program.path("x.igs"));
  CHECK_THAT(error({"x.igs"}), Contains("x.igs: must be a .dxf or a .svg file, or for graspmap "
                                        "import and init a .step, .stp or .stl file"));
  std::filesystem::copy(kData + "nut_source.svg", program.path("a.svg"));
  CHECK_THAT(error({"a.svg", "--draw", "a.svg"}), Contains("--draw is the drawing itself"));
  CHECK(program.names() == Names{"a.svg", "binary.dxf", "x.igs"});
}

TEST_CASE("a drawing of 10 MB is read within seconds") {
  Program program;
  {
    std::ofstream file(program.path("big.dxf"));
    file << "0\nSECTION\n2\nENTITIES\n0\nCIRCLE\n8\n0\n10\n0\n20\n0\n40\n9\n";
    for (int k = 0; k < 200'000; ++k) {
      file << "0\nTEXT\n8\nnotes\n10\n" << k << "\n20\n0\n40\n3\n1\nsome text of a drawing\n";
    }
    file << "0\nENDSEC\n0\nEOF\n";
  }
  REQUIRE(std::filesystem::file_size(program.path("big.dxf")) > 10'000'000);
  const ProgramResult result = program.run({"import", "big.dxf"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Contains("ignored   200000 TEXT"));
}

TEST_CASE("import and init take several outlines for views, unless --bodies says otherwise") {
  Program program;
  std::string text =
      "0 SECTION 2 HEADER 9 $INSUNITS 70 4 0 ENDSEC 0 SECTION 2 ENTITIES "
      "0 LWPOLYLINE 90 4 70 1 10 0 20 0 10 40 20 0 10 40 20 20 10 0 20 20 "
      "0 LWPOLYLINE 90 4 70 1 10 100 20 0 10 110 20 0 10 110 20 20 10 100 20 20 0 ENDSEC 0 EOF ";
  std::replace(text.begin(), text.end(), ' ', '\n');
  const std::string file = program.folder().write("sheet.dxf", text).string();
  for (const char* command : {"import", "init"}) {
    const ProgramResult result = program.run({command, file});
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Contains("shows 2 outlines apart from each other: 1: 40 x 20 mm at (20, "
                                    "10), 2: 10 x 20") &&
                               Contains("or say with --bodies 2 that they are one part"));
  }
  CHECK(lines_with(program.run({"import", file, "--bodies", "2"}).out, "name =").size() == 2);
  const ProgramResult second = program.run({"import", file, "--view", "2", "--name-sides"});
  CHECK_THAT(second.out, Contains("[110.0, 20.0]") && Contains("\"left\"") && !Contains("[40.0"));
  CHECK(program.run({"import", file, "--bodies", "3"}).exit_code == 2);
  CHECK(program.run({"import", file, "--box", "9,9,1,1"}).exit_code == 2);
  CHECK(program.run({"import", file, "--finger", "--bodies", "2"}).exit_code == 2);
}

}  // namespace
}  // namespace graspmap::testing
