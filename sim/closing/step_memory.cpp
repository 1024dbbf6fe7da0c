#include "sim/closing/step_memory.hpp"

#include <algorithm>

#include "sim/closing/tolerances.hpp"

namespace graspmap {

void StepMemory::set_bodies(const ContactBodies& bodies) {
  side_places_ = index(bodies.finger_elements());
  piece_places_ = index(bodies.fingers.sides) * side_places_;
  pairs_.assign(bodies.pieces.size() * piece_places_, PairMemory{});
  known_.clear();
  known_.reserve(pairs_.size());
}

void StepMemory::set_pads(bool any) {
  any_pads_ = any;
  if (any) pads_.assign(pairs_.size(), PadMemory{});
  pad_count_ = 0;
  pad_energy_ = 0.0;
  in_pad_ = false;
}

void StepMemory::forget() {
  for (const std::size_t place : known_) pairs_[place] = {};
  known_.clear();
  motion_ = {};
}

void StepMemory::first_guess(const StepEquations& equations, StepUnknowns& x) const {
  const State& start = equations.data().start;
  x.nu.head<3>() = start.part_velocity;
  x.mount = start.mount_velocity;
  if (equations.data().mount != nullptr) [[unlikely]] {
    x.mount.head<2>() = Rotation2(start.mount[2]).inverse_times(Vec2(x.mount.head<2>()));
  }
  x.nu[3] = equations.data().jaws.first(start.jaw_right_mm_s, start.jaw_left_mm_s);
  x.nu[4] = equations.data().jaws.velocities == kMaxVelocities ? start.jaw_left_mm_s : 0.0;
  for (std::size_t i = 0; i < index(equations.pairs().size); ++i) {
    x.point[i] = pairs_[equations.pairs().place[i]].point;
    x.point[i].piece = equations.pairs().pair[i].piece;
    x.point[i].finger = equations.pairs().pair[i].finger;
    x.p_n[i] = x.p_t[i] = 0.0;
  }
  for (std::size_t j = 0; j < index(equations.support.size); ++j) x.p_s[j].setZero();
}

/// The forces of an impact are not those of the motion after it, only their impulses are as large.
void StepMemory::extrapolate(const StepEquations& equations, const StepHistory& history,
                             StepUnknowns& x) const {
  first_guess(equations, x);
  const StepData& data = equations.data();
  const double h = data.force_s;
  double w = 0.0;
  if (history.before != nullptr) {
    const State& before = *history.before;
    w = data.step_s / history.before_s;
    x.nu.head<3>() += w * (data.start.part_velocity - before.part_velocity);
    x.nu[3] += w * data.jaws.first(data.start.jaw_right_mm_s - before.jaw_right_mm_s,
                                   data.start.jaw_left_mm_s - before.jaw_left_mm_s);
    if (data.jaws.velocities == kMaxVelocities) {
      x.nu[4] += w * (data.start.jaw_left_mm_s - before.jaw_left_mm_s);
    }
  }
  const double kept = h * std::min(tolerances::kForceGrowth * motion_.step_s / data.step_s, 1.0);
  for (std::size_t i = 0; i < index(equations.pairs().size); ++i) {
    const PairMemory& m = pairs_[equations.pairs().place[i]];
    if (m.f_n == 0.0) continue;
    x.p_n[i] = kept * m.f_n;
    x.p_t[i] = kept * m.f_t;
    Vec2& direction = x.point[i].direction;
    const double turn_rad = w * m.turn_rad;
    if (turn_rad != 0.0) direction = (direction + turn_rad * perp(direction)).normalized();
  }
  for (std::size_t j = 0; j < index(equations.support.size); ++j) x.p_s[j] = h * motion_.f_s[j];
}

void StepMemory::remember(const StepEquations& equations, const Iterate& end) {
  if (any_pads_) remember_pads(equations, end);
  for (const std::size_t place : known_) pairs_[place].near = false;
  for (std::size_t i = 0; i < index(equations.pairs().size); ++i) {
    if (!end.at.met[i]) remember_pair(equations, i, end.x, end.at.closest[i]);
  }
  for (const std::size_t place : known_) {
    PairMemory& m = pairs_[place];
    if (m.near) continue;
    m.f_n = m.f_t = m.turn_rad = 0.0;
    m.normal.setZero();
  }
  remember_motion(equations, end.x);
  end_at_ = end.at.q;
}

/// Into the place of the pair at which the contact is at the end of the step.
void StepMemory::remember_pair(const StepEquations& equations, std::size_t i, const StepUnknowns& x,
                               const ClosestPoints& closest) {
  const std::size_t end = place(equations.pair_at(i, x));
  PairMemory& m = pairs_[end];
  const double f_n = x.p_n[i] / equations.data().force_s;
  const double f_t = x.p_t[i] / equations.data().force_s;
  const bool stays = m.f_n > 0.0 && f_n > 0.0 && m.point.feature == x.point[i].feature;
  m.turn_rad = stays ? cross(m.point.direction, x.point[i].direction) : 0.0;
  m.f_n = f_n;
  m.f_t = f_t;
  m.point = x.point[i];
  m.psi_mm = closest.psi_mm;
  m.normal = closest.normal;
  m.on_piece_mm = closest.on_piece_mm;
  m.near = true;
  if (!m.known) known_.push_back(end);
  m.known = true;
}

/// A pad that nothing is near any more has recovered.
void StepMemory::remember_pads(const StepEquations& equations, const Iterate& end) {
  const StepPairs& pairs = equations.pairs();
  for (std::size_t k = 0; k < pad_count_; ++k) pads_[pad_places_[k]] = {};
  pad_count_ = 0;
  pad_energy_ = 0.0;
  in_pad_ = false;
  for (std::size_t i = 0; i < index(pairs.size); ++i) {
    const PadContact& pad = pairs.pad[i];
    if (!pad.is_soft || end.at.met[i]) continue;
    const Pair at = equations.pair_at(i, end.x);
    PadMemory& m = pads_[place(at)];
    m = {};
    pad_places_[pad_count_++] = place(at);
    const PadDeflection& delta = end.at.deflection[i];
    // An open pad that keeps a set recovers as far as the part leaves.
    const double gone_mm = end.x.p_n[i] <= 0.0 ? end.at.closest[i].psi_mm + delta.mm : 0.0;
    m.deflection_mm = std::max(delta.mm - std::max(gone_mm, 0.0), delta.elastic_mm);
    m.before_mm = pad.last_mm;
    m.force_mn = delta.springs.force_mn(delta.elastic_mm);
    m.normal_energy = delta.springs.energy(delta.elastic_mm);
    m.shear_mm = pad.shear(end.x.p_t[i]);
    m.shear_before_mm = pad.last_shear_mm;
    m.shear_mn_per_mm = pad.shear_mn_per_mm;
    pad_energy_ += pad.energy(delta, m.shear_mm);
    if (end.at.closest[i].normal == Vec2::Zero()) continue;
    in_pad_ = in_pad_ || end.at.closest[i].psi_mm < 0.0;
    keep_shape(*equations.data().bodies, at, end.at.closest[i], m);
  }
}

void StepMemory::remember_motion(const StepEquations& equations, const StepUnknowns& x) {
  motion_.step_s = equations.data().step_s;
  motion_.impact = equations.data().h < equations.data().force_s;
  for (std::size_t j = 0; j < index(equations.support.size); ++j) {
    motion_.f_s[j] = x.p_s[j] / equations.data().force_s;
  }
}

}  // namespace graspmap
