#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "geometry/outline_faults.hpp"
#include "geometry/outline_shapes.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

std::string with_tables(const std::string& tables) {
  return replaced(kConfigText, "[support]", tables + "\n[support]");
}

std::string with_finger(const std::string& keys) {
  return with_tables("[gripper.finger]\n" + keys);
}

Outline finger(const std::string& keys) {
  return *sweep_of(with_finger(keys)).scenario.gripper.right_finger;
}

/// "NAME (X, Y)" for each element.
std::vector<std::string> elements(const Outline& outline) {
  std::vector<std::string> texts;
  for (const OutlineElement& e : outline.outer) {
    std::ostringstream text;
    text << e.name << " (" << e.begin_mm.x() << ", " << e.begin_mm.y() << ")";
    texts.push_back(text.str());
  }
  return texts;
}

using Texts = std::vector<std::string>;

void check_finger(const std::string& keys, const std::string& line, const std::string& key,
                  const std::string& says) {
  graspmap::testing::check_mistakes(kConfigText, "sweep.toml", sweep_error,
                                    {{"[support]", "[gripper.finger]\n" + keys + "\n[support]",
                                      line, "gripper.finger." + key, says}});
}

}  // namespace

TEST_CASE("without keys of fingers a gripper has none") {
  const SweepConfig config = sweep_of(kConfigText);
  CHECK_FALSE(config.scenario.gripper.right_finger);
  CHECK_FALSE(config.scenario.gripper.left_finger);
  CHECK_FALSE(config.scenario.gripper.palm);
  CHECK(to_toml(config).find("finger") == std::string::npos);
  CHECK(to_toml(config).find("palm") == std::string::npos);
}

TEST_CASE("a finger may be an outline; the left one is its mirror image unless it is given") {
  const std::string right = "outline_mm = [[0, 0], [0, -50], [8, -50], [8, 0]]\n";
  const SweepConfig config = sweep_of(with_finger(right));
  const Gripper& gripper = config.scenario.gripper;
  CHECK(gripper.right_finger->outer[2].begin_mm == Vec2(8, -50));
  check_equal(*gripper.left_finger, mirrored(*gripper.right_finger));
  check_equal(sweep_of(to_toml(config)), config);
  CHECK(to_toml(config).find("left_finger") == std::string::npos);

  const SweepConfig both = sweep_of(
      with_finger(right + "[gripper.left_finger]\noutline_mm = [[0, 0], [-9, 0], [0, -70]]\n"));
  CHECK(both.scenario.gripper.left_finger->outer.size() == 3);
  CHECK(both.scenario.gripper.right_finger->outer.size() == 4);
  check_equal(sweep_of(to_toml(both)), both);
}

TEST_CASE("fingers differ in the numbers of their shapes, or point by point") {
  const auto keys_of = [](const SweepConfig& a, const SweepConfig& b) {
    std::vector<std::string> keys;
    for (const ConfigDifference& d : config_differences(a, b)) keys.push_back(d.key);
    return keys;
  };
  const SweepConfig sharp = sweep_of(with_finger("tip_radius_mm = 1\n"));
  const SweepConfig round = sweep_of(with_finger("tip_radius_mm = 3\n"));
  CHECK(keys_of(sharp, round) == std::vector<std::string>{"gripper.finger.tip_radius_mm"});
  // As runs were stored that do not know their fingers' shapes.
  const SweepConfig older = sweep_of(to_toml(sharp, FingersAs::kOutlines));
  CHECK_FALSE(older.scenario.right_shape);
  CHECK(keys_of(older, sharp).empty());
  CHECK(keys_of(older, round).front() == "gripper.finger.outline_mm.1");
}

TEST_CASE("a palm is an outline in the gripper's frame") {
  const SweepConfig config = sweep_of(
      with_tables("[gripper.palm]\noutline_mm = [[-50, -60], [50, -60], [50, -40], [-50, -40]]"));
  CHECK(config.scenario.gripper.palm->outer[0].begin_mm == Vec2(-50, -60));
  CHECK_FALSE(config.scenario.gripper.right_finger);
  check_equal(sweep_of(to_toml(config)), config);
}

