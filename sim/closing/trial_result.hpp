#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/closest_points.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/program.hpp"
#include "sim/closing/step_base.hpp"

namespace graspmap {

/// The rungs of the retry ladder of a step, from the first try to the last.
enum class Rung : std::uint8_t { kWarm, kCold, kDamped, kPattern, kHalved };
inline constexpr std::size_t kRungCount = 5;

/// A lower-case word for a rung, as printed in summaries.
constexpr const char* name(Rung rung) {
  constexpr std::array<const char*, kRungCount> kNames{"warm", "cold", "damped", "pattern",
                                                       "halved"};
  return kNames[static_cast<std::size_t>(rung)];
}

/// Why a simulation ended.
enum class EndReason : std::uint8_t {
  kStopped,  ///< closing speed below the threshold for long enough after the first contact; or a
             ///< program whose last phase has another goal has reached that
  kClosed,   ///< opening below the threshold, with a program in its last phase
  kTimeout,  ///< with a program: of one of its phases
  kBlocked,  ///< a jaw or an obstacle overlaps the part at the start, and nothing was simulated; or
             ///< a finger or the palm has met an obstacle, or the gripper has jammed the part there
  kFailed,   ///< a step did not converge on any rung of the ladder
  kTooLong   ///< the trial needs more steps or iterations than most_work: given up
};

/// The end of a phase of a program.
struct PhaseEnd {
  PhaseEndReason reason = PhaseEndReason::kDuration;
  double time_s = 0.0;
  State state;
  /// As in SimulationResult.
  std::vector<int> right_touches;
  std::vector<int> left_touches;
  std::vector<int> palm_touches;
  std::vector<std::vector<int>> obstacle_touches;
};

/// Counts and worst values over the steps of one simulation.
struct StepStatistics {
  std::int64_t steps = 0;              ///< accepted steps, sub-steps of halved ones included
  std::int64_t newton_iterations = 0;  ///< of all tries
  std::array<std::int64_t, kRungCount> by_rung{};  ///< steps by the rung that solved them
  double worst_residual = 0.0;                     ///< scaled, of accepted steps
  double worst_gap_mm = 0.0;  ///< the most negative gap at a step's end, or a lower bound, <= 0
  double least_dissipation =
      0.0;  ///< the most negative friction dissipation of a step, mN mm, <= 0
};

/// The result of a simulation.
struct SimulationResult {
  EndReason end = EndReason::kFailed;
  double end_time_s = 0.0;
  State final_state;
  /// The features of the part (Part), corners left out, that are within stop.contact_gap_mm of the
  /// right finger, the left one and the palm, ascending.
  std::vector<int> right_touches;
  std::vector<int> left_touches;
  std::vector<int> palm_touches;
  std::vector<std::vector<int>> obstacle_touches;  ///< the same by obstacle
  int blocking_obstacle = -1;  ///< with kBlocked: what the part or the gripper meets, or -1
  StepStatistics statistics;
  /// The program's phases that have ended, also by a timeout; without a program empty.
  std::vector<PhaseEnd> phase_ends;
};

/// A contact at the end of a step, as an observer sees it.
struct ContactRecord {
  int piece = 0;  ///< the feature of the part (Part)
  JawSide side = JawSide::kRight;
  JawFeature feature = JawFeature::kVertex;  ///< of a finger that is a quarter-plane
  int finger_feature = -1;  ///< of one that is an outline: element k of its outer chain of n, or
                            ///< n + k for the corner at the begin of element k; else -1
  double psi_mm = 0.0;
  Vec2 point_G_mm{0, 0};
  Vec2 normal_G{0, 0};
  double normal_impulse_mn_s = 0.0;      ///< p_n >= 0
  double tangential_impulse_mn_s = 0.0;  ///< p_t along perp(n), on the part
  double slip_mm_s = 0.0;                ///< relative tangential velocity of the surfaces
  bool sliding = false;                  ///< |p_t| at its limit mu p_n and slip not zero
  int obstacle = -1;                     ///< with JawSide::kObstacle
  double deflection_mm = 0.0;            ///< of the jaw's pad: psi_mm >= -deflection_mm
  double shear_mm = 0.0;                 ///< of the pad's surface along perp(normal_G)
  double moment_mn_mm_s = 0.0;           ///< of the pad on the part, besides those of its impulses
};

/// One accepted step, as an observer sees it. Valid during the call only.
struct StepRecord {
  double time_s = 0.0;  ///< at the end of the step
  double step_s =
      0.0;        ///< 0 for the initial state, the begin of a phase and the end of free travel
  int phase = 0;  ///< of the program
  StepBase base;  ///< what the step's equations start from: a step of second order is no
                  ///< step from the state before
  const State* state = nullptr;
  const std::vector<ContactRecord>* contacts = nullptr;  ///< near pairs, open ones included
  Rung rung = Rung::kWarm;
  double residual = 0.0;
  double friction_dissipation_mn_mm = 0.0;
  Vec3 support_impulse = Vec3::Zero();  ///< (mN s, mN s, mN s mm) on the part
  double pad_energy_mn_mm = 0.0;        ///< in the springs of all pads and the mount
};

using StepObserver = std::function<void(const StepRecord&)>;

}  // namespace graspmap
