#include "grasp/show/story/trial_drawing.hpp"

#include "grasp/show/story/trial_animation.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_strip.hpp"

namespace graspmap {
namespace {

std::string draw_animation(const TrialStory& story, const Scenario& scenario,
                           const std::string& title) {
  return trial_animation(story, scenario, title);
}

std::string draw_table(const TrialStory& story, const Scenario& /*scenario*/,
                       const std::string& /*title*/) {
  return trajectory_csv(story.trajectory);
}

}  // namespace

TrialDrawing drawing_for(const std::filesystem::path& file) {
  const std::filesystem::path ending = file.extension();
  if (ending == ".svg") return trial_strip;
  if (ending == ".gif") return draw_animation;
  if (ending == ".csv") return draw_table;
  return nullptr;
}

}  // namespace graspmap
