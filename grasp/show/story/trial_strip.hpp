#pragma once

#include <string>

#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// A trial as a strip of pictures of its key moments, as SVG. All show the same rectangle of G at
/// the same scale, with part, jaws, contacts and forces; the arrows have one scale. `title` is any
/// text. The same story gives the same picture, byte for byte.
std::string trial_strip(const TrialStory& story, const Scenario& scenario,
                        const std::string& title);

/// The line below the title: outcome, placement, friction.
std::string trial_subtitle(const TrialRow& row);

}  // namespace graspmap
