#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <sstream>

#include "geometry/mass_properties.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/success_rules.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kSquare = "outline_mm = [[-3, -3], [3, -3], [3, 3], [-3, 3]]";

/// The short configuration whose knob has these keys in place of its semi-axes.
std::string with_knob(const std::string& keys) {
  return replaced(kConfigText, "semi_axes_mm = [3, 3]", keys);
}

Outline knob(const std::string& keys) {
  return sweep_of(with_knob(keys)).scenario.part.outlines.at(0).outline;
}

/// The error of the configuration whose knob has these keys; it is at the line with `line` in it.
void check_knob(const std::string& keys, const std::string& line, const std::string& key,
                const std::string& says) {
  graspmap::testing::check_mistakes(
      kConfigText, "sweep.toml", sweep_error,
      {{"semi_axes_mm = [3, 3]", keys, line, "part.piece.1." + key, says}});
}

/// A LINE of a DXF file.
std::string line(const std::string& layer, const Vec2& from_mm, const Vec2& to_mm) {
  std::ostringstream text;
  text << "0\nLINE\n8\n"
       << layer << "\n10\n"
       << from_mm.x() << "\n20\n"
       << from_mm.y() << "\n11\n"
       << to_mm.x() << "\n21\n"
       << to_mm.y() << "\n";
  return text.str();
}

std::string dxf(const std::string& lines) {
  return "0\nSECTION\n2\nENTITIES\n" + lines + "0\nENDSEC\n0\nEOF\n";
}

/// A triangle: two legs of 3 and 6 mm at the point (1, 1), and what joins them on a layer of its
/// own.
std::string triangle_dxf() {
  return dxf(line("legs", {1, 1}, {4, 1}) + line("long side", {4, 1}, {1, 7}) +
             line("legs", {1, 7}, {1, 1}));
}

/// The outline of the knob that a drawing gives, in a folder with the configuration.
Outline drawn_knob(const std::string& drawing, const std::string& keys) {
  const TemporaryFolder folder;
  (void)folder.write("knob.dxf", drawing);
  const auto file = folder.write("sweep.toml", with_knob("file = \"knob.dxf\"\n" + keys));
  return read_sweep_config(file, {}).scenario.part.outlines.at(0).outline;
}

/// True when the outline has a corner there.
bool has_corner(const Outline& outline, const Vec2& at_mm) {
  return std::any_of(
      outline.outer.begin(), outline.outer.end(),
      [&](const OutlineElement& element) { return (element.begin_mm - at_mm).norm() < 1e-12; });
}

int count_named(const Outline& outline, const std::string& name) {
  return static_cast<int>(
      std::count_if(outline.outer.begin(), outline.outer.end(),
                    [&](const OutlineElement& element) { return element.name == name; }));
}

}  // namespace

TEST_CASE("a piece may be an outline of points and bulges, placed as a superellipse is") {
  const SweepConfig config = sweep_of(
      with_knob("angle_rad = 0.5\noutline_mm = [[-3, -3], [3, -3, 0.25], [3, 3], [-3, 3]]\n"
                "holes_mm = [[[-1, -1], [-1, 1], [1, 1], [1, -1]], [[2, 0, -1], [2.5, 0, -1]]]"));
  const Part& part = config.scenario.part;
  REQUIRE(part.pieces.size() == 1);
  REQUIRE(part.outlines.size() == 1);
  const OutlinePiece& piece = part.outlines[0];
  CHECK(piece.name == "knob");
  CHECK(piece.pose.position_mm == Vec2(0, -6));
  CHECK(piece.pose.angle_rad == 0.5);
  REQUIRE(piece.outline.outer.size() == 4);
  CHECK(piece.outline.outer[1].begin_mm == Vec2(3, -3));
  CHECK(piece.outline.outer[1].bulge == 0.25);
  CHECK(piece.outline.outer[2].bulge == 0);
  CHECK(piece.outline.outer[0].name.empty());
  REQUIRE(piece.outline.holes.size() == 2);
  CHECK(piece.outline.holes[0][1].begin_mm == Vec2(-1, 1));
  CHECK(piece.outline.holes[1][0].bulge == -1);
}

