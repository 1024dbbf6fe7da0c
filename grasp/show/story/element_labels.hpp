#pragma once

#include <string>
#include <vector>

#include "grasp/show/story/trial_story.hpp"

namespace graspmap {

/// The name of an outline's element or corner, and where it is.
struct ElementLabel {
  std::string text;
  Vec2 at_G_mm{0, 0};
  Vec2 inward_G{0, 0};  ///< a unit vector into the part
};

/// The names that a picture of a sample shows at the outlines' boundaries, each once: of what is
/// touched, where it is touched, and of what the success rule names. Superellipses have theirs
/// inside.
std::vector<ElementLabel> element_labels(const TrialStory& story, const Part& part,
                                         const TrajectorySample& sample);

}  // namespace graspmap