TEST_CASE("common fingers are given by their dimensions") {
  SECTION("finite width") {
    CHECK(elements(finger("width_mm = 8")) ==
          Texts{"top (8, 0)", "inside (0, 0)", "base (0, -10000)", "outside (8, -10000)"});
  }
  SECTION("round tip") {
    const Outline tip = finger("tip_radius_mm = 2");
    CHECK(elements(tip) == Texts{"top (10000, 0)", "tip (2, 0)", "inside (0, -2)",
                                 "base (0, -10000)", "outside (10000, -10000)"});
    const OutlineCurve arc = outline_curves(tip.outer)[1];
    CHECK(arc.radius_mm == Approx(2).epsilon(1e-15));
    CHECK((arc.center_mm - Vec2(2, -2)).norm() < 1e-15);
    CHECK(arc.turn_rad == Approx(std::numbers::pi / 2).epsilon(1e-15));
  }
  SECTION("chamfer of 45 degrees, or of another angle") {
    const OutlineLoop even = finger("tip_chamfer_mm = 3").outer;
    CHECK(even[1].name == "chamfer");
    CHECK(even[1].begin_mm == Vec2(3, 0));
    CHECK((even[2].begin_mm - Vec2(0, -3)).norm() < 1e-15);
    const OutlineLoop steep =
        finger("tip_chamfer_mm = 3\ntip_chamfer_rad = 0.5235987755982988").outer;
    CHECK((steep[2].begin_mm - Vec2(0, -3 * std::sqrt(3.0))).norm() < 1e-14);
  }
  SECTION("groove") {
    const OutlineLoop loop =
        finger(
            "groove_angle_rad = 2.0943951023931953\ngroove_depth_mm = 2\ngroove_position_mm = -10")
            .outer;
    REQUIRE(loop.size() == 7);
    const double half_mm = 2 * std::sqrt(3.0);
    CHECK(loop[1].name == "inside");
    CHECK((loop[2].begin_mm - Vec2(0, -10 + half_mm)).norm() < 1e-14);
    CHECK(loop[2].name == "groove_upper");
    CHECK(loop[3].begin_mm == Vec2(2, -10));
    CHECK(loop[3].name == "groove_lower");
    CHECK((loop[4].begin_mm - Vec2(0, -10 - half_mm)).norm() < 1e-14);
    CHECK(loop[4].name == "inside");
  }
  SECTION("step") {
    CHECK(elements(finger("width_mm = 9\nstep_depth_mm = 4\nstep_height_mm = 12")) ==
          Texts{"top (9, 0)", "set_back (4, 0)", "ledge (4, -12)", "inside (0, -12)",
                "base (0, -10000)", "outside (9, -10000)"});
  }
  SECTION("all of them together") {
    CHECK(
        elements(finger("width_mm = 9\ntip_radius_mm = 1\nstep_depth_mm = 4\nstep_height_mm = 12\n"
                        "groove_angle_rad = 1.5707963267948966\ngroove_depth_mm = 2\n"
                        "groove_position_mm = -20"))
            .size() == 10);
  }
  SECTION("features that meet leave no element of no length between them") {
    CHECK(elements(finger("width_mm = 2\ntip_radius_mm = 2")) ==
          Texts{"tip (2, 0)", "inside (0, -2)", "base (0, -10000)", "outside (2, -10000)"});
    CHECK(elements(finger("tip_radius_mm = 2\nstep_depth_mm = 3\nstep_height_mm = 2"))[1] ==
          "tip (5, 0)");
    CHECK(elements(finger("tip_radius_mm = 2\nstep_depth_mm = 3\nstep_height_mm = 2"))[2] ==
          "ledge (3, -2)");
  }
}

TEST_CASE("a finger of given dimensions is a region, and is written as points") {
  for (const double radius_mm : {0.0, 0.1, 3.0}) {
    for (const double step_mm : {0.0, 2.5}) {
      for (const double groove_mm : {0.0, 4.0}) {
        FingerShape shape{.width_mm = 20, .tip_radius_mm = radius_mm};
        shape.step_depth_mm = step_mm;
        shape.step_height_mm = 5;
        shape.groove_depth_mm = groove_mm;
        shape.groove_position_mm = -15;
        CHECK(outline_faults(finger_outline(shape)).empty());
      }
    }
  }
  const SweepConfig config = sweep_of(with_finger("tip_radius_mm = 2.3\nwidth_mm = 7.1"));
  check_equal(sweep_of(to_toml(config)), config);
}