TEST_CASE("loops of the other orientation are turned around, and keep their numbers") {
  const Outline right = knob(kSquare);
  const Outline turned = knob(
      "outline_mm = [[-3, -3], [-3, 3], [3, 3], [3, -3]]\nnames = "
      "[\"left\", \"\", \"right\", \"\"]");
  REQUIRE(turned.outer.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) CHECK(turned.outer[k].begin_mm == right.outer[k].begin_mm);
  CHECK(element_name(turned.outer, 0) == "edge 4");
  CHECK(element_name(turned.outer, 1) == "right");
  CHECK(element_name(turned.outer, 2) == "edge 2");
  CHECK(element_name(turned.outer, 3) == "left");

  const std::string hole = kSquare + "\nholes_mm = [[[-1, -1], [1, -1], [1, 1], [-1, 1]]]";
  CHECK(knob(hole).holes[0][1].begin_mm == Vec2(-1, 1));
}

TEST_CASE("outlines are written point by point and read back the same to the last bit") {
  SweepConfig config = sweep_of(with_knob(kSquare));
  OutlinePiece& piece = config.scenario.part.outlines[0];
  piece.pose = {{1.0 / 3, 1e-300}, -std::numbers::pi};
  piece.outline = {circle_loop({1.0 / 7, 0}, 2 + 0x1p-50), {}};
  piece.outline.outer[1].name = "right.half";
  piece.outline.holes = {reversed(polygon_loop({{0, 0}, {0.1 + 0.2, 0}, {0, 1e-1}}))};
  for (OutlineElement& element : piece.outline.holes[0]) element.name.clear();
  config.scenario.part.outlines.push_back(
      {"other", {polygon_loop({{0, 0}, {1, 0}, {0, 1}}), {}}, {}});
  config.success = {{{{"right.half", {2}}, {"other", {5, 6, 7}}}, {{"bar", {0}}}}};
  const std::string text = to_toml(config);
  check_equal(sweep_of(text), config);
  CHECK(to_toml(sweep_of(text)) == text);

  const SweepConfig turned =
      sweep_of(with_knob("outline_mm = [[-3, -3], [-3, 3, 0.1], [3, 3], [3, -3]]"));
  check_equal(sweep_of(to_toml(turned)), turned);
}

TEST_CASE("pieces of both kinds keep their names and order when they are written") {
  const std::string text = replaced(kConfigText, "semi_axes_mm = [20, 5]\nexponent = 8",
                                    "outline_mm = [[-20, -5], [20, -5], [20, 5], [-20, 5]]");
  const SweepConfig config = sweep_of(text);
  CHECK(config.scenario.part.pieces[0].name == "knob");
  CHECK(config.scenario.part.outlines[0].name == "bar");
  check_equal(sweep_of(to_toml(config)), config);
}

TEST_CASE("mass and support radius of an outline come from its area") {
  const std::string uniform = replaced(
      with_knob(kSquare), "mass_kg = 0.05\ncenter_of_mass_mm = [0.5, -1]\ninertia_kg_mm2 = 12\n",
      "density_kg_mm3 = 2.7e-6\nthickness_mm = 4\n");
  const SweepConfig alone = sweep_of(replaced(
      replaced(uniform, "[[part.piece]]\nname = \"bar\"\nsemi_axes_mm = [20, 5]\nexponent = 8\n",
               ""),
      "e_r_mm = 10", ""));
  const MassProperties& mass = alone.scenario.mass;
  const double mass_kg = 36 * 4 * 2.7e-6;
  CHECK(mass.mass_kg == Approx(mass_kg).epsilon(1e-12));
  CHECK((mass.center_of_mass_P_mm - Vec2(0, -6)).norm() < 1e-12);
  CHECK(mass.inertia_kg_mm2 == Approx(mass_kg * 6).epsilon(1e-12));      // m (6^2 + 6^2) / 12
  const double side_mean = (std::numbers::sqrt2 + std::asinh(1.0)) / 6;  // of a square's side
  CHECK(std::get<EllipsoidSupport>(alone.scenario.support).e_r_mm ==
        Approx(6 * side_mean).epsilon(1e-5));
}

TEST_CASE("overrides change outlines, whole and point by point") {
  const std::string text = with_knob(kSquare);
  const auto with = [&](const std::string& assignment) {
    return parse_sweep_config(text, "sweep.toml", {assignment}).scenario.part.outlines[0].outline;
  };
  CHECK(with("part.piece.1.outline_mm=[[0, 0], [1, 0], [0, 1]]").outer.size() == 3);
  CHECK(with("part.piece.1.outline_mm.2=[4, 3, 0.1]").outer[2].begin_mm == Vec2(4, 3));
  CHECK(with("part.piece.1.outline_mm.2=[4, 3, 0.1]").outer[2].bulge == 0.1);
  CHECK(with("part.piece.1.names=[\"a\", \"a\", \"\", \"b\"]").outer[1].name == "a");
}

