#include "sim/closing/pair_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <tuple>

#include "geometry/tolerances.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// `gap_mm`: at the start of the step, or a lower bound of it.
void PairSelection::add(const Pair& pair, double gap_mm) {
  if (pairs_.size == kMaxContacts) return;
  const std::size_t i = index(pairs_.size++);
  pairs_.pair[i] = pair;
  pairs_.mu[i] = trial_.friction(pair);
  pairs_.place[i] = memory_.place(pair);
  pairs_.start_gap_mm[i] = gap_mm;
  if (pairs_.any_soft) set_pad(i);
}

/// How many contacts of the step began at a pair.
int PairSelection::count(const Pair& pair) const {
  return static_cast<int>(std::count(pairs_.pair.begin(), pairs_.pair.begin() + pairs_.size, pair));
}

/// A pad of the step as it is under what presses on it at the start.
[[gnu::cold, gnu::noinline]] void PairSelection::set_pad(std::size_t i) {
  const Pair& pair = pairs_.pair[i];
  const Pad* const pad = trial_.pads[side_index(pair.side)];
  pairs_.pad[i].is_soft = pad != nullptr;
  if (pad == nullptr) return;
  const PadMemory& last = memory_.pad_at(pairs_.place[i]);
  PadMemory first;
  if (!last.has_shape) {
    first = last;
    const ClosestPoints closest = closest_points(part_.bodies(), pair, data_.start_at);
    keep_shape(part_.bodies(), pair, closest, first);
    first.deflection_mm = first.before_mm = std::max(-closest.psi_mm, 0.0);
  }
  const PadMemory& memory = last.has_shape ? last : first;
  const PadShape shape =
      pad_shape(part_.bodies(), pair, data_.start_at, memory, pad->most_deflection_mm);
  new (&pairs_.pad[i])
      PadContact(pad_contact(*pad, shape, memory, data_.pad_step, data_.start_at.R_GB));
}

/// The gap of a pair at the start of the step; -infinity for one that carried an impulse.
double PairSelection::start_gap_mm(const Pair& pair) const {
  const StepMemory::PairMemory& m = memory_.of(pair);
  if (m.f_n > 0.0) return -std::numeric_limits<double>::infinity();
  if (m.near) return m.psi_mm;
  const BodyPiece& piece = part_.pieces()[index(pair.piece)];
  return closest_points(piece, data_.start_at, pair.side, m.point).psi_mm;
}

/// The same for a contact whose gap is known.
double PairSelection::start_gap_mm(const Pair& pair, double psi_mm) const {
  return memory_.of(pair).f_n > 0.0 ? -std::numeric_limits<double>::infinity() : psi_mm;
}

void PairSelection::choose() {
  const Vec3& v = data_.start.part_velocity;
  const double speed =
      v.head<2>().norm() + std::abs(v[2]) * data_.reach_mm + 2.0 * data_.velocity_scale;
  expected_approach_mm_ = data_.step_s * speed;
  const double reach = tolerances::kNearMm + expected_approach_mm_;
  left_out_gap_mm_ = reach;
  near_.clear();
  with_contacts(part_.bodies(), [&](const auto& contacts) { find_near(contacts, reach); });
  keep_nearest();
  pairs_.size = 0;
  pairs_.any_soft = trial_.most_deflection_mm > 0.0;
  for (const NearPair& near : near_) add(near.pair, near.psi_mm);
}

/// The gap of a pair that was near in the last step is known, and mostly so is where its contact
/// is.
void PairSelection::find_near(const PlainContacts& /*contacts*/, double reach_mm) {
  part_.visit_near_pairs(data_.start_at, reach_mm, [&](std::size_t i, JawSide side) {
    const Pair pair{static_cast<int>(i), side};
    const double psi = start_gap_mm(pair);
    if (psi <= reach_mm) near_.push_back({pair, psi});
  });
}

