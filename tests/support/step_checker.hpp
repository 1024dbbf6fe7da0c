#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "sim/closing/simulate.hpp"
#include "sim/closing/tolerances.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/outline_gap.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/supports.hpp"

namespace graspmap::testing {

/// How well accepted steps satisfy the laws of motion, contact and friction: the worst value of
/// each law. Impulses are measured in h F, velocities in the free closing speed V, angles and
/// moments with the radius of gyration, dissipation in h F V. Everything but the gap is then
/// dimensionless.
struct StepLaws {
  double smallest_gap_mm = std::numeric_limits<double>::infinity();  ///< of all pairs
  double momentum = 0.0;  ///< |M (nu+ - nu) - h f(nu+) - contact and support impulses|, and what
                          ///< a mount's springs lack of what the gripper gives
  double drift = 0.0;     ///< the same of the part, over its mass: a velocity, over V
  /// What is left of it without 1e-14 of the impulses on the part, and of their moments where arms
  /// are longer than the radius of gyration: about 50 rounding errors of what squeezes it.
  double drift_beyond_rounding = 0.0;
  double kinematics = 0.0;              ///< |q+ - q - h nu+|, over h V
  double complementarity = 0.0;         ///< |min(p_n, psi / h)| with the recomputed gap
  double recorded_complementarity = 0;  ///< the same with the gap that the step worked with
  double cone = 0.0;                    ///< |p_t| - mu p_n
  double opposition = 0.0;     ///< |p_t - Proj(p_t - v_t)|: sticks, or slides against friction
  double support_limit = 0.0;  ///< how far the support's impulse leaves its limit surface
  double support_power = 0.0;  ///< dissipation that the support falls short of the most it could
  double dissipation = 0.0;    ///< least -p_t v_t / max(1, |p_t|), <= 0: friction may not drive
  double record_mm = 0.0;      ///< recorded against recomputed gaps and contact points
  double record = 0.0;         ///< recorded against recomputed slips and dissipation
  double normal_mm = 0.0;      ///< of contacts of outlines: OutlineGap::normal_error_mm
  bool finite = true;
  bool symmetric = true;  ///< x_l = -x_r exactly, where the coupling asks for it
  long steps = 0;
};

/// What a StepChecker looks at.
enum class StepChecks {
  kAll,
  kCheap  ///< not: gaps computed anew, and the limit surface of the support
};

/// Checks steps of one trial from what an observer sees, with nothing of the stepper's own:
/// Chakraborty et al. 2014, eq. (4)-(6), evaluated from the states at both ends of a step and the
/// impulses in between.
class StepChecker {
 public:
  StepChecker(const Scenario& scenario, const TrialParameters& trial,
              StepChecks checks = StepChecks::kAll)
      : scenario_(scenario), trial_(trial), all_(checks == StepChecks::kAll) {
    const bool plain =
        scenario.part.outlines.empty() && !scenario.gripper.right_finger && !scenario.gripper.palm;
    if (all_ && !plain) outline_gap_.emplace(scenario);
  }

  /// To be called with every record of a simulation, in order.
  void operator()(const StepRecord& record) {
    if (record.step_s > 0.0) {
      check(record);
      before_ = last_;
    }
    last_ = *record.state;
  }

  [[nodiscard]] const StepLaws& laws() const { return laws_; }

  /// The strongest friction of the support along the axes, in the closing force.
  [[nodiscard]] double support_strength() const {
    const Eigen::Matrix3d axes = Vec3(1.0, 1.0, 1.0 / length()).asDiagonal();
    double strongest = 0.0;
    for (int k = 0; k < 3; ++k) {
      keep_largest(strongest, most_power(axes.col(k), 0.0, support_force()));
    }
    return strongest / force();
  }

 private:
  static constexpr double kRounding = 1e-14;
  using Vec5 = Eigen::Matrix<double, 5, 1>;

  void check(const StepRecord& record) {
    ++laws_.steps;
    h_ = record.step_s;
    impulse_ = impulse_of_step(record.base.h);
    check_state(*record.state, record.base);
    if (all_) check_gaps(*record.state);
    check_momentum(record);
    double work = 0.0;
    for (const ContactRecord& contact : *record.contacts) work += check_contact(record, contact);
    work += check_support(record);
    raise(laws_.record, (record.friction_dissipation_mn_mm + work) / (impulse() * speed()));
  }

  static void raise(double& worst, double value) { keep_largest(worst, std::abs(value)); }

