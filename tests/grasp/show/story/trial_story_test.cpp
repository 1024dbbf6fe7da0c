#include "grasp/show/story/trial_story.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "grasp/base/io/csv.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_stories.hpp"
#include "tests/support/sweep_text.hpp"

namespace graspmap {
namespace {

constexpr double kGap_mm = 0.05;

ContactRecord contact(double psi_mm, double impulse, bool sliding, double slip_mm_s) {
  ContactRecord record;
  record.piece = 1;
  record.side = JawSide::kLeft;
  record.psi_mm = psi_mm;
  record.normal_G = inside_normal(JawSide::kLeft);
  record.normal_impulse_mn_s = impulse;
  record.sliding = sliding;
  record.slip_mm_s = slip_mm_s;
  return record;
}

/// Shows a watcher one step with the given contacts; returns the kinds of the new events.
class Watched {
 public:
  std::vector<ContactEventKind> step(const std::vector<ContactRecord>& contacts) {
    events.clear();
    StepRecord record;
    record.time_s = (time_s += 0.005);
    record.contacts = &contacts;
    watcher.observe(record, events);
    std::vector<ContactEventKind> kinds;
    for (const ContactEvent& event : events) kinds.push_back(event.kind);
    return kinds;
  }

  double time_s = 0.0;
  ContactWatcher watcher{kGap_mm};
  std::vector<ContactEvent> events;
};

using Kinds = std::vector<ContactEventKind>;

TEST_CASE("a contact begins, slides, turns, sticks and ends, each told once") {
  Watched watched;
  CHECK(watched.step({contact(0.3, 0, false, 0)}).empty());
  CHECK(watched.step({contact(0, 1, true, 2)}) ==
        Kinds{ContactEventKind::kBegan, ContactEventKind::kSlid});
  CHECK(watched.events[1].slip_G_mm_s == Vec2(0, 2));
  CHECK(watched.events[1].time_s == watched.time_s);
  CHECK(watched.events[1].piece == 1);
  CHECK(watched.events[1].side == JawSide::kLeft);
  CHECK(watched.step({contact(0, 1, true, 3)}).empty());
  CHECK(watched.step({contact(0, 1, true, -1)}) == Kinds{ContactEventKind::kSlid});
  CHECK(watched.step({contact(0, 1, false, 0)}) == Kinds{ContactEventKind::kStuck});
  CHECK(watched.step({contact(0, 1, false, 0)}).empty());
  CHECK(watched.step({contact(0.06, 0, false, 0)}) == Kinds{ContactEventKind::kEnded});
}

TEST_CASE("a contact that rests without an impulse neither sticks anew nor ends") {
  Watched watched;
  CHECK(watched.step({contact(0.04, 0, false, 0)}) == Kinds{ContactEventKind::kBegan});
  CHECK(watched.step({contact(0, 1, false, 0)}) == Kinds{ContactEventKind::kStuck});
  CHECK(watched.step({contact(0.01, 0, false, 5)}).empty());
  CHECK(watched.step({contact(0, 1, false, 0)}).empty());
}

TEST_CASE("a contact that is not even near any more has ended") {
  Watched watched;
  watched.step({contact(0, 1, false, 0)});
  CHECK(watched.step({}) == Kinds{ContactEventKind::kEnded});
  CHECK(watched.events[0].piece == 1);
  CHECK(watched.step({}).empty());
}

TEST_CASE("the two jaws' contacts with one piece are two contacts") {
  Watched watched;
  ContactRecord right = contact(0, 1, false, 0);
  right.side = JawSide::kRight;
  CHECK(watched.step({contact(0, 1, false, 0), right}).size() == 4);
  CHECK(watched.step({right}) == Kinds{ContactEventKind::kEnded});
  CHECK(watched.events[0].side == JawSide::kLeft);
}

TEST_CASE("contacts of one piece with two elements of a finger are two contacts") {
  Watched watched;
  ContactRecord flank = contact(0, 1, false, 0);
  flank.finger_feature = 4;
  ContactRecord other = contact(0, 1, false, 0);
  other.finger_feature = 5;
  CHECK(watched.step({flank, other}).size() == 4);
  CHECK(watched.step({flank, other}).empty());
  CHECK(watched.step({other}) == Kinds{ContactEventKind::kEnded});
  CHECK(watched.events[0].finger_feature == 4);
}

TEST_CASE("the palm's contact with a piece is one of its own") {
  Watched watched;
  ContactRecord palm = contact(0, 1, false, 0);
  palm.side = JawSide::kPalm;
  CHECK(watched.step({contact(0, 1, false, 0), palm}).size() == 4);
  CHECK(watched.step({contact(0, 1, false, 0)}) == Kinds{ContactEventKind::kEnded});
  CHECK(watched.events[0].side == JawSide::kPalm);
}

TEST_CASE("a story ends as the trial without an observer does") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialParameters parameters{0.3, -11, 0, 0.2, 0.3};
  const TrialStory story = tell_trial(config, parameters);
  Workspace workspace;
  SimulationResult result;
  const TrialRow row = run_trial(config, parameters, workspace, result);
  CHECK(story.row.outcome == Outcome::kSuccess);
  CHECK(story.row.outcome == row.outcome);
  CHECK(story.row.end_time_s == row.end_time_s);
  CHECK(story.row.final_pose.position_mm == row.final_pose.position_mm);
  CHECK(story.left_touches == result.left_touches);
  REQUIRE_FALSE(story.trajectory.empty());
  CHECK(story.trajectory.front().time_s == 0);
  CHECK(story.trajectory.back().time_s == row.end_time_s);
  CHECK(story.trajectory.back().contacts.size() >= 2);
}

TEST_CASE("the events of a success begin a contact with both outermost teeth") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, {0.3, -11, 0, 0.2, 0.3});
  const auto began = [&](const std::string& piece, JawSide side) {
    return std::any_of(story.events.begin(), story.events.end(), [&](const ContactEvent& event) {
      return event.kind == ContactEventKind::kBegan && event.side == side &&
             config.scenario.part.pieces[static_cast<std::size_t>(event.piece)].name == piece;
    });
  };
  CHECK(began("tooth_1", JawSide::kLeft));
  CHECK(began("tooth_6", JawSide::kRight));
  CHECK_FALSE(began("tooth_6", JawSide::kLeft));
}