TEST_CASE("a piece is one of superellipse, points and drawing") {
  check_knob("semi_axes_mm = [3, 3]\n" + kSquare, "outline_mm", "outline_mm",
             "does not go with semi_axes_mm; give one of semi_axes_mm, outline_mm and file");
  check_knob(kSquare + "\nexponent = 2", "exponent = 2\n", "exponent", "has no effect");
  check_knob(kSquare + "\nscale = 2", "scale", "scale", "has no effect beside the other keys");
  check_knob(kSquare + "\nfile = \"a.dxf\"", "file", "file", "has no effect");
  check_knob("semi_axes_mm = [3, 3]\nholes_mm = []", "holes_mm", "holes_mm", "has no effect");
  check_knob(kSquare + "\noutlin_mm = 1", "outlin_mm", "outlin_mm", "did you mean outline_mm?");
  check_knob("file = \"a.dxf\"\nname_by_layers = true", "name_by", "name_by_layers",
             "did you mean name_by_layer?");
}

TEST_CASE("points that make no outline are named with what is wrong") {
  const std::string numbers = "must be a list of 2 or 3 finite numbers";
  check_knob("outline_mm = 3", "outline_mm", "outline_mm",
             "is 3; must be a list of lists of 2 or 3 numbers");
  check_knob("outline_mm = [[0, 0], [1]]", "outline_mm", "outline_mm.1", numbers);
  check_knob("outline_mm = [[0, 0],\n [1, 0, 0, 0]]", "[1, 0, 0, 0]", "outline_mm.1", numbers);
  check_knob("outline_mm = [[0, 0], [1, inf], [1, 1]]", "outline_mm", "outline_mm.1", numbers);
  check_knob("outline_mm = [[0, 0], 7]", "outline_mm", "outline_mm.1", "is 7; " + numbers);
  check_knob(kSquare + "\nholes_mm = [[0, 0], [1, 0]]", "holes_mm", "holes_mm.0.0", numbers);
  check_knob(kSquare + "\nholes_mm = [3]", "holes_mm", "holes_mm.0",
             "must be a list of lists of 2 or 3 numbers");
  const std::string allowed = "; must be a closed chain of segments and arcs that do not touch";
  check_knob("outline_mm = []", "outline_mm", "outline_mm", allowed);
  check_knob("outline_mm = [[0, 0]]", "outline_mm", "outline_mm", allowed);
  check_knob("outline_mm = [[0, 0], [1, 0], [1, 0], [0, 1]]", "outline_mm", "outline_mm", allowed);
  check_knob("outline_mm = [[0, 0], [2, 2], [2, 0], [0, 2]]", "outline_mm", "outline_mm",
             "edge 1 and edge 3 cross");
  check_knob("outline_mm = [[0, 0], [1, 0], [0, 1], [0, 0]]", "outline_mm", "outline_mm",
             "the last point repeats the first, (0, 0); must be left out");
  check_knob(kSquare + "\nholes_mm = [[[8, 0], [9, 0], [9, 1]]]", "holes_mm", "holes_mm", allowed);
}

TEST_CASE("names of elements are checked") {
  check_knob(kSquare + "\nnames = [\"a\"]", "names", "names",
             "is a list of 1; must be a list of names, one for each element of outline_mm");
  check_knob(kSquare + "\nnames = [\"a\", \"\", \"b c\", \"\"]", "names", "names",
             "has \"b c\"; must be \"\" or a name of letters");
  check_knob(kSquare + "\nnames = [\"a\", \"\", \"bar\", \"\"]", "names", "names",
             "\"bar\" is the name of a piece and of an element; must be of one of them");
  check_knob(kSquare + "\nnames = [\"knob\", \"\", \"\", \"\"]", "names", "names",
             "\"knob\" is the name of a piece and of an element");
}