  /// The phase of a record; of a trial without a program its closing.
  [[nodiscard]] const Phase& phase_of(const StepRecord& record) const {
    static const Phase kClosing;
    return scenario_.program.empty() ? kClosing : scenario_.program[index(record.phase)];
  }

  [[nodiscard]] double force() const { return 1000.0 * scenario_.gripper.closing_force_n; }
  [[nodiscard]] double impulse() const { return impulse_; }

  /// That of the closing force in the step. An impact has almost no duration h, without the flight
  /// before it: there the jaws' momentum at the closing speed.
  [[nodiscard]] double impulse_of_step(double h) const {
    const bool impact = scenario_.order == 2 && h <= tolerances::kShortStep * scenario_.step_s;
    const double momentum = scenario_.gripper.jaw_mass_kg * speed();
    return impact ? std::max(h_ * force(), momentum) : h_ * force();
  }
  [[nodiscard]] double speed() const { return scenario_.gripper.closing_speed_mm_s; }
  [[nodiscard]] double length() const {
    return std::sqrt(scenario_.mass.inertia_kg_mm2 / scenario_.mass.mass_kg);
  }

  static Vec5 velocity(const State& s) {
    return (Vec5() << s.part_velocity, s.jaw_right_mm_s, s.jaw_left_mm_s).finished();
  }

  static Vec5 position(const State& s) {
    return (Vec5() << s.part_pose, s.jaw_right_mm, s.jaw_left_mm).finished();
  }

  void check_state(const State& end, const StepBase& base) {
    laws_.finite = laws_.finite && position(end).allFinite() && velocity(end).allFinite();
    if (scenario_.gripper.coupling == Coupling::kSymmetric) {
      laws_.symmetric = laws_.symmetric && end.jaw_left_mm == -end.jaw_right_mm &&
                        end.jaw_left_mm_s == -end.jaw_right_mm_s;
    }
    Vec5 error = position(end) - position(base.state) - base.h * velocity(end);
    error[2] *= length();
    raise(laws_.kinematics, error.lpNorm<Eigen::Infinity>() / (h_ * speed()));
  }

  [[nodiscard]] ClosestPoints closest(const State& state, int piece, JawSide side) const {
    const Piece& p = scenario_.part.pieces[static_cast<std::size_t>(piece)];
    const Pose2 X_GA = compose(part_pose_in_gripper(scenario_, state), p.pose);
    return closest_points(p.shape, X_GA.position_mm, Rotation2(X_GA.angle_rad), side,
                          side == JawSide::kRight ? state.jaw_right_mm : state.jaw_left_mm);
  }

  void check_gaps(const State& end) {
    if (outline_gap_) {
      keep_smallest(laws_.smallest_gap_mm, outline_gap_->smallest_mm(end));
      return;
    }
    for (int piece = 0; piece < static_cast<int>(scenario_.part.pieces.size()); ++piece) {
      for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
        keep_smallest(laws_.smallest_gap_mm, closest(end, piece, side).psi_mm);
      }
    }
  }

  /// In the axes of a G that turns, m (dv/dt + omega x (V + 2 v) + omega x (omega x r)) is the
  /// force; on a mount N turns, and v is in it.
  void add_inertial_forces(const GripperTwist& twist, double h, const State& end, const Vec3& v,
                           Vec5& balance) const {
    const double w = twist.turn_rad_s;
    const Vec2& V = twist.velocity_mm_s;
    const double m = scenario_.mass.mass_kg;
    const double jaw = scenario_.gripper.jaw_mass_kg;
    balance[0] += h * m * (-w * V.y() - 2.0 * w * v[1] - w * w * end.part_pose[0]);
    balance[1] += h * m * (w * V.x() + 2.0 * w * v[0] - w * w * end.part_pose[1]);
    balance[3] += h * jaw * (-w * V.y() - w * w * end.jaw_right_mm);
    balance[4] += h * jaw * (-w * V.y() - w * w * end.jaw_left_mm);
  }

