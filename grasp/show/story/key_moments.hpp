#pragma once

#include <string>
#include <vector>

#include "grasp/show/story/trial_story.hpp"

namespace graspmap {

/// A moment of a trial and what happens then, in words.
struct Moment {
  std::size_t sample = 0;  ///< index into the trajectory
  std::string caption;
};

/// Everything that happens in a trial, in the order of time: the start, the changes at the contacts
/// (those within a step and a half of each other are one moment, the last of them), the end.
std::vector<Moment> all_moments(const TrialStory& story, const Scenario& scenario);

/// The moments that a person should see to understand the trial, at most 8 and, if something moves,
/// at least 4. Start, first contact and end are always among them; contacts that begin come before
/// contacts that end, and these before changes between sticking and sliding, which are left out
/// when the picture hardly differs from the one before. Where there are few, some are added in the
/// middle of long motions. A pure function of the story.
std::vector<Moment> key_moments(const TrialStory& story, const Scenario& scenario);

}  // namespace graspmap
