#include "web/engine/trial_json.hpp"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

void append_contact(std::string& text, const SceneContact& contact) {
  const Vec2& n = contact.normal_G;
  const Vec2 tangent(-n.y(), n.x());
  fmt::format_to(std::back_inserter(text), "[{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{}]",
                 static_cast<int>(contact.side), contact.point_G_mm.x(), contact.point_G_mm.y(),
                 n.x(), n.y(), contact.force_n.dot(n), contact.force_n.dot(tangent),
                 static_cast<int>(contact.grip));
}

void append_frame(std::string& text, const Scene& scene) {
  const Pose2& pose = scene.part_pose;
  const Pose2 gripper = scene.gripper.value_or(Pose2{});
  fmt::format_to(std::back_inserter(text),
                 "[{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{}", scene.time_s,
                 pose.position_mm.x(), pose.position_mm.y(), pose.angle_rad, scene.jaw_right_mm,
                 scene.jaw_left_mm, gripper.position_mm.x(), gripper.position_mm.y(),
                 gripper.angle_rad, scene.phase);
  for (const SceneContact& contact : scene.contacts) {
    text += ',';
    append_contact(text, contact);
  }
  text += ']';
}

std::string story_json(const TrialStory& story) {
  const Pose2& end = story.row.final_pose;
  std::string text =
      fmt::format(R"({{"outcome":"{}","end_time_s":{:.6g},"end":[{},{},{}],"story":{},"frames":[)",
                  name(story.row.outcome), story.row.end_time_s, end.position_mm.x(),
                  end.position_mm.y(), end.angle_rad, json_text(trial_text(story)));
  for (const std::size_t k : evenly_in_time(story.trajectory, kMostLiveFrames)) {
    if (k > 0) text += ',';
    append_frame(text, scene_at(story, k));
  }
  return text + "]}";
}

}  // namespace

std::string live_trial_json(const SweepConfig& config, const TrialParameters& parameters) {
  return story_json(tell_trial(config, parameters));
}

std::string live_trial_json(const SweepConfig& config, std::int64_t index) {
  return story_json(tell_trial(config, index));
}

std::string drawn_trial_json(const SweepConfig& config, std::int64_t index) {
  const SampledTrial drawn = sample_trial(config, index);
  const IntendedPlacement& intended = drawn.intended;
  Object fields{
      {"intended", std::vector<double>{intended.x_mm, intended.y_mm, intended.theta_rad}}};
  visit_trial_parameters(drawn.parameters, [&](const char* name, double number) {
    fields.add({name, number});
  });
  Object uncertain;
  for (std::size_t k = 0; k < drawn.uncertain.size(); ++k) {
    uncertain.add({config.uncertain[k].key, drawn.uncertain[k]});
  }
  fields.add({"uncertain", uncertain});
  return json_text(fields);
}

}  // namespace graspmap
