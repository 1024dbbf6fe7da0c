#include "grasp/show/story/key_moments.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_stories.hpp"

namespace graspmap {
namespace {

SweepConfig config_of(const std::string& name) {
  return read_sweep_config(std::filesystem::path(GRASPMAP_SOURCE_DIR) / "configs" / name, {});
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
  const std::vector<Moment> moments = key_moments(story, config.scenario);
  CHECK(moments.size() >= 4);
  CHECK(moments.size() <= 8);
  CHECK(moments.front().sample == 0);
  CHECK(moments.back().sample + 1 == story.trajectory.size());
  CHECK_THAT(moments.back().caption, Catch::Contains(std::string(name(story.row.outcome)) + ": "));
  const std::vector<Moment> all = all_moments(story, config.scenario);
  REQUIRE(all.size() >= 3);
  CHECK(has_sample(moments, all[1].sample));  // the first contact
  CHECK_THAT(all[1].caption, Catch::Contains(" meets "));
  for (std::size_t k = 1; k < moments.size(); ++k) CHECK(moments[k].sample > moments[k - 1].sample);
}

TEST_CASE("key moments of the success: each piece that a jaw meets is named") {
  const SweepConfig config = config_of("lock_piece.toml");
  const std::vector<Moment> moments =
      key_moments(tell_trial(config, {1.5, -8, 0, 0.2, 0.3}), config.scenario);
  CHECK(moments[1].caption == "left fingertip meets disc, which sticks");
  CHECK(has_caption(moments, "right fingertip meets disc, which slides up"));
  CHECK(has_caption(moments, "right inside edge meets tooth_6"));
  CHECK(has_caption(moments, "left inside edge meets tooth_1"));
}

TEST_CASE("key moments without contact: the start and the end; blocked: one") {
  const SweepConfig config = config_of("lock_piece.toml");
  const auto closed = key_moments(tell_trial(config, {0, -30, 0, 0.2, 0.3}), config.scenario);
  REQUIRE(closed.size() == 2);
  CHECK_THAT(closed[1].caption, Catch::StartsWith("missed: the jaws closed"));
  const auto blocked = key_moments(tell_trial(config, {15, -5, 0, 0.2, 0.3}), config.scenario);
  REQUIRE(blocked.size() == 1);
  CHECK_THAT(blocked[0].caption, Catch::StartsWith("blocked: "));
}

/// A trial in which the right jaw meets one piece after the other while the part moves on.
TrialStory busy_story(int pieces, Part& part) {
  TrialStory story;
  part.pieces.clear();
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
  Scenario scenario;
  const TrialStory story = busy_story(9, scenario.part);
  CHECK(all_moments(story, scenario).size() == 11);
  const std::vector<Moment> moments = key_moments(story, scenario);
  CHECK(moments.size() == 8);
  CHECK_FALSE(has_caption(moments, "slides"));
  CHECK(has_caption(moments, "meets a"));
}

TEST_CASE("events 10 ms apart are moments of their own, however large steps may be") {
  Scenario scenario;
  TrialStory story = busy_story(3, scenario.part);
  scenario.step_s = 0.032;
  for (std::size_t k = 0; k < story.events.size(); ++k) {
    story.events[k].time_s = 0.1 + 0.01 * static_cast<double>(k);
    story.trajectory[k + 1].time_s = story.events[k].time_s;
  }
  CHECK(all_moments(story, scenario).size() == 3);  // steps of one size: all in one
  scenario.tolerance_mm = 0.01;
  CHECK(all_moments(story, scenario).size() == 5);
}

TEST_CASE("changes of sliding are left out when the picture stays the same") {
  Scenario scenario;
  TrialStory story = busy_story(3, scenario.part);
  CHECK(has_caption(key_moments(story, scenario), "slides"));
  story.trajectory[3].part_pose = story.trajectory[2].part_pose;
  CHECK_FALSE(has_caption(key_moments(story, scenario), "slides"));
}

TEST_CASE("key moments name elements of the part, of the fingers and of the palm") {
  const Scenario scenario = testing::ring_scenario();
  const std::vector<Moment> moments = key_moments(testing::ring_story(scenario), scenario);
  CHECK(moments.back().caption ==
        "right finger's edge 5 meets arc 1, which sticks; right finger's edge 6 meets arc 2, which "
        "sticks; left finger's edge 3 meets arc 1, which sticks; left finger's edge 2 meets arc 2, "
        "which sticks; palm's seat meets arc 2, which sticks; success: the jaws stood still for "
        "0.02 s");
}

TEST_CASE("the first contact with the palm counts as one with a jaw does") {
  Scenario scenario;
  TrialStory story = busy_story(12, scenario.part);
  scenario.gripper.palm = testing::palm();
  story.events[10].kind = ContactEventKind::kBegan;
  story.events[10].side = JawSide::kPalm;
  story.events[10].finger_feature = 2;
  CHECK(has_caption(key_moments(story, scenario), "palm's seat meets k"));
}

}  // namespace
}  // namespace graspmap
