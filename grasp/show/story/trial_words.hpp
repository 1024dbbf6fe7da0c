#pragma once

#include "grasp/show/story/trial_story.hpp"

namespace graspmap {

/// "right", "left", "palm".
const char* word(JawSide side);

/// "right jaw", "left jaw", "palm".
const char* jaw_words(JawSide side);

/// "inside edge", "fingertip", "top edge".
const char* word(JawFeature feature);

/// "began", "stuck", "slid", "ended".
const char* word(ContactEventKind kind);

/// "stopped", "closed", "timeout", "blocked", "failed".
const char* word(EndReason reason);

/// The direction that a slip mostly has in the gripper's frame: "up" (+y), "down", "right" (+x),
/// "left".
const char* slip_direction(const Vec2& slip_G);

}  // namespace graspmap