TEST_CASE("a left finger of given dimensions is the mirror image of the right one") {
  const std::string keys = "tip_radius_mm = 2\n";
  const SweepConfig config = sweep_of(with_finger("width_mm = 5\n[gripper.left_finger]\n" + keys));
  check_equal(*config.scenario.gripper.left_finger, mirrored(finger(keys)));
}

TEST_CASE("fingers that cannot be are named with what is allowed") {
  check_finger(
      "", "[gripper.finger]", "outline_mm",
      "missing; give outline_mm, file, or a shape by width_mm, pad_width_mm, pad_depth_mm");
  check_finger("outline_mm = [[0, 0], [0, -5], [5, 0]]\nwidth_mm = 3", "width_mm", "width_mm",
               "does not go with outline_mm; give one of outline_mm, file, or a shape");
  check_finger("tip_radius_mm = 2\ntip_chamfer_mm = 1", "tip_chamfer_mm", "tip_chamfer_mm",
               "does not go with tip_radius_mm");
  check_finger("width_mm = 3\ntip_chamfer_rad = 1", "[gripper.finger]", "tip_chamfer_mm",
               "missing");
  check_finger("width_mm = 3\ntip_radius_mm = 3.1", "tip_radius_mm", "tip_radius_mm",
               "is 3.1; must be at most 3, the width of the fingertip");
  check_finger("width_mm = 6\nstep_depth_mm = 4\nstep_height_mm = 9\ntip_chamfer_mm = 3",
               "tip_chamfer_mm", "tip_chamfer_mm", "is 3; must be at most 2");
  check_finger("width_mm = 3\nstep_depth_mm = 3\nstep_height_mm = 9", "step_depth_mm",
               "step_depth_mm", "is 3; must be below the finger's width_mm = 3");
  check_finger("step_depth_mm = 3", "[gripper.finger]", "step_height_mm", "missing");
  check_finger("tip_radius_mm = 4\nstep_depth_mm = 3\nstep_height_mm = 3", "step_height_mm",
               "step_height_mm", "is 3; must be at least 4, the height of the tip's arc");
  const std::string groove = "groove_angle_rad = 1.5707963267948966\ngroove_depth_mm = 2\n";
  check_finger(groove, "[gripper.finger]", "groove_position_mm", "missing");
  check_finger(groove + "groove_position_mm = 1", "groove_position_mm", "groove_position_mm",
               "is 1; must be a number from -1000 to 0");
  check_finger(groove + "groove_position_mm = -1", "groove_position_mm", "groove_position_mm",
               "is -1: the groove reaches up to y = ");
  check_finger(groove + "groove_position_mm = -3\ntip_radius_mm = 1.5", "groove_position_mm",
               "groove_position_mm", "so that it begins at y = -1.5 or below");
  check_finger(groove + "groove_position_mm = -9\nwidth_mm = 2", "groove_depth_mm",
               "groove_depth_mm", "is 2; must be below the finger's width_mm = 2");
  check_finger("width_mm = 0", "width_mm", "width_mm", "is 0; must be a number > 0 and <= 10000");
  check_finger("widht_mm = 1", "widht_mm", "widht_mm", "did you mean width_mm?");
  check_finger("outline_mm = [[0, 0], [0, -5], [5, -5], [-5, 0]]", "outline_mm", "outline_mm",
               "must be a closed chain of segments and arcs");
}

TEST_CASE("a finger from above is a pad, with a groove in its middle unless that is elsewhere") {
  const auto config_of = [](const std::string& keys) {  // open wide, so that pads clear the part
    return sweep_of(replaced(with_finger("pad_width_mm = 22\npad_depth_mm = 8\n" + keys),
                             "opening_mm = 30", "opening_mm = 60"));
  };
  const auto names = [&](const std::string& keys) {
    return elements(*config_of(keys).scenario.gripper.right_finger);
  };
  CHECK(names("") == Texts{"top (8, 11)", "inside (0, 11)", "base (0, -11)", "outside (8, -11)"});
  const std::string v = "groove_angle_deg = 90\ngroove_depth_mm = 3\n";
  CHECK(names("tip_radius_mm = 1\n" + v)[4] == "groove_lower (3, 0)");
  CHECK(names(v + "groove_position_mm = 4")[3] == "groove_lower (3, 4)");
  CHECK(names("groove_radius_mm = 5\ngroove_depth_mm = 5")[2] == "groove (0, 5)");
  const SweepConfig config =
      config_of("tip_radius_mm = { distribution = \"uniform\", min = 1, max = 2 }\n" + v);
  check_equal(sweep_of(to_toml(config)), config);
}