  /// Both jaws' momentum, or under the symmetric coupling its generalised component: their
  /// difference.
  void check_momentum(const StepRecord& record) {
    const State& end = *record.state;
    const Gripper& gripper = scenario_.gripper;
    const double c = force() / speed();
    Vec5 M;
    M << scenario_.mass.mass_kg, scenario_.mass.mass_kg, scenario_.mass.inertia_kg_mm2,
        gripper.jaw_mass_kg, gripper.jaw_mass_kg;
    const double h = record.base.force_s;
    const double share = h / h_;  // of the impulses: they are those of the whole step
    const Phase& phase = phase_of(record);
    const double closing = phase.drive == JawDrive::kOpen ? -force() : force();
    Vec5 balance = velocity(end) - velocity(record.base.state);
    Vec3 v = end.part_velocity;
    if (gripper.mount) {
      v = in_axes_of_G(velocity_in_mount(end), end);
      const Vec3 start = velocity_in_mount(last_);
      Vec3 base = start;
      if (record.base.extrapolated != 0.0) {
        base += record.base.extrapolated * (start - velocity_in_mount(before_));
      }
      balance.head<3>() = v - in_axes_of_G(base, end);
    }
    balance = M.cwiseProduct(balance).eval();
    balance[3] -= h * (-closing - c * end.jaw_right_mm_s);
    balance[4] -= h * (closing - c * end.jaw_left_mm_s);
    add_inertial_forces(arm_twist(phase.twist, end), h, end, v, balance);
    balance.head<3>() -= share * record.support_impulse;
    Vec3 given = Vec3::Zero();                                 // by the gripper, about G's origin
    double squeeze = record.support_impulse.head<2>().norm();  // of impulses
    // Of their moments; no arm is taken for less than the radius of gyration.
    double twisting = squeeze * length() + std::abs(record.support_impulse[2]);
    for (const ContactRecord& contact : *record.contacts) {
      const double size =
          std::abs(contact.normal_impulse_mn_s) + std::abs(contact.tangential_impulse_mn_s);
      squeeze += size;
      const double arm = (contact.point_G_mm - end.part_pose.head<2>()).norm();
      twisting += size * std::max(arm, length()) + std::abs(contact.moment_mn_mm_s);
      const Vec2 p = share * (contact.normal_impulse_mn_s * contact.normal_G +
                              contact.tangential_impulse_mn_s * perp(contact.normal_G));
      balance.head<2>() -= p;
      balance[2] -= cross(contact.point_G_mm - end.part_pose.head<2>(), p);
      balance[2] -= share * contact.moment_mn_mm_s;
      if (contact.side == JawSide::kObstacle) continue;
      given += Vec3(p.x(), p.y(), cross(contact.point_G_mm, p) + share * contact.moment_mn_mm_s);
      if (contact.side == JawSide::kPalm) continue;
      balance[contact.side == JawSide::kRight ? 3 : 4] += p.x();
    }
    if (phase.drive == JawDrive::kHold) balance.tail<2>().setZero();
    if (!moves(gripper.coupling, JawSide::kRight)) balance[3] = 0.0;
    if (!moves(gripper.coupling, JawSide::kLeft)) balance[4] = 0.0;
    balance[2] /= length();
    const Vec3 part = balance.head<3>().cwiseAbs();
    const Vec3 rounding = kRounding * Vec3(squeeze, squeeze, twisting / length());
    const double moved = scenario_.mass.mass_kg * speed();
    raise(laws_.drift, part.maxCoeff() / moved);
    keep_largest(laws_.drift_beyond_rounding, (part - rounding).maxCoeff() / moved);
    if (gripper.coupling == Coupling::kSymmetric) {
      balance[3] -= balance[4];
      balance[4] = 0.0;
    }
    raise(laws_.momentum, balance.lpNorm<Eigen::Infinity>() / impulse());
    if (gripper.mount) check_mount(record, given);
  }

  static Vec3 in_axes_of_G(Vec3 in_N, const State& state) {
    in_N.head<2>() = Rotation2(state.mount[2]).inverse_times(Vec2(in_N.head<2>()));
    return in_N;
  }

  /// Springs and dampers bear what the gripper gives the part.
  void check_mount(const StepRecord& record, const Vec3& given) {
    const Mount& mount = *scenario_.gripper.mount;
    const StepBase& base = record.base;
    const State& end = *record.state;
    const Vec3& from = base.h < base.force_s ? last_.mount : base.state.mount;
    const Vec3 spring =
        in_axes_of_G((base.force_s + mount.damping_s) * end.mount - mount.damping_s * from, end);
    const auto lacks = [&](double stiffness, int k) {
      const double force = std::isfinite(stiffness) ? 1000.0 * stiffness * spring[k] : -given[k];
      return given[k] + force;
    };
    raise(laws_.momentum, lacks(mount.sideways_n_per_mm, 0) / impulse());
    raise(laws_.momentum, lacks(mount.sideways_n_per_mm, 1) / impulse());
    raise(laws_.momentum, lacks(mount.turning_n_mm, 2) / length() / impulse());
  }

