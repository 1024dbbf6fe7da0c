#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// Why a trial ended, as a clause: "the jaws stood still for 0.02 s".
std::string why_it_ended(const TrialStory& story);

/// A trial described to a person: the outcome and why it ended, what happened at the contacts, the
/// final state.
std::string trial_text(const TrialStory& story);

/// The same as JSON. "palm_touches" is in it only where there is a palm.
Object trial_fields(const TrialStory& story);

/// The trajectory as CSV, one row per step: time_s,part_x_mm,part_y_mm,part_theta_rad (X_GP),
/// com_vx_mm_s,com_vy_mm_s,part_omega_rad_s (of the centre of mass),jaw_right_x_mm,jaw_left_x_mm,
/// jaw_right_v_mm_s,jaw_left_v_mm_s,contacts,residual; of a program also phase (from 1) and the
/// gripper in the table's frame, gripper_x_mm,gripper_y_mm,gripper_theta_rad.
Table trajectory_table(const TrialStory& story);

/// "right", "left", "palm", "obstacle".
const char* word(JawSide side);

/// "right jaw", "left jaw", "palm", "obstacle".
const char* jaw_words(JawSide side);

/// "inside edge", "fingertip", "top edge".
const char* word(JawFeature feature);

/// "began", "stuck", "slid", "ended".
const char* word(ContactEventKind kind);

/// "stopped", "closed", "timeout", "blocked", "failed", "too_long".
const char* word(EndReason reason);

/// The direction that a slip mostly has in the gripper's frame: "up" (+y), "down", "right" (+x),
/// "left".
const char* slip_direction(const Vec2& slip_G);

/// A table of trials for a person, with a head: index, outcome, worst residual and gap, steps,
/// placement and friction.
std::string trial_list_text(const std::vector<TrialRow>& rows);

}  // namespace graspmap
