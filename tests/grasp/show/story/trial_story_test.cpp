#include "grasp/show/story/trial_story.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "grasp/base/io/csv.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_stories.hpp"
#include "tests/support/source_dir.hpp"
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

TEST_CASE("slides slower than jaws that count as stopped are rest") {
  Watched watched;
  watched.watcher = ContactWatcher(kGap_mm, 0.1);
  CHECK(watched.step({contact(0, 1, true, 0.08)}) ==
        Kinds{ContactEventKind::kBegan, ContactEventKind::kStuck});
  CHECK(watched.events[1].creeps);
  CHECK(watched.step({contact(0, 1, true, -0.05)}).empty());
  CHECK(watched.step({contact(0, 1, false, 0)}).empty());
  CHECK(watched.step({contact(0, 1, true, 0.12)}) == Kinds{ContactEventKind::kSlid});
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
  const CsvTable table = parse_csv(csv_text(trajectory_table(story)), "trajectory");
  REQUIRE(table.rows.size() == story.trajectory.size());
  CHECK(table.number(table.rows.front(), table.column("part_x_mm")) == -0.3);
  CHECK(table.number(table.rows.front(), table.column("jaw_right_x_mm")) == 32);
  CHECK(table.number(table.rows.back(), table.column("time_s")) == story.row.end_time_s);
}

TEST_CASE("a trial is told in words and as JSON") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, {0.3, -11, 0, 0.2, 0.3});
  const std::string text = trial_text(story);
  CHECK_THAT(text, Catch::StartsWith("success after ") && Catch::Contains("tooth_6") &&
                       Catch::Contains("contact begins"));
  const std::string json = json_document(trial_fields(story));
  CHECK_THAT(json, Catch::StartsWith("{\n") && Catch::Contains("\"outcome\": \"success\"") &&
                       Catch::Contains("\"x_mm\": 0.3") && Catch::Contains("\"event\": \"began\""));
}

TEST_CASE("a trial of outlines is told by the names of elements, with the palm as a third side") {
  const Scenario scenario = testing::ring_scenario();
  TrialStory story = testing::ring_story(scenario);
  story.left_touches = {0, 1};
  story.palm_touches = {1};
  CHECK_THAT(trial_text(story),
             Catch::Contains("  the left jaw touches arc 1, arc 2\n"
                             "  the right jaw touches nothing\n  the palm touches arc 2\n") &&
                 Catch::Contains("0.0400  arc 1       left jaw, edge 5        ( -12.000,") &&
                 Catch::Contains("0.0400  arc 2       palm, seat              (   0.000,"));
  const std::string json = json_document(trial_fields(story));
  CHECK_THAT(json, Catch::Contains("\"palm_touches\": [\n    \"arc 2\"\n  ]") &&
                       Catch::Contains("\"jaw\": \"palm\"") &&
                       Catch::Contains("\"feature\": \"seat\""));
  story.end = EndReason::kBlocked;
  CHECK_THAT(trial_text(story),
             Catch::Contains("a jaw or the palm overlaps the part at the start"));
  story.end = EndReason::kTooLong;
  CHECK_THAT(json_document(trial_fields(story)), Catch::Contains("\"ended\": \"too_long\""));
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
  CHECK_THAT(trial_text(story),
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
  CHECK_THAT(json_document(trial_fields(story)), !Catch::Contains("palm"));
  CHECK_THAT(trial_text(story),
             !Catch::Contains("palm") &&
                 Catch::Contains("  time/s   piece                    where  ") &&
                 Catch::Contains("  0.0400  the flat of the hexagon  right jaw, inside edge  ("));
}

TEST_CASE("a blocked trial says so and has no contacts to tell of") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, {15, -5, 0, 0.2, 0.3});
  CHECK(story.row.outcome == Outcome::kBlocked);
  CHECK_THAT(trial_text(story),
             Catch::StartsWith("blocked ") && Catch::Contains("There was no contact"));
}

SweepConfig config_of(const std::string& name) {
  return read_sweep_config(std::filesystem::path(testing::source_dir()) / "configs" / name, {});
}

bool has_sample(const std::vector<Moment>& moments, std::size_t sample) {
  return std::any_of(moments.begin(), moments.end(),
                     [&](const Moment& moment) { return moment.sample == sample; });
}

bool has_caption(const std::vector<Moment>& moments, const std::string& part) {
  return std::any_of(moments.begin(), moments.end(), [&](const Moment& moment) {
    return moment.caption.find(part) != std::string::npos;
  });
}

TEST_CASE("key moments: start, first contact and end, in order, 4 to 8") {
  const auto [file, parameters] = GENERATE(table<std::string, TrialParameters>({
      {"lock_piece.toml", {1.5, -8, 0, 0.2, 0.3}},
      {"lock_piece.toml", {-4, -2, 0, 0.3, 0.2}},
      {"lock_piece.toml", {-9, -18, 0, 0.1, 0.2}},
      {"lock_piece.toml", {-8.2195, -19.945, 0, 0.32094, 0.31545}},
      {"bolt.toml", {2, -20, 0.2, 0.25, 0.2}},
      {"trefoil.toml", {2, -4, 1, 0.2, 0.2}},
  }));
  CAPTURE(file, parameters.placement_x_mm);
  const SweepConfig config = config_of(file);
  const TrialStory story = tell_trial(config, parameters);
  const std::vector<Moment> moments = key_moments(story);
  CHECK(moments.size() >= 4);
  CHECK(moments.size() <= 8);
  CHECK(moments.front().sample == 0);
  CHECK(moments.back().sample + 1 == story.trajectory.size());
  CHECK_THAT(moments.back().caption, Catch::Contains(std::string(name(story.row.outcome)) + ": "));
  const std::vector<Moment> all = all_moments(story);
  REQUIRE(all.size() >= 3);
  CHECK(has_sample(moments, all[1].sample));  // the first contact
  CHECK_THAT(all[1].caption, Catch::Contains(" meets "));
  for (std::size_t k = 1; k < moments.size(); ++k) CHECK(moments[k].sample > moments[k - 1].sample);
}