TEST_CASE("a piece may be a drawing, which a stored configuration does not need") {
  const Outline drawn = drawn_knob(triangle_dxf(), "");
  REQUIRE(drawn.outer.size() == 3);
  CHECK(has_corner(drawn, {1, 1}));
  CHECK(has_corner(drawn, {4, 1}));
  CHECK(has_corner(drawn, {1, 7}));
  CHECK(count_named(drawn, "legs") == 2);
  CHECK(count_named(drawn, "long_side") == 1);

  const TemporaryFolder folder;
  (void)folder.write("knob.dxf", triangle_dxf());
  const auto file = folder.write(
      "sweep.toml",
      replaced(with_knob("file = \"knob.dxf\""), "left = [\"knob\"]", "left = [\"long_side\"]"));
  const SweepConfig config = read_sweep_config(file, {});
  CHECK(config.success[0].left[0].features.size() == 1);
  check_equal(sweep_of(to_toml(config)), config);
}

TEST_CASE("a drawing is scaled, turned and moved, and its elements are named") {
  const Outline scaled = drawn_knob(triangle_dxf(), "scale = 2");
  CHECK(has_corner(scaled, {8, 2}));
  const Outline turned = drawn_knob(triangle_dxf(), "rotation_rad = 1.5707963267948966");
  CHECK(has_corner(turned, {-7, 1}));
  const Outline centred = drawn_knob(triangle_dxf(), "origin = \"centroid\"");
  CHECK(has_corner(centred, {-1, -2}));
  const Outline moved = drawn_knob(triangle_dxf(), "origin_mm = [4, 1]");
  CHECK(has_corner(moved, {0, 0}));
  const Outline unnamed = drawn_knob(triangle_dxf(), "name_by_layer = false");
  CHECK(count_named(unnamed, "") == 3);
  const Outline named = drawn_knob(triangle_dxf(), "names = [\"a\", \"b\", \"a\"]");
  CHECK(count_named(named, "a") == 2);

  const std::string plate =
      line("plate", {0, 0}, {9, 0}) + line("plate", {9, 0}, {0, 9}) + line("plate", {0, 9}, {0, 0});
  const std::string notes = line("notes", {50, 0}, {60, 0});
  CHECK(drawn_knob(dxf(plate + notes), "layers = [\"plate\"]").outer.size() == 3);
}

TEST_CASE("a drawing that makes no outline is named with its own line") {
  const TemporaryFolder folder;
  (void)folder.write("knob.dxf", dxf(line("0", {1, 1}, {4, 1}) + line("0", {4, 1}, {1, 7})));
  const auto file = folder.write("sweep.toml", with_knob("file = \"knob.dxf\""));
  const std::string error = config_error([&] { (void)read_sweep_config(file, {}); });
  CHECK_THAT(error, Contains("knob.dxf:6: ") && Contains(" (named by part.piece.1.file, ") &&
                        Contains("sweep.toml:14)"));
  CHECK(error.find('\n') == std::string::npos);
}

TEST_CASE("a drawing that cannot be read is named with the key that gives it") {
  CHECK_THAT(sweep_error(with_knob("file = \"none.dxf\"")),
             Contains("none.dxf: cannot be read: No such file or directory; give a DXF or SVG file "
                      "(named by part.piece.1.file, "));
  check_knob("file = \"none.dxf\"\norigin = \"left\"", "origin", "origin",
             "must be \"drawn\" or \"centroid\"");
  check_knob("file = \"none.dxf\"\norigin = \"drawn\"\norigin_mm = [1, 2]", "origin_mm",
             "origin_mm", "does not go with origin");
  check_knob("file = \"none.dxf\"\nscale = 0", "scale = 0", "scale", "must be a finite number > 0");
}

TEST_CASE("a gripper that starts inside an outline everywhere is refused") {
  const std::string bar = replaced(kConfigText, "semi_axes_mm = [20, 5]\nexponent = 8",
                                   "outline_mm = [[-20, -5], [20, -5], [20, 5], [-20, 5]]");
  CHECK(sweep_error(bar) == "(no error)");
  CHECK_THAT(sweep_error(replaced(bar, "opening_mm = 30", "opening_mm = 5")),
             Contains("gripper.opening_mm: is 5: the jaws start inside the part at the centre of "
                      "every cell; must be wider than the part there"));
  const std::string palm =
      "[gripper.palm]\noutline_mm = [[-90, -60], [90, -60], [90, 60], [-90, 60]]\n[support]";
  CHECK_THAT(sweep_error(replaced(bar, "[support]", palm)),
             Contains("gripper.palm: starts inside the part at the centre of every cell; must be "
                      "clear of it there"));
}
