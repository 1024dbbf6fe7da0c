#include "web/engine/trial_json.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/uncertain_grasps.hpp"

namespace graspmap {
namespace {

/// The elements of the array that begins at `begin`, as texts: what commas of that depth separate.
std::vector<std::string> elements(const std::string& text, std::size_t begin) {
  std::vector<std::string> found(1);
  int depth = 0;
  for (std::size_t k = begin; k < text.size(); ++k) {
    const char c = text[k];
    if (c == ']' && --depth == 0) return found;
    if (c == ',' && depth == 1) {
      found.emplace_back();
    } else if (k > begin) {
      found.back() += c;
    }
    if (c == '[') ++depth;
  }
  return {};
}

std::vector<std::string> frames_of(const std::string& json) {
  return elements(json, json.find("\"frames\":") + 9);
}

const TrialParameters kPlaced{0.0, -11.0, 0.0, 0.15, 0.3};

TEST_CASE("live_trial_json has a frame for the start and for each step of the trial") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, kPlaced);
  const std::string json = live_trial_json(config, kPlaced);
  CHECK(json.find(R"({"outcome":"success","end_time_s":)") == 0);
  CHECK(json.find(R"("story":"success after )") != std::string::npos);
  CHECK(json.find(R"(\n\nContacts\n)") != std::string::npos);
  CHECK(std::count(json.begin(), json.end(), '\n') <= 1);  // none in the story
  REQUIRE(frames_of(json).size() == story.trajectory.size());
}

TEST_CASE("live_trial_json: the last frame is the end of the trial, with its contacts") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, kPlaced);
  const std::vector<std::string> frame =
      elements(frames_of(live_trial_json(config, kPlaced)).back(), 0);
  const Scene scene = scene_at(story, story.trajectory.size() - 1);
  REQUIRE(scene.contacts.size() == 4);
  REQUIRE(frame.size() == 10 + scene.contacts.size());
  const Pose2& pose = scene.part_pose;
  const std::array<double, 6> expected{scene.time_s,   pose.position_mm.x(), pose.position_mm.y(),
                                       pose.angle_rad, scene.jaw_right_mm,   scene.jaw_left_mm};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(std::stod(frame[k]) == Approx(expected[k]).epsilon(1e-5).margin(1e-9));
  }
  for (std::size_t k = 0; k < scene.contacts.size(); ++k) {
    const SceneContact& contact = scene.contacts[k];
    const std::vector<std::string> packed = elements(frame[10 + k], 0);
    REQUIRE(packed.size() == 8);
    CHECK(std::stoi(packed[0]) == static_cast<int>(contact.side));
    CHECK(std::stod(packed[1]) == Approx(contact.point_G_mm.x()).epsilon(1e-5));
    // Normal and friction force make the force again.
    const Vec2 n(std::stod(packed[3]), std::stod(packed[4]));
    const Vec2 force = std::stod(packed[5]) * n + std::stod(packed[6]) * Vec2(-n.y(), n.x());
    CHECK((force - contact.force_n).norm() <= 1e-4 * contact.force_n.norm() + 1e-6);
    CHECK(std::stoi(packed[7]) == static_cast<int>(contact.grip));
  }
}

TEST_CASE("live_trial_json: frames have the gripper on the table and the phase") {
  SweepConfig config = testing::small_lock_piece_sweep();
  Phase move{.drive = JawDrive::kHold, .until = PhaseGoal::kDuration, .duration_s = 0.1};
  move.twist.velocity_mm_s = {0.0, 20.0};
  config.scenario.program = {move, {}};
  const std::vector<std::string> frames = frames_of(live_trial_json(config, kPlaced));
  const std::vector<std::string> first = elements(frames.front(), 0);
  const std::vector<std::string> last = elements(frames.back(), 0);
  CHECK((first[7] == "0" && first[9] == "0"));
  CHECK(std::stod(last[7]) == Approx(2.0));
  CHECK(last[9] == "1");
}

TEST_CASE("live_trial_json of a trial that begins in an overlap has one frame") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const std::string json = live_trial_json(config, {40.0, 0.0, 0.0, 0.15, 0.3});
  CHECK(json.find(R"({"outcome":"blocked")") == 0);
  CHECK(frames_of(json).size() == 1);
}

TEST_CASE("drawn_trial_json has what a trial of the sweep is run with, to the last bit") {
  const SweepConfig config = testing::disc_of_uncertain_size(6.0, 0.3);
  const SampledTrial drawn = sample_trial(config, 7);
  const Object fields{
      {"intended", std::vector<double>{drawn.intended.x_mm, drawn.intended.y_mm, 0.0}},
      {"x_mm", drawn.parameters.placement_x_mm},
      {"y_mm", drawn.parameters.placement_y_mm},
      {"theta_rad", drawn.parameters.theta_rad},
      {"mu_jaw", drawn.parameters.mu_jaw},
      {"mu_support", drawn.parameters.mu_support},
      {"uncertain", Object{{"part.offset_mm", drawn.uncertain.at(0)}}}};
  CHECK(drawn_trial_json(config, 7) == json_text(fields));
}

}  // namespace
}  // namespace graspmap