  /// The contact's gap computed anew. For outlines it is the distance of the part's point from the
  /// finger, which is the gap where the two are closest to each other; looked at where it matters,
  /// at contacts that carry an impulse.
  double check_gap(const State& end, const ContactRecord& contact) {
    if (!all_) return contact.psi_mm;
    if (!outline_gap_) {
      const double psi = closest(end, contact.piece, contact.side).psi_mm;
      raise(laws_.record_mm, contact.psi_mm - psi);
      return psi;
    }
    if (contact.normal_impulse_mn_s <= 0.0) return contact.psi_mm;
    constexpr double kStepMm = 1e-4;
    const double psi = outline_gap_->to_finger_mm(end, contact.side, contact.point_G_mm);
    raise(laws_.record_mm, std::abs(contact.psi_mm) - psi);
    raise(laws_.record_mm, outline_gap_->to_part_mm(end, contact.point_G_mm));
    // Where pieces meet the nearest point may be another one's.
    if (scenario_.part.pieces.size() + scenario_.part.outlines.size() > 1) return psi;
    keep_largest(laws_.normal_mm,
                 outline_gap_->normal_error_mm(end, contact.side, contact.point_G_mm,
                                               contact.normal_G, contact.psi_mm, kStepMm));
    return psi;
  }

  static double jaw_speed_mm_s(const State& state, JawSide side) {
    if (side == JawSide::kPalm || side == JawSide::kObstacle) return 0.0;
    return side == JawSide::kRight ? state.jaw_right_mm_s : state.jaw_left_mm_s;
  }

  /// Returns the contact's friction work.
  double check_contact(const StepRecord& record, const ContactRecord& contact) {
    const State& end = *record.state;
    const double psi = check_gap(end, contact) + contact.deflection_mm;
    const Vec2 t = perp(contact.normal_G);
    const Vec2 r = contact.point_G_mm - end.part_pose.head<2>();
    const double jaw = jaw_speed_mm_s(end, contact.side);
    Vec2 velocity = end.part_velocity.head<2>() + end.part_velocity[2] * perp(r);
    if (contact.side == JawSide::kObstacle) {
      const GripperTwist moves = gripper_twist(phase_of(record).twist, end);
      velocity += moves.at(contact.point_G_mm).head<2>();
    }
    double slip = t.dot(velocity) - t.x() * jaw;
    if (contact.deflection_mm > 0.0) {  // the pad's surface moves, too
      slip = contact.slip_mm_s;
    } else {
      raise(laws_.record, (slip - contact.slip_mm_s) / speed());
    }
    raise(laws_.record, contact.normal_G.norm() - 1.0);

    const double p_n = contact.normal_impulse_mn_s / impulse();
    const double p_t = contact.tangential_impulse_mn_s / impulse();
    const double limit = trial_.mu_jaw * std::max(p_n, 0.0);
    const double v_t = slip / speed();
    raise(laws_.complementarity, std::min(p_n, psi / (h_ * speed())));
    const double recorded = contact.psi_mm + contact.deflection_mm;
    raise(laws_.recorded_complementarity, std::min(p_n, recorded / (h_ * speed())));
    keep_largest(laws_.cone, std::abs(p_t) - limit);
    raise(laws_.opposition, p_t - std::clamp(p_t - v_t, -limit, limit));
    keep_smallest(laws_.dissipation, -p_t * v_t / std::max(1.0, std::abs(p_t)));
    return contact.tangential_impulse_mn_s * slip;
  }

  /// The bound of the support's friction, mN.
  [[nodiscard]] double support_force() const {
    return trial_.mu_support * scenario_.mass.mass_kg * scenario_.gravity_mm_s2;
  }

  [[nodiscard]] double most_power(const Vec3& d, double angle) const {
    return most_power(d, angle, h_ * support_force());
  }

