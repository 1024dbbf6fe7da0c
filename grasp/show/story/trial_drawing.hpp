#pragma once

#include <filesystem>
#include <string>

#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Makes the content of a file that shows a trial. `title` is any text. Throws IoError.
using TrialDrawing = std::string (*)(const TrialStory& story, const Scenario& scenario,
                                     const std::string& title);

/// How a trial is drawn into a file of this name: .svg a strip of pictures, .gif an animation, .csv
/// the trajectory as a table. nullptr for other names.
TrialDrawing drawing_for(const std::filesystem::path& file);

}  // namespace graspmap