void PairSelection::find_near(const OutlineContacts& /*contacts*/, double reach_mm) {
  part_.visit_near_contacts(
      data_.start_at, -tolerances::kTouchMm - trial_.most_deflection_mm, reach_mm,
      tolerances::kMostTurnRad, [&](const Pair& pair, const ClosestPoints& closest) {
        // They face each other from behind, at the other sides of a thin part or finger.
        if (closest.psi_mm < -tolerances::kTouchMm && !memory_.is_pressed(pair)) return;
        const auto is_pair = [&](const NearPair& near) { return near.pair == pair; };
        if (std::any_of(near_.begin(), near_.end(), is_pair)) return;
        near_.push_back({pair, start_gap_mm(pair, closest.psi_mm)});
      });
  // Where a contact has walked to a corner its elements may not face each other any more.
  memory_.visit_pressed([&](const Pair& pair) {
    const auto is_pair = [&](const NearPair& near) { return near.pair == pair; };
    if (std::any_of(near_.begin(), near_.end(), is_pair)) return;
    const double psi_mm = closest_points(part_.bodies(), pair, data_.start_at).psi_mm;
    near_.push_back({pair, start_gap_mm(pair, psi_mm)});
  });
}

/// Drops the pairs that do not fit into a step: it holds those that touched and then the nearest.
void PairSelection::keep_nearest() {
  if (near_.size() <= kMaxContacts) return;
  const auto end = near_.begin() + kMaxContacts;
  std::nth_element(near_.begin(), end, near_.end(),
                   [](const NearPair& a, const NearPair& b) { return a.psi_mm < b.psi_mm; });
  left_out_gap_mm_ = end->psi_mm;
  near_.erase(end, near_.end());
  // nth_element leaves them in an order of the library's choice, and sums over contacts round by
  // their order.
  std::sort(near_.begin(), near_.end(), [](const NearPair& a, const NearPair& b) {
    return std::tuple(a.pair.piece, a.pair.side, a.pair.finger) <
           std::tuple(b.pair.piece, b.pair.side, b.pair.finger);
  });
}

void PairSelection::add_neighbours() {
  const ContactBodies& bodies = part_.bodies();
  const double most = tolerances::kPatternApproach * expected_approach_mm_;
  const auto add_if_near = [&](const Pair& pair) {
    if (pair.piece < 0 || pair.finger < 0) return;
    if (count(pair) > 0) return;
    const Finger& finger = bodies.fingers.by_side[side_index(pair.side)];
    if (!can_touch(bodies.elements[index(pair.piece)], finger.elements[index(pair.finger)])) return;
    if (closest_points(bodies, pair, data_.start_at).psi_mm > most) return;
    const double psi = stay_at_contact(bodies, data_.start_at, pair.side, first_point(pair)).psi_mm;
    if (std::abs(psi) <= most) add(pair, -std::numeric_limits<double>::infinity());
  };
  const std::size_t count = index(pairs_.size);
  for (std::size_t i = 0; i < count; ++i) {
    const Pair pair = pairs_.pair[i];
    if (!part_.pieces()[index(pair.piece)].is_element) continue;
    const ContactElement& p = bodies.elements[index(pair.piece)];
    const ContactElement& f =
        bodies.fingers.by_side[side_index(pair.side)].elements[index(pair.finger)];
    for (const int piece : {pair.piece, p.at_lo, p.at_hi}) {
      for (const int element : {pair.finger, f.at_lo, f.at_hi}) {
        add_if_near({piece, pair.side, element});
      }
    }
  }
}

void PairSelection::reserve() {
  const ContactBodies& bodies = part_.bodies();
  near_.reserve(2 * index(bodies.finger_elements()) * bodies.pieces.size());
}

bool PairSelection::has_all(double moved_mm) const {
  return moved_mm + tolerances::kRounding < left_out_gap_mm_;
}

bool PairSelection::add_closed(const StepEquations& equations, const Iterate& end,
                               double moved_mm) {
  // Contacts of outlines walk away from overlaps, and others begin beyond reflex corners: those
  // that were left out are not all further apart.
  if (!contacts_walk(part_.bodies()) && has_all(moved_mm)) return false;
  const int contacts = pairs_.size;  // those added are not in `end`
  bool added = false;
  const auto visit = [&](const Pair& pair, const ClosestPoints& closest) {
    if (closest.psi_mm >= tolerances::kGapMm) return;
    if (equations.has_contact_at(pair, end, contacts)) return;
    // Within a pad the contact of a pair may walk to another one again and again.
    if (pairs_.any_soft && count(pair) > 1) return;
    add(pair, -std::numeric_limits<double>::infinity());
    added = true;
  };
  const double least_mm = part_.least_gap_mm(moved_mm + tolerances::kRounding);
  part_.visit_near_contacts(end.at.q, least_mm, tolerances::kGapMm, tolerances::kRounding, visit);
  return added;
}

}  // namespace graspmap
