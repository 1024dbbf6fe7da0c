#pragma once

#include <string>

#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// A trial as an animated GIF: what `trial_strip` shows, all the time, slowed down by a factor that
/// the picture names; the end is held. At most 150 frames, 25 per second. `title` is any text.
/// `gnuplot` is a program on the PATH or a path. Returns the file's bytes. Throws IoError when
/// gnuplot is missing or fails.
std::string trial_animation(const TrialStory& story, const Scenario& scenario,
                            const std::string& title, const std::string& gnuplot = "gnuplot");

/// The gnuplot script that draws it, into trial.gif.
std::string trial_animation_script(const TrialStory& story, const Scenario& scenario,
                                   const std::string& title);

}  // namespace graspmap