TEST_CASE("pads that cannot be are named with what is allowed") {
  const std::string pad = "pad_width_mm = 22\npad_depth_mm = 8\n";
  const std::string v = "groove_angle_deg = 90\ngroove_depth_mm = 3\n";
  check_finger("pad_width_mm = 22", "[gripper.finger]", "pad_depth_mm", "missing");
  check_finger(pad + "width_mm = 8", "width_mm = 8", "width_mm", "does not go with pad_width_mm");
  check_finger(pad + "step_depth_mm = 1\nstep_height_mm = 2", "step_depth_mm", "step_depth_mm",
               "does not go with pad_width_mm");
  check_finger(pad + "tip_radius_mm = 9", "tip_radius_mm", "tip_radius_mm", "must be at most 8");
  check_finger("pad_width_mm = 6\npad_depth_mm = 8\ntip_radius_mm = 4", "tip_radius_mm",
               "tip_radius_mm", "is 4: takes 4 mm at each end of the pad's inside");
  check_finger(pad + v + "groove_position_mm = -9", "groove_position_mm", "groove_position_mm",
               "is -9: the groove reaches from y = -12 to -6; must lie within the pad's inside, "
               "-11 to 11");
  check_finger(pad + "groove_depth_mm = 8\ngroove_radius_mm = 9", "groove_depth_mm",
               "groove_depth_mm", "is 8; must be below the finger's pad_depth_mm = 8");
  check_finger(pad + "groove_depth_mm = 3", "[gripper.finger]", "groove_angle_rad",
               "missing; give it for a V, or groove_radius_mm");
  check_finger(pad + v + "groove_radius_mm = 9", "groove_angle_deg = 90", "groove_angle_deg",
               "does not go with groove_radius_mm");
  check_finger(pad + "groove_depth_mm = 3\ngroove_radius_mm = 2", "groove_radius_mm",
               "groove_radius_mm", "is 2; must be at least groove_depth_mm = 3");
}

TEST_CASE("fingers that reach towards each other stay apart until the jaws are closed") {
  const auto bulging = [](const std::string& x_mm) {
    return "outline_mm = [[" + x_mm + ", 0], [0, -50], [8, -50], [8, 0]]";
  };
  CHECK(sweep_error(with_finger(bulging("-0.9"))) == "(no error)");
  const std::string error = sweep_error(with_finger(bulging("-1.5")));
  CHECK_THAT(error,
             Catch::Contains("gripper.finger: the fingers reach 3 mm beyond their frames "
                             "towards each other; must be at most stop.closed_opening_mm = 2"));
  const std::string left = "\n[gripper.left_finger]\noutline_mm = [[0, 0], [-9, 0], [0, -70]]\n";
  CHECK(sweep_error(with_finger(bulging("-1.5") + left)) == "(no error)");
}

TEST_CASE("a left finger and a palm need what belongs to them") {
  graspmap::testing::check_mistakes(
      kConfigText, "sweep.toml", sweep_error,
      {{"[support]", "[gripper.left_finger]\nwidth_mm = 3\n[support]", "[gripper]",
        "gripper.finger", "missing; must be given with left_finger"},
       {"[support]", "[gripper.palm]\n[support]", "[gripper.palm]", "gripper.palm.outline_mm",
        "missing; give outline_mm or file"},
       {"[support]",
        "[gripper.palm]\noutline_mm = [[-1, -60], [1, -60], [0, -50]]\nwidth_mm = 3\n[support]",
        "width_mm", "gripper.palm.width_mm",
        "unknown key; allowed: outline_mm, holes_mm, names, file"},
       {"[support]", "[gripper.palm]\nfile = \"a.dxf\"\nwidth_mm = 3\n[support]", "width_mm",
        "gripper.palm.width_mm", "unknown key"}});
}
