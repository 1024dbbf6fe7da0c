#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "tests/support/source_dir.hpp"

// What is told and drawn of a trial with a program: the example in which a palm pushes a box square
// before the pads close.

namespace graspmap {
namespace {

const TrialStory& pushed_box() {
  static const TrialStory story = [] {
    const auto file = std::filesystem::path(testing::source_dir()) / "configs" / "push_grasp.toml";
    const TrialParameters trial{0, -10, 0.2, 0.2, 0.25};
    return tell_trial(read_sweep_config(file, {}), trial);
  }();
  return story;
}

TEST_CASE("the palm pushes the box square, and the pads close on it") {
  const TrialStory& story = pushed_box();
  CHECK(story.row.outcome == Outcome::kSuccess);
  REQUIRE(story.phase_ends.size() == 2);
  CHECK(story.phase_ends[0].time_s == Approx(0.4));
  CHECK(story.phase_ends[0].state.gripper.position_mm.isApprox(Vec2(0, 20)));
  CHECK(story.phase_ends[0].state.part_pose[2] == Approx(0).margin(1e-3));
  // Let go at 50 mm/s it slides on until friction has stopped it.
  const double slide_mm = 50.0 * 50.0 / (2 * 0.25 * 9810);
  CHECK(story.row.final_pose.position_mm.y() == Approx(-2 + slide_mm).margin(0.02));
}

TEST_CASE("phases are told in words, with where they end on the table") {
  const std::string text = trial_text(pushed_box());
  CHECK_THAT(text,
             Catch::Contains("1  the gripper moves by (0, 20) mm at 50 mm/s, its jaws held") &&
                 Catch::Contains("gripper at (0, 20) mm, 0 rad; part at (") &&
                 Catch::Contains("2  the jaws close"));
  const std::string json = json_text(trial_fields(pushed_box()));
  CHECK_THAT(json, Catch::Contains("\"phases\"") && Catch::Contains("\"ended\": \"duration\"") &&
                       Catch::Contains("\"part_on_table_y_mm\""));
  const CsvTable table = parse_csv(csv_text(trajectory_table(pushed_box())), "trajectory");
  CHECK(table.number(table.rows.back(), table.column("phase")) == 2);
  CHECK(table.number(table.rows.back(), table.column("gripper_y_mm")) == Approx(20));
}

TEST_CASE("a contact that goes on from one phase to the next begins once") {
  int begun = 0;
  for (const ContactEvent& event : pushed_box().events) {
    const bool is_palm = event.side == JawSide::kPalm;
    if (is_palm && event.kind == ContactEventKind::kBegan) ++begun;
  }
  CHECK(begun == 2);  // at two of its corners
}

TEST_CASE("each phase has its moment") {
  const std::vector<Moment> moments = key_moments(pushed_box());
  CHECK(moments.front().caption ==
        "start: the gripper moves by (0, 20) mm at 50 mm/s, its jaws held");
  const bool has_closing = std::any_of(moments.begin(), moments.end(), [](const Moment& moment) {
    return moment.caption == "the jaws close";
  });
  CHECK(has_closing);
}

TEST_CASE("marks on the table stay there while the gripper moves and turns") {
  const Box window{{-30, -20}, {30, 25}};
  const Pose2 gripper{{7, 13}, 0.4};
  const std::vector<Vec2> at_start = table_marks(window, {});
  const std::vector<Vec2> marks = table_marks(window, gripper);
  CHECK(marks.size() > 20);
  const double apart_mm = (at_start[1] - at_start[0]).norm();
  for (const Vec2& mark : marks) {
    const Vec2 on_table = transform(gripper, mark) / apart_mm;
    CHECK(on_table.x() == Approx(std::round(on_table.x())).margin(1e-9));
    CHECK(on_table.y() == Approx(std::round(on_table.y())).margin(1e-9));
  }
}

TEST_CASE("between two samples a part that rests on the table does so while the gripper turns") {
  Scene a;
  a.gripper = Pose2{{0, 0}, 0};
  a.part_pose = {{10, 0}, 0};
  Scene b = a;
  b.gripper = Pose2{{0, 0}, 1};
  b.part_pose = {inverse_transform(*b.gripper, {10, 0}), -1};
  const Scene middle = scene_between(a, b, 0.5);
  CHECK(transform(*middle.gripper, middle.part_pose.position_mm).isApprox(Vec2(10, 0)));
  CHECK(middle.part_pose.angle_rad == Approx(-0.5));
}

}  // namespace
}  // namespace graspmap
