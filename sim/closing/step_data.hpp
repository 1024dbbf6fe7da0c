#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <limits>

#include "geometry/types.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/pads.hpp"
#include "sim/closing/step_base.hpp"
#include "sim/closing/support_friction.hpp"

namespace graspmap {

inline constexpr int kMaxVelocities = 5;  ///< part 3, jaws 1 (symmetric) or 2 (independent)
inline constexpr int kMaxContacts = 16;   ///< near pairs in one step

using VelocityVector = Eigen::Matrix<double, kMaxVelocities, 1>;

/// The jaws' coordinates under the gripper's coupling: jaw velocity = sign * nu[column]. The sign
/// is 0 of what no drive moves.
struct JawCoordinates {
  int velocities = 4;
  std::array<int, kSideCount> column{3, 3, 3, 3};
  std::array<double, kSideCount> sign{1.0, -1.0, 0.0, 0.0};

  explicit JawCoordinates(Coupling coupling);

  /// nu[3] of jaws with these velocities.
  [[nodiscard]] double first(double right, double left) const {
    return sign[side_index(JawSide::kRight)] != 0.0 ? right : left;
  }

  /// The velocity of what is at a side, mm/s.
  [[nodiscard]] double velocity(JawSide side, const VelocityVector& nu) const {
    return sign[side_index(side)] * nu[column[side_index(side)]];
  }
};

/// +1 for a drive that closes the jaws, -1 for one that opens them, 0 for jaws that are held.
double closing_sign(JawDrive drive);

/// What all steps of a trial share, or those of one of its phases.
struct TrialData {
  const Scenario* scenario = nullptr;
  const ContactBodies* bodies = nullptr;
  JawCoordinates jaws{Coupling::kSymmetric};
  std::array<double, 3> mu{};  ///< of the jaws and the palm, by side
  double mu_jaw = 0.0;         ///< of obstacles without one of their own
  double mu_support = 0.0;
  /// The largest distance of a point of the part from its centre of mass, or an upper bound of it.
  double reach_mm = std::numeric_limits<double>::infinity();
  JawDrive drive = JawDrive::kClose;
  double held_right_mm = 0.0;  ///< where springs hold the jaws that are held
  double held_left_mm = 0.0;
  GripperTwist twist;
  double speed_mm_s = 0.0;                    ///< what velocities are measured by
  double persistence_s = 0.0;                 ///< how long errors of the part's velocity put it off
  std::array<const Pad*, kSideCount> pads{};  ///< by side; null: rigid
  double most_deflection_mm = 0.0;            ///< of all pads; 0 without any

  /// The coefficient of friction of a pair.
  [[nodiscard]] double friction(const Pair& pair) const;

  TrialData() = default;
  TrialData(const Scenario& scenario, const TrialParameters& trial, const ContactBodies& bodies,
            double reach_mm);

  /// Goes on to a phase in which velocities are measured by `speed_mm_s`. Jaws that are held from
  /// now on keep pressing on a part on which a drive has `pressed` them.
  void begin_phase(const Phase& phase, double speed_mm_s, const State& state, bool pressed);
};

/// All that is known at the start of a step.
struct StepData {
  const ContactBodies* bodies = nullptr;
  JawCoordinates jaws{Coupling::kSymmetric};
  double reach_mm = std::numeric_limits<double>::infinity();  ///< TrialData::reach_mm
  StepHistory history;
  State start;
  Configuration start_at;  ///< the configuration of `start`
  State base;            ///< q^(l+1) = q of this + h nu^(l+1): `start` but in steps of second order
  double step_s = 0.0;   ///< the step
  double h = 0.0;        ///< for which nu^(l+1) moves part and jaws, s: StepBase
  double force_s = 0.0;  ///< for which forces act, s: StepBase
  VelocityVector inertia;       ///< M + h C: mass with the closing law's damping taken implicitly
  VelocityVector free_impulse;  ///< M nu^l + h F with the base's nu^l, mN s
  GripperTwist twist;           ///< of G against the table; of a G on a mount that of N
  Pose2 end_gripper;            ///< the same in the table's frame, at the end of the step
  double jaw_mass_kg = 0.0;     ///< of each jaw
  double support_impulse_limit = 0.0;  ///< h mu_s m g, mN s
  double velocity_scale = 1.0;         ///< mm/s
  double impulse_scale = 1.0;          ///< mN s, of all that acts on the part
  double jaw_impulse_scale = 1.0;      ///< mN s, of the jaws' momenta
  double force_impulse = 1.0;          ///< mN s, of the closing force in the step
  double length_scale = 1.0;           ///< mm, for angles and moments
  PadStep pad_step;
  const Mount* mount = nullptr;      ///< null: G does not give way
  Vec3 velocity_N = Vec3::Zero();    ///< with a mount: of the part, of the base
  Vec3 mount_before = Vec3::Zero();  ///< with a mount: where its dampers come from
  bool uses_table = false;           ///< with a mount: end_gripper is known

  /// Makes these the data of a step of a trial. Where the state is in the configuration `start_at`,
  /// that is not recomputed.
  void set(const TrialData& trial, const State& state, double step_s, const StepHistory& history);

  /// What an impulse of the step's equations stands for in all of the step.
  [[nodiscard]] double whole_step() const { return step_s / force_s; }

  /// How much a gap may have closed between the start of the step and q at most, mm.
  [[nodiscard]] double largest_approach_mm(const Configuration& q) const {
    return largest_motion_mm(start, q, reach_mm);
  }

 private:
  void hold_jaws(const TrialData& trial, double moved);
  void set_mount(const Scenario& scenario, double extrapolated);
};

/// The pairs of piece and jaw that may touch in a step.
struct StepPairs {
  int size = 0;
  std::array<Pair, kMaxContacts> pair{};
  std::array<std::size_t, kMaxContacts> place{};  ///< in StepMemory
  std::array<double, kMaxContacts> mu{};          ///< a contact that walks keeps it
  /// The gaps at the start of the step, mm, or lower bounds of them.
  std::array<double, kMaxContacts> start_gap_mm{};
  bool any_soft = false;
  std::array<PadContact, kMaxContacts> pad{};  ///< where any_soft
};

}  // namespace graspmap