  /// The support function of the set of friction wrenches that the support can give, eq. (4)-(5):
  /// the most power that they dissipate for the part's motion -d.
  [[nodiscard]] double most_power(const Vec3& d, double angle, double limit) const {
    if (const auto* e = std::get_if<EllipsoidSupport>(&scenario_.support)) {
      return limit * Vec3(e->e_t * d[0], e->e_o * d[1], e->e_r_mm * d[2]).norm();
    }
    if (const auto* tripod = std::get_if<TripodSupport>(&scenario_.support)) {
      double power = 0.0;
      for (const double at : tripod->angles_rad) {
        const Vec2 arm = tripod->radius_mm * Vec2(std::cos(at + angle), std::sin(at + angle));
        power += limit / 3.0 * (d.head<2>() + d[2] * perp(arm)).norm();
      }
      return power;
    }
    // The others are fixed in the part: the motion in its axes.
    Vec3 d_B = d;
    d_B.head<2>() = Rotation2(angle).inverse_times(d.head<2>());
    if (const auto* points = std::get_if<PointsSupport>(&scenario_.support)) {
      double power = 0.0;
      for (const SupportPoint& point : points->points) {
        const Vec2 arm = point.point_P_mm - scenario_.mass.center_of_mass_P_mm;
        power += limit * point.load_share * point.friction_factor *
                 (d_B.head<2>() + d_B[2] * perp(arm)).norm();
      }
      return power;
    }
    if (const auto* e = std::get_if<PartEllipsoidSupport>(&scenario_.support)) {
      d_B[2] *= e->length_mm;
      return limit * std::sqrt(d_B.dot(e->matrix.inverse() * d_B));
    }
    const auto& form = std::get<FourthOrderSupport>(scenario_.support);
    d_B[2] *= form.length_mm;
    return limit * most_on_surface(FourthOrderForm(form.coefficients), d_B);
  }

  /// A wrench is inside a convex set when no direction sees it beyond the set's support function.
  [[nodiscard]] double support_excess(const Vec3& wrench, double angle) const {
    double excess = 0.0;
    const auto see = [&](const Vec3& direction) {
      Vec3 d = direction.normalized();
      d[2] /= length();
      keep_largest(excess, wrench.dot(d) - most_power(d, angle));
    };
    for (const double x : {-1.0, 0.0, 1.0}) {
      for (const double y : {-1.0, 0.0, 1.0}) {
        for (const double turn : {-1.0, 0.0, 1.0}) {
          if (x != 0.0 || y != 0.0 || turn != 0.0) see(Vec3(x, y, turn));
        }
      }
    }
    const Vec3 own(wrench[0], wrench[1], wrench[2] / length());
    if (own.norm() > 0.0) see(own);
    return excess;
  }

  /// Returns the support's friction work.
  double check_support(const StepRecord& record) {
    const GripperTwist moves = gripper_twist(phase_of(record).twist, *record.state);
    const Vec3 v = record.state->part_velocity + moves.at(record.state->part_pose.head<2>());
    const double angle = record.state->part_pose[2];
    const double work = record.support_impulse.dot(v);
    if (all_) {
      raise(laws_.support_limit, support_excess(record.support_impulse, angle) / impulse());
      raise(laws_.support_power, (most_power(v, angle) + work) / (impulse() * speed()));
    }
    keep_smallest(laws_.dissipation, -work / (impulse() * speed()));
    return work;
  }

  const Scenario& scenario_;
  const TrialParameters& trial_;
  bool all_ = true;
  std::optional<OutlineGap> outline_gap_;
  double h_ = 0.0;
  double impulse_ = 0.0;  ///< what impulses are measured by
  StepLaws laws_;
  State last_;    ///< at the end of the last record
  State before_;  ///< at that of the step before
};

/// Merges the laws of another trial into `worst`.
inline void merge(const StepLaws& laws, StepLaws& worst) {
  worst.smallest_gap_mm = std::min(worst.smallest_gap_mm, laws.smallest_gap_mm);
  worst.dissipation = std::min(worst.dissipation, laws.dissipation);
  for (double StepLaws::*law :
       {&StepLaws::momentum, &StepLaws::drift, &StepLaws::kinematics, &StepLaws::complementarity,
        &StepLaws::recorded_complementarity, &StepLaws::cone, &StepLaws::opposition,
        &StepLaws::support_limit, &StepLaws::support_power, &StepLaws::record_mm, &StepLaws::record,
        &StepLaws::normal_mm}) {
    worst.*law = std::max(worst.*law, laws.*law);
  }
  worst.finite = worst.finite && laws.finite;
  worst.symmetric = worst.symmetric && laws.symmetric;
  worst.steps += laws.steps;
}

/// Runs a trial under the checker and merges what it found.
inline SimulationResult run_checked(const Scenario& scenario, const TrialParameters& trial,
                                    StepLaws& worst) {
  StepChecker checker(scenario, trial);
  const StepObserver observer = [&](const StepRecord& record) { checker(record); };
  const SimulationResult result = run(scenario, trial, &observer);
  merge(checker.laws(), worst);
  return result;
}

}  // namespace graspmap::testing