TEST_CASE("the trajectory is a table with one row per sample") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, {0.3, -11, 0, 0.2, 0.3});
  const CsvTable table = parse_csv(trajectory_csv(story.trajectory), "trajectory");
  REQUIRE(table.rows.size() == story.trajectory.size());
  CHECK(table.number(table.rows.front(), table.column("part_x_mm")) == -0.3);
  CHECK(table.number(table.rows.front(), table.column("jaw_right_x_mm")) == 32);
  CHECK(table.number(table.rows.back(), table.column("time_s")) == story.row.end_time_s);
}

TEST_CASE("a trial is told in words and as JSON") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, {0.3, -11, 0, 0.2, 0.3});
  const std::string text = trial_text(story, config.scenario);
  CHECK_THAT(text, Catch::StartsWith("success after ") && Catch::Contains("tooth_6") &&
                       Catch::Contains("contact begins"));
  const std::string json = trial_json(story, config.scenario);
  CHECK_THAT(json, Catch::StartsWith("{\n") && Catch::Contains("\"outcome\": \"success\"") &&
                       Catch::Contains("\"x_mm\": 0.3") && Catch::Contains("\"event\": \"began\""));
}

TEST_CASE("a trial of outlines is told by the names of elements, with the palm as a third side") {
  const Scenario scenario = testing::ring_scenario();
  TrialStory story = testing::ring_story(scenario);
  story.left_touches = {0, 1};
  story.palm_touches = {1};
  CHECK_THAT(trial_text(story, scenario),
             Catch::Contains("  the left jaw touches arc 1, arc 2\n"
                             "  the right jaw touches nothing\n  the palm touches arc 2\n") &&
                 Catch::Contains("0.0400  arc 1       left jaw, edge 3        ( -12.000,") &&
                 Catch::Contains("0.0400  arc 2       palm, seat              (   0.000,"));
  const std::string json = trial_json(story, scenario);
  CHECK_THAT(json, Catch::Contains("\"palm_touches\": [\n    \"arc 2\"\n  ]") &&
                       Catch::Contains("\"jaw\": \"palm\"") &&
                       Catch::Contains("\"feature\": \"seat\""));
  story.end = EndReason::kBlocked;
  CHECK_THAT(trial_text(story, scenario),
             Catch::Contains("a jaw or the palm overlaps the part at the start"));
}

TEST_CASE("a simulated part of one outline is told by its elements, from the rule to the end") {
  const std::string outline =
      "name = \"plate\"\noutline_mm = [[-9, -6], [9, -6], [9, 6], [-9, 6]]\n"
      "names = [\"\", \"right\", \"\", \"left\"]\n";
  std::string text = testing::replaced(testing::kConfigText,
                                       "name = \"bar\"\nsemi_axes_mm = [20, 5]\nexponent = 8\n"
                                       "[[part.piece]]\nname = \"knob\"\ncenter_mm = [0, -6]\n"
                                       "semi_axes_mm = [3, 3]\n",
                                       outline);
  text = testing::replaced(text, "left = [\"knob\"]\nright = [\"knob\"]",
                           "left = [\"left\"]\nright = [\"right\"]");
  const SweepConfig config = testing::sweep_of(text);
  const TrialStory story = tell_trial(config, {0, 8, 0, 0.2, 0.3});
  CHECK(story.row.outcome == Outcome::kSuccess);
  CHECK_THAT(trial_text(story, config.scenario),
             Catch::Contains("  the left jaw touches left\n  the right jaw touches right\n") &&
                 Catch::Contains("right jaw, inside edge"));
  REQUIRE(story.sought.size() == 2);
  CHECK(story.sought[0].name == "left");
  CHECK(story.sought[1].features == std::vector<int>{1});
}

TEST_CASE("without a palm nothing is said of it; long names widen the table") {
  Scenario scenario = testing::scenario_of(testing::hexagon());
  scenario.part.outlines[0].outline.outer[5].name = "the flat of the hexagon";
  TrialStory story = testing::story_of(
      scenario, {}, {}, 12, {testing::pushing_contact(5, JawSide::kRight, {12, 0}, {-1, 0}, 1)});
  CHECK_THAT(trial_json(story, scenario), !Catch::Contains("palm"));
  CHECK_THAT(trial_text(story, scenario),
             !Catch::Contains("palm") &&
                 Catch::Contains("  time/s   piece                    where  ") &&
                 Catch::Contains("  0.0400  the flat of the hexagon  right jaw, inside edge  ("));
}

TEST_CASE("a blocked trial says so and has no contacts to tell of") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, {15, -5, 0, 0.2, 0.3});
  CHECK(story.row.outcome == Outcome::kBlocked);
  CHECK_THAT(trial_text(story, config.scenario),
             Catch::StartsWith("blocked ") && Catch::Contains("There was no contact"));
}

}  // namespace
}  // namespace graspmap
