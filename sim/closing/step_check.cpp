#include "sim/closing/step_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/tolerances.hpp"
#include "sim/closing/overlap.hpp"

namespace graspmap {

namespace {

Pose2 between(const Pose2& start, const Pose2& end, double s) {
  return {start.position_mm + s * (end.position_mm - start.position_mm),
          start.angle_rad + s * (end.angle_rad - start.angle_rad)};
}

/// How far the part has moved in N, in the axes of G at the end.
Vec2 moved_in_mount_mm(const State& start, const State& end) {
  const auto in_mount = [](const State& state) {
    return transform(pose_on_mount(state), state.part_pose.head<2>());
  };
  return Rotation2(end.mount[2]).inverse_times(in_mount(end) - in_mount(start));
}

}  // namespace

bool StepCheck::path_is_clear(const Iterate& end) {
  moved_mm_ = equations_.data().largest_approach_mm(end.at.q);
  if (may_not_jump(moved_mm_)) return true;
  return with_contacts(part_.bodies(),
                       [&](const auto& contacts) { return path_is_clear(contacts, end); });
}

template <ContactModel Contacts>
bool StepCheck::path_is_clear(const Contacts& contacts, const Iterate& end) const {
  const State& start = equations_.data().start;
  const StepPairs& pairs = equations_.pairs();
  const Configuration& last = end.at.q;
  const double length = moved_mm_;
  const double allowed = tolerances::kPathOverlap * length + tolerances::kTouchMm +
                         equations_.largest_deflection_mm(end.at);
  for (const double s : tolerances::kPathChecks) {
    std::optional<Configuration> q;
    for (std::size_t i = 0; i < index(pairs.size); ++i) {
      // No gap falls by more than the motion before it and rises by more than the motion after it.
      const double end_gap_mm = contacts.end_gap_mm(end.at.closest[i]);
      if (pairs.start_gap_mm[i] > s * length || end_gap_mm > (1.0 - s) * length) continue;
      if (memory_.stays_closed(equations_, i, end.x)) continue;
      if (!q) {
        q.emplace(start.part_pose + s * (last.part_pose - start.part_pose),
                  start.jaw_right_mm + s * (last.jaw_right_mm - start.jaw_right_mm),
                  start.jaw_left_mm + s * (last.jaw_left_mm - start.jaw_left_mm),
                  between(start.gripper, last.gripper, s));
      }
      if (!contacts.is_clear(pairs.pair[i], *q, -allowed)) return false;
    }
  }
  return true;
}

double StepCheck::smallest_gap_mm(const Iterate& end) const {
  return with_contacts(part_.bodies(),
                       [&](const auto& contacts) { return smallest_gap_mm(contacts, end); });
}

/// The gap at a tracked point is that of the whole piece, apart from its misalignment: no point of
/// the piece is further out by more than the sine times its width.
template <ContactModel Contacts>
double StepCheck::smallest_gap_mm(const Contacts& contacts, const Iterate& end) const {
  double smallest = std::numeric_limits<double>::infinity();
  // A contact that is followed far may lie on the wrong side of a thin piece.
  const bool far = !may_not_jump(moved_mm_);
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    if (end.at.met[i]) continue;
    const Pair pair = equations_.pair_at(i, end.x);
    const BodyPiece& piece = part_.pieces()[index(pair.piece)];
    const double width = 2.0 * piece.bounding_radius_mm;
    const ClosestPoints& closest = end.at.closest[i];
    const double deflection_mm = equations_.deflection_mm(i, end.at);
    double psi = closest.psi_mm + deflection_mm - width * std::abs(end.at.misalignment[i]);
    const bool in_doubt =
        far || psi < -tolerances::kRounding || contacts.is_behind(closest, pair.side);
    if (in_doubt && (deflection_mm > 0.0 || !contacts.is_apart(pair, end.at.q, closest, psi))) {
      const double exact = exact_gap_mm(part_.bodies(), pair, end.at.q) + deflection_mm;
      if (psi < -tolerances::kRounding || exact < tolerances::kGapMm) psi = exact;
    }
    smallest = std::min(smallest, psi);
  }
  return smallest;
}

