#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "geometry/assert.hpp"
#include "geometry/closest_points.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// How a step continues the motion before it. As it is made: a step of first order after an event.
struct StepHistory {
  int order = 1;  ///< of the step; 2 needs `before`
  /// The state one step before, when the motion between was smooth; else nothing. Velocities that
  /// were not those at the start of the last step, as after an impact, must not be in it.
  const State* before = nullptr;
  double before_s = 0.0;  ///< the size of that step
  bool impact = false;    ///< almost no time passes: the velocities jump
  /// For how long part and jaws go on as they come in an impact's step, until they meet, s.
  double flight_s = 0.0;
};

/// A step of second order (BDF2 with variable step) is one of first order of the size `h` from an
/// extrapolated state: with w the ratio of its size to that of the step before,
/// q^(l+1) = q* + b h nu^(l+1) and M nu^(l+1) = M nu* + b h F + impulses, where
/// x* = x^l + w^2 / (1 + 2 w) (x^l - x^(l-1)) and b = (1 + w) / (1 + 2 w). So contacts hold at its
/// end just as at the end of a step of first order: Chakraborty et al. 2014, eq. (6).
///
/// An impact is one step: for `flight_s` part and jaws move by the velocities that they come with,
/// for the rest `h` by those that they leave with, q^(l+1) = q^l + flight_s nu^l + h nu^(l+1).
/// Forces act all the time.
struct StepBase {
  State state;
  double h = 0.0;        ///< for which nu^(l+1) moves part and jaws
  double force_s = 0.0;  ///< for which forces act: h, and in an impact the whole step
};

inline StepBase step_base(const State& start, double h, const StepHistory& history) {
  if (history.impact) {
    GRASPMAP_ASSERT(history.flight_s >= 0.0 && history.flight_s < h);
    const double t = history.flight_s;
    StepBase base{start, h - t, h};
    base.state.part_pose += t * start.part_velocity;
    base.state.jaw_right_mm += t * start.jaw_right_mm_s;
    base.state.jaw_left_mm += t * start.jaw_left_mm_s;
    return base;
  }
  if (history.order < 2) return {start, h, h};
  GRASPMAP_ASSERT(history.before != nullptr && history.before_s > 0.0);
  const State& before = *history.before;
  const double w = h / history.before_s;
  const double a = w * w / (1.0 + 2.0 * w);
  const auto extrapolate = [a]<typename Value>(const Value& now, const Value& last) -> Value {
    return now + a * (now - last);
  };
  StepBase base;
  base.state.part_pose = extrapolate(start.part_pose, before.part_pose);
  base.state.part_velocity = extrapolate(start.part_velocity, before.part_velocity);
  base.state.jaw_right_mm = extrapolate(start.jaw_right_mm, before.jaw_right_mm);
  base.state.jaw_left_mm = extrapolate(start.jaw_left_mm, before.jaw_left_mm);
  base.state.jaw_right_mm_s = extrapolate(start.jaw_right_mm_s, before.jaw_right_mm_s);
  base.state.jaw_left_mm_s = extrapolate(start.jaw_left_mm_s, before.jaw_left_mm_s);
  base.h = base.force_s = h * (1.0 + w) / (1.0 + 2.0 * w);
  return base;
}

/// The rungs of the retry ladder of a step, from the first try to the last.
enum class Rung : std::uint8_t { kWarm, kCold, kDamped, kPattern, kHalved };
inline constexpr std::size_t kRungCount = 5;

/// A lower-case word for a rung, as printed in summaries.
const char* name(Rung rung);

/// Why a simulation ended.
enum class EndReason : std::uint8_t {
  kStopped,  ///< closing speed below the threshold for long enough after the first contact
  kClosed,   ///< opening below the threshold
  kTimeout,
  kBlocked,  ///< a jaw overlaps the part at the start: nothing was simulated
  kFailed,   ///< a step did not converge on any rung of the ladder
  kTooLong   ///< the trial needs more steps or iterations than most_work: given up
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
  StepStatistics statistics;
};

/// The most steps, and the most Newton iterations, that a trial may take.
double most_work(const Scenario& scenario);

/// Why a simulation with these statistics ended without a result: kFailed or kTooLong.
EndReason why_unsolved(const StepStatistics& statistics, double most_work);

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
  double slip_mm_s = 0.0;                ///< relative tangential velocity of the part
  bool sliding = false;                  ///< |p_t| at its limit mu p_n and slip not zero
};

/// One accepted step, as an observer sees it. Valid during the call only.
struct StepRecord {
  double time_s = 0.0;  ///< at the end of the step
  double step_s = 0.0;  ///< 0 for the initial state and for the end of free travel
  StepBase base;        ///< what the step's equations start from: a step of second order is no
                        ///< step from the state before
  const State* state = nullptr;
  const std::vector<ContactRecord>* contacts = nullptr;  ///< near pairs, open ones included
  Rung rung = Rung::kWarm;
  double residual = 0.0;
  double friction_dissipation_mn_mm = 0.0;
  Vec3 support_impulse = Vec3::Zero();  ///< (mN s, mN s, mN s mm) on the part
};

using StepObserver = std::function<void(const StepRecord&)>;

/// The memory of one thread's simulations; nothing is allocated in a step once it is warm.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Storage;
  Storage& storage() { return *storage_; }

 private:
  std::unique_ptr<Storage> storage_;
};

/// Simulates one closing of the gripper until the stop rule ends it: with the geometrically
/// implicit step (condensed form of Chakraborty et al. 2014, eq. (6)-(7), (15)-(19)), or with what
/// the scenario has in place of it. The result is a pure function of scenario and trial; a step
/// that cannot be solved ends the simulation with kFailed. Free travel of the jaws before the first
/// contact is skipped in closed form. `observer`, if given, is called at the start and after each
/// accepted step.
void simulate(const Scenario& scenario, const TrialParameters& trial, Workspace& workspace,
              SimulationResult& result, const StepObserver* observer = nullptr);

/// The pieces that a jaw touches (gap below stop.contact_gap_mm) in a state, ascending.
void touching_pieces(const Scenario& scenario, const State& state, JawSide side,
                     std::vector<int>& pieces);

/// The smallest gap over all pieces and both jaws in a state, mm.
double smallest_gap_mm(const Scenario& scenario, const State& state);

}  // namespace graspmap
