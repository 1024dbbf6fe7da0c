#include "grasp/sweep/setup/first_config.hpp"

#include <catch2/catch.hpp>

#include "geometry/outline_faults.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/drawn.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap {
namespace {

using Catch::Matchers::Contains;

FirstGrasp grasp_of(std::vector<Outline> bodies) {
  FirstGrasp grasp;
  grasp.name = "thing";
  grasp.source = "made here";
  grasp.bodies = std::move(bodies);
  return grasp;
}

FirstGrasp bracket() {
  return grasp_of(
      read_drawing(testing::source_dir() + "/configs/drawings/l_bracket.dxf", DrawingOptions())
          .regions);
}

SweepConfig config_of(const FirstGrasp& grasp) {
  return parse_sweep_config(first_config(grasp), "thing.toml");
}

std::string error_of(const FirstGrasp& grasp) {
  return testing::config_error([&] { first_config(grasp); });
}

Outcome outcome_at(const SweepConfig& config, double x_mm, double y_mm) {
  Workspace workspace;
  SimulationResult result;
  return run_trial(config, {x_mm, y_mm, 0.0, 0.2, 0.25}, workspace, result).outcome;
}

/// At the middle of the map.
Outcome outcome_of(const SweepConfig& config) {
  const PlacementSweep& map = config.placement;
  return outcome_at(config, 0.5 * (map.x_mm.min + map.x_mm.max),
                    0.5 * (map.y_mm.min + map.y_mm.max));
}

TEST_CASE("each shape gives a configuration whose map's middle succeeds and whose ends fail") {
  for (const FirstShape& shape : kFirstShapes) {
    CAPTURE(shape.name);
    const std::vector<double> sizes = {40.0, 18.0};
    const Outline outline = first_shape(
        shape.name, {sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(shape.count)});
    CHECK(outline_faults(outline).empty());
    CHECK(box_of(outline.outer).center().norm() < 1e-12);
    const SweepConfig config = config_of(grasp_of({outline}));
    CHECK(outcome_of(config) == Outcome::kSuccess);
    CHECK(outcome_at(config, 0.0, config.placement.y_mm.max) != Outcome::kSuccess);
    CHECK(outcome_at(config, 0.0, config.placement.y_mm.min) != Outcome::kSuccess);
  }
}

TEST_CASE("shapes have their sizes and named sides, and refuse others") {
  CHECK(signed_area_mm2(first_shape("rectangle", {40, 20}).outer) == Approx(800));
  CHECK(signed_area_mm2(first_shape("disc", {40}).outer) == Approx(400 * M_PI));
  CHECK(signed_area_mm2(first_shape("hexagon", {24}).outer) == Approx(std::sqrt(3.0) / 2 * 576));
  CHECK(signed_area_mm2(first_shape("slot", {40, 20}).outer) == Approx(400 + 100 * M_PI));
  CHECK(signed_area_mm2(first_shape("ring", {40, 30}).holes.at(0)) == Approx(-225 * M_PI));
  CHECK(first_shape("rectangle", {40, 20}).outer[1].name == "right");
  const auto error = [](const std::string& shape, const std::vector<double>& sizes) {
    return testing::config_error([&] { first_shape(shape, sizes); });
  };
  CHECK_THAT(error("cube", {40}), Contains("--shape: 'cube'; must be one of disc, ring"));
  CHECK_THAT(error("disc", {40, 2}), Contains("a disc must have DIAMETER"));
  CHECK_THAT(error("rectangle", {40, 0}), Contains("a rectangle must have WIDTH,HEIGHT"));
  CHECK_THAT(error("ring", {10, 40}), Contains("of a ring the first must be the larger"));
}

TEST_CASE("map, opening and tolerance follow from the part's size") {
  const SweepConfig config = config_of(grasp_of({first_shape("rectangle", {40, 20})}));
  // A quarter of the width is clear on each side; 40 / 20 mm either way is success.
  CHECK(config.scenario.gripper.opening_mm == 60);
  CHECK(config.placement.x_mm.min == -10);
  CHECK(config.placement.x_mm.max == 10);
  CHECK(config.success.at(0).x_mm->min == -2);
  CHECK(config.success.at(0).y_mm->max == 2);
  CHECK(config.placement.y_mm.max == 5);
  CHECK(config.placement.y_mm.cells == 20);
  FirstGrasp large = grasp_of({first_shape("rectangle", {400, 200})});
  const SweepConfig ten = config_of(large);
  CHECK(ten.placement.x_mm.max == 100);
  CHECK(ten.success.at(0).x_mm->max == 20);
  large.opening_mm = 400;
  CHECK_THAT(error_of(large), Contains("--opening-mm: 400; must be above 400, the part's width"));
  large.opening_mm = 410;
  CHECK(config_of(large).placement.x_mm.max == 5);
  large.within_mm = 7;
  CHECK(config_of(large).success.at(0).y_mm->max == 7);
}

TEST_CASE("a part is held where its sides are straight, as near to its centroid as that is") {
  const SweepConfig config = config_of(bracket());
  const Axis& y = config.placement.y_mm;
  // The leg's sides are straight from y = -50 to -15; the pads are 10 mm wide and may be 2 mm off.
  CHECK(0.5 * (y.min + y.max) <= -22 + 0.5);
  CHECK(0.5 * (y.min + y.max) > -24);
  CHECK(config.scenario.gripper.opening_mm == 18);
  CHECK(outcome_of(config) == Outcome::kSuccess);
}

TEST_CASE("thin parts, tight openings and large tolerances still make a configuration") {
  FirstGrasp thin = grasp_of({first_shape("rectangle", {1.5, 40})});
  thin.robot_sigma_mm = 0.05;
  const SweepConfig config = config_of(thin);
  CHECK(config.scenario.stop.closed_opening_mm == 0.75);
  CHECK(outcome_of(config) == Outcome::kSuccess);
  FirstGrasp disc = grasp_of({first_shape("disc", {40})});
  disc.opening_mm = 40.001;
  CHECK(config_of(disc).placement.x_mm.max == Approx(0.0005));
  disc.opening_mm = 60;
  disc.within_mm = 500;
  CHECK(config_of(disc).success.at(0).theta_rad->max == 1.5);
  disc.within_mm = 0.001;
  CHECK(config_of(disc).success.at(0).theta_rad->max == 0.001);
}

TEST_CASE("parts of drawings are held where the whole pad has something to hold") {
  for (const char* file : {"bracket.dxf", "ellipses.dxf", "splines.dxf", "slot_inch.dxf"}) {
    CAPTURE(file);
    const FirstGrasp grasp = grasp_of(read_drawing(testing::data_file(file), {}).regions);
    const SweepConfig config = config_of(grasp);
    // The tilted ellipse turns between flat pads, wherever it is held.
    const bool turns = std::string(file) == "ellipses.dxf";
    CHECK(outcome_of(config) == (turns ? Outcome::kWedged : Outcome::kSuccess));
    const Eigen::AlignedBox2d part = box_of(grasp.bodies[0].outer);
    const Eigen::AlignedBox2d pad = box_of(config.scenario.gripper.right_finger->outer);
    const Axis& y = config.placement.y_mm;
    CHECK(0.5 * (y.min + y.max) + pad.max().y() < part.max().y());
    CHECK(0.5 * (y.min + y.max) + pad.min().y() > part.min().y());
  }
}

TEST_CASE("names to hold by are given to the finger on whose side they are") {
  FirstGrasp grasp = bracket();
  grasp.hold_by = {"inside", "back"};
  const SweepConfig config = config_of(grasp);
  const SuccessAlternative& rule = config.success.at(0);
  REQUIRE(rule.left.size() == 1);
  CHECK(rule.left[0].name == "back");
  CHECK(rule.right.at(0).name == "inside");
  CHECK_FALSE(rule.x_mm);
  CHECK(outcome_of(config) == Outcome::kSuccess);
  CHECK(config.placement.y_mm.min < -50);  // both ends of what can be touched
  CHECK(config.placement.y_mm.max > -15);
  grasp.hold_by = {"thing"};
  CHECK(config_of(grasp).success.at(0).right.at(0).name == "thing");
}

TEST_CASE("names that no finger can touch are refused") {
  FirstGrasp grasp = bracket();
  grasp.hold_by = {"front"};
  CHECK_THAT(error_of(grasp), Contains("--hold-by: nothing is named 'front'; must be among thing, "
                                       "back, ends, inside"));
  grasp = grasp_of({first_shape("rectangle", {40, 20})});
  grasp.hold_by = {"left"};
  CHECK_THAT(error_of(grasp), Contains("--hold-by: 'left' leaves the right finger nothing"));
  grasp.bodies.push_back(placed(first_shape("rectangle", {40, 20}), {Vec2(100, 100), 0.0}));
  grasp.hold_by = {"thing_1", "thing_2"};
  CHECK_THAT(error_of(grasp), Contains("do not face each other along x"));
}

TEST_CASE("above each key stands what the key table says of it") {
  const std::string text = first_config(bracket());
  std::istringstream lines(text);
  std::string table;
  std::string before;
  int keys = 0;
  for (std::string line; std::getline(lines, line); before = line) {
    if (line.starts_with("[")) table = line.substr(line.find_first_not_of('['));
    const std::size_t equals = line.find(" = ");
    if (line.starts_with("#") || equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals);
    if (key == "outline_mm" || key == "holes_mm" || key == "names") continue;
    INFO(line);
    CHECK(before.starts_with("# "));
    ++keys;
  }
  CHECK(keys >= 25);
  CHECK_THAT(text, Contains("# N; on each jaw\nclosing_force_n = 20\n"));
}

}  // namespace
}  // namespace graspmap
