#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/types.hpp"

/// What a gripper does in a trial: phases, one after the other. In each of them the jaws are driven
/// in one way while the gripper frame G moves against the table with a constant twist. States stay
/// relative to G: while G moves, the table moves below it.

namespace graspmap {

/// A constant motion of G against the table, in G's axes.
struct GripperTwist {
  Vec2 velocity_mm_s = Vec2::Zero();  ///< of G's origin
  double turn_rad_s = 0.0;            ///< counter-clockwise

  [[nodiscard]] bool turns() const { return turn_rad_s != 0.0; }
  [[nodiscard]] bool moves() const { return turns() || velocity_mm_s != Vec2::Zero(); }

  /// The velocity against the table of a body that is fixed in G, at a point of G: mm/s, mm/s,
  /// rad/s.
  [[nodiscard]] Vec3 at(const Vec2& point_G_mm) const {
    const Vec2 v = velocity_mm_s + turn_rad_s * perp(point_G_mm);
    return {v.x(), v.y(), turn_rad_s};
  }
};

/// What drives the jaws. Force and free speed are those of Gripper.
enum class JawDrive : std::uint8_t {
  kClose,  ///< F - c v on each jaw, inward
  kOpen,   ///< the same, outward
  kHold    ///< the jaws stay where they are in G, and keep pressing on what they have gripped
};

/// What a phase waits for.
enum class PhaseGoal : std::uint8_t {
  kDuration,    ///< nothing: it lasts for its duration
  kStopped,     ///< the driven jaws stand, in contact with the part, for StopRule::stopped_time_s
  kOpening,     ///< driven jaws that have reached Phase::opening_mm
  kContact,     ///< the first impulse on the part by a finger or the palm
  kContactLost  ///< no finger and no palm within StopRule::contact_gap_mm of the part
};

/// Jaws that close also end a phase where they are closed (StopRule::closed_opening_mm), whatever
/// it waits for.
struct Phase {
  JawDrive drive = JawDrive::kClose;
  GripperTwist twist = {};
  PhaseGoal until = PhaseGoal::kStopped;
  double duration_s = 3.0;  ///< >= 0; with a goal other than kDuration the longest time, after
                            ///< which the trial ends
  double opening_mm = 0.0;  ///< >= 0, with kOpening

  /// True for a phase that is passed over.
  [[nodiscard]] bool is_empty() const { return until == PhaseGoal::kDuration && duration_s == 0.0; }
};

using GripperProgram = std::vector<Phase>;

/// The opening at which the jaws end a phase, where closing jaws count as closed at
/// `closed_opening_mm`; infinity, or for jaws that are held nothing below any opening, where they
/// do not.
double final_opening_mm(const Phase& phase, double closed_opening_mm);

/// False for durations or openings that are negative or not finite, twists that are not finite, and
/// jaws that are held until they stop or have an opening.
bool is_legal(const Phase& phase);

/// Why a phase ended.
enum class PhaseEndReason : std::uint8_t {
  kDuration,
  kStopped,
  kOpening,
  kContact,
  kContactLost,
  kClosed,   ///< jaws that close have closed on nothing
  kTimeout,  ///< its goal was not reached: the trial has ended with it
  kBlocked   ///< an obstacle has stopped the gripper: the trial has ended with it
};

/// A lower-case word for it.
constexpr const char* name(PhaseEndReason reason) {
  constexpr std::array kNames{"duration",     "stopped", "opening", "contact",
                              "contact lost", "closed",  "timeout", "blocked"};
  return kNames[static_cast<std::size_t>(reason)];
}

/// A body at rest at `pose` in a frame that moves with `twist`: its motion, in its own axes.
GripperTwist carried_at(const Pose2& pose, const GripperTwist& twist);

/// The pose of G, after a time of the twist, in what was G before.
Pose2 moved_by(const GripperTwist& twist, double time_s);

/// The pose in G, after a time of the twist, of a body at rest on the table that was at `pose` (mm,
/// mm, rad) in G before.
Vec3 left_behind(const GripperTwist& twist, const Vec3& pose, double time_s);

}  // namespace graspmap