/// Contacts that do not walk are not lost in a short step, and in a long one smallest_gap_mm has
/// looked at the true gaps of all its pairs.
bool StepCheck::has_lost_contact(const Iterate& end) const {
  const bool walk = contacts_walk(part_.bodies());
  if (!walk && (may_not_jump(moved_mm_) || selection_.has_all(moved_mm_))) {
    return false;
  }
  const double pads_mm = tolerances::kLostOverlapOfPads * equations_.largest_deflection_mm(end.at);
  return overlaps_deeply(*trial_.scenario, part_, end.at.q, tolerances::kTouchMm + pads_mm);
}

/// What a moving N adds: the table slides below the part and drags it along, obstacles push it, and
/// inertial forces act where N turns, mN mm.
double StepCheck::work_of_motion(const Iterate& now, const State& end) const {
  const StepData& data = equations_.data();
  const GripperTwist twist = equations_.arm_motion(now.x.mount);
  const Vec3 below = -twist.at(now.at.q.part_pose.head<2>());  // the table's velocity
  double power = 0.0;
  for (std::size_t j = 0; j < index(equations_.support.size); ++j) {
    power += equations_.support.elements[j].wrench(now.x.p_s[j]).dot(below);
  }
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    if (equations_.pairs().pair[i].side != JawSide::kObstacle || now.x.p_n[i] == 0.0) continue;
    const ClosestPoints& closest = now.at.closest[i];
    const Vec2 impulse = now.x.p_n[i] * closest.normal + now.x.p_t[i] * perp(closest.normal);
    power -= impulse.dot(twist.at(closest.on_piece_mm).head<2>());
  }
  const double whole = data.whole_step();
  double work = power * whole;
  if (!data.twist.turns()) return work;
  Vec2 moved = (end.part_pose - data.start.part_pose).head<2>();
  if (data.mount != nullptr) moved = moved_in_mount_mm(data.start, end);
  work += whole * equations_.inertial_impulse(now.x, now.at.q).dot(moved) / data.step_s;
  const auto add_jaw = [&](double end_mm, double start_mm) {
    work +=
        whole * equations_.inertial_jaw_impulse(twist, end_mm) * (end_mm - start_mm) / data.step_s;
  };
  add_jaw(end.jaw_right_mm, data.start.jaw_right_mm);
  add_jaw(end.jaw_left_mm, data.start.jaw_left_mm);
  return work;
}

double StepCheck::energy_gain(const Iterate& now, const State& end) const {
  const Gripper& gripper = trial_.scenario->gripper;
  const StepData& data = equations_.data();
  const State& start = data.start;
  const auto change = [](double after, double before) { return after * after - before * before; };
  double gain = gripper.jaw_mass_kg * (change(end.jaw_right_mm_s, start.jaw_right_mm_s) +
                                       change(end.jaw_left_mm_s, start.jaw_left_mm_s));
  const bool on_mount = data.mount != nullptr;
  const Vec3 v_end = on_mount ? velocity_in_mount(end) : end.part_velocity;
  const Vec3 v_start = on_mount ? velocity_in_mount(start) : start.part_velocity;
  for (int k = 0; k < 3; ++k) gain += data.inertia[k] * change(v_end[k], v_start[k]);
  const double closed_mm =
      start.jaw_right_mm - start.jaw_left_mm - (end.jaw_right_mm - end.jaw_left_mm);
  double work = gripper.closing_force_mn() * closing_sign(trial_.drive) * closed_mm;
  if (data.twist.moves()) work += work_of_motion(now, end);
  if (equations_.pairs().any_soft) {
    work += memory_.pad_energy() - equations_.pad_energy(now);
  }
  if (on_mount) work += mount_energy(gripper, start) - mount_energy(gripper, end);
  return 0.5 * gain - work;
}

}  // namespace graspmap