TEST_CASE("key moments of the success: each piece that a jaw meets is named") {
  const SweepConfig config = config_of("lock_piece.toml");
  const std::vector<Moment> moments = key_moments(tell_trial(config, {1.5, -8, 0, 0.2, 0.3}));
  CHECK(moments[1].caption == "left fingertip meets disc, which sticks");
  CHECK(has_caption(moments, "right fingertip meets disc, which slides up"));
  CHECK(has_caption(moments, "right inside edge meets tooth_6"));
  CHECK(has_caption(moments, "left inside edge meets tooth_1"));
}

TEST_CASE("key moments without contact: the start and the end; blocked: one") {
  const SweepConfig config = config_of("lock_piece.toml");
  const auto closed = key_moments(tell_trial(config, {0, -30, 0, 0.2, 0.3}));
  REQUIRE(closed.size() == 2);
  CHECK_THAT(closed[1].caption, Catch::StartsWith("missed: the jaws closed"));
  const auto blocked = key_moments(tell_trial(config, {15, -5, 0, 0.2, 0.3}));
  REQUIRE(blocked.size() == 1);
  CHECK_THAT(blocked[0].caption, Catch::StartsWith("blocked: "));
}

/// A trial in which the right jaw meets one piece after the other while the part moves on.
TrialStory busy_story(int pieces) {
  TrialStory story;
  Part& part = story.scenario.part;
  story.trajectory.emplace_back();
  for (int k = 0; k < pieces; ++k) {
    part.pieces.push_back({std::string(1, static_cast<char>('a' + k)), {10, 10, 2}, {}});
    ContactEvent event;
    event.time_s = 0.1 * (k + 1);
    event.kind = k % 3 == 2 ? ContactEventKind::kSlid : ContactEventKind::kBegan;
    event.piece = k;
    story.events.push_back(event);
    TrajectorySample sample;
    sample.time_s = event.time_s;
    sample.part_pose.position_mm = {3.0 * (k + 1), 0};
    story.trajectory.push_back(sample);
  }
  TrajectorySample last = story.trajectory.back();
  last.time_s += 0.1;
  story.trajectory.push_back(last);
  story.row.outcome = Outcome::kWedged;
  story.end = EndReason::kStopped;
  return story;
}

TEST_CASE("key moments of a busy trial: at most 8, changes of sliding go first") {
  const TrialStory story = busy_story(9);
  CHECK(all_moments(story).size() == 11);
  const std::vector<Moment> moments = key_moments(story);
  CHECK(moments.size() == 8);
  CHECK_FALSE(has_caption(moments, "slides"));
  CHECK(has_caption(moments, "meets a"));
}

TEST_CASE("events 10 ms apart are moments of their own, however large steps may be") {
  TrialStory story = busy_story(3);
  story.scenario.step_s = 0.032;
  for (std::size_t k = 0; k < story.events.size(); ++k) {
    story.events[k].time_s = 0.1 + 0.01 * static_cast<double>(k);
    story.trajectory[k + 1].time_s = story.events[k].time_s;
  }
  CHECK(all_moments(story).size() == 3);  // steps of one size: all in one
  story.scenario.tolerance_mm = 0.01;
  CHECK(all_moments(story).size() == 5);
}

TEST_CASE("changes of sliding are left out when the picture stays the same") {
  TrialStory story = busy_story(3);
  CHECK(has_caption(key_moments(story), "slides"));
  story.trajectory[3].part_pose = story.trajectory[2].part_pose;
  CHECK_FALSE(has_caption(key_moments(story), "slides"));
}

TEST_CASE("key moments name elements of the part, of the fingers and of the palm") {
  const Scenario scenario = testing::ring_scenario();
  const std::vector<Moment> moments = key_moments(testing::ring_story(scenario));
  CHECK(moments.back().caption ==
        "right finger's edge 5 meets arc 1, which sticks; right finger's edge 6 meets arc 2, which "
        "sticks; left finger's edge 5 meets arc 1, which sticks; left finger's edge 6 meets arc 2, "
        "which sticks; palm's seat meets arc 2, which sticks; success: the jaws stood still for "
        "0.02 s");
}

TEST_CASE("the first contact with the palm counts as one with a jaw does") {
  TrialStory story = busy_story(12);
  story.scenario.gripper.palm = testing::palm();
  story.events[10].kind = ContactEventKind::kBegan;
  story.events[10].side = JawSide::kPalm;
  story.events[10].finger_feature = 2;
  CHECK(has_caption(key_moments(story), "palm's seat meets k"));
}

}  // namespace

}  // namespace graspmap
