#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "sim/closing/condensed_stepper.hpp"
#include "sim/closing/tolerances.hpp"

// Which pairs of piece and jaw a step has.

namespace graspmap {

/// `gap_mm`: at the start of the step, or a lower bound of it.
void CondensedStepper::add_pair(const Pair& pair, double gap_mm) {
  if (problem_.contacts == kMaxContacts) return;
  const std::size_t i = index(problem_.contacts++);
  problem_.pairs[i] = pair;
  problem_.mu[i] =
      mu_[side_index(pair.side)] * broad_phase_.pieces()[index(pair.piece)].friction_factor;
  problem_.place[i] = memory_.place(pair);
  problem_.start_gap_mm[i] = problem_.known_gap_mm[i] = gap_mm;
}

/// The gap of a pair at the start of the step; -infinity for one that carried an impulse.
double CondensedStepper::start_gap_mm(const Pair& pair) const {
  const StepMemory::PairMemory& m = memory_.of(pair);
  if (m.f_n > 0.0) return -std::numeric_limits<double>::infinity();
  if (m.near) return m.psi_mm;
  const BodyPiece& piece = broad_phase_.pieces()[index(pair.piece)];
  return closest_points(piece, start_, pair.side, m.point).psi_mm;
}

/// The same for a contact whose gap is known.
double CondensedStepper::start_gap_mm(const Pair& pair, double psi_mm) const {
  return memory_.of(pair).f_n > 0.0 ? -std::numeric_limits<double>::infinity() : psi_mm;
}

void CondensedStepper::choose_pairs(const State& state, double h) {
  const double speed = state.part_velocity.head<2>().norm() +
                       std::abs(state.part_velocity[2]) * broad_phase_.reach_mm() +
                       2.0 * speed_mm_s_;
  expected_approach_mm_ = h * speed;
  const double reach = tolerances::kNearMarginMm + expected_approach_mm_;
  left_out_gap_mm_ = reach;
  near_pairs_.clear();
  if (broad_phase_.bodies().plain) {
    broad_phase_.visit_near_pairs(start_, reach, [&](std::size_t i, JawSide side) {
      const Pair pair{static_cast<int>(i), side};
      const double psi = start_gap_mm(pair);
      if (psi <= reach) near_pairs_.push_back({pair, psi});
    });
  } else {
    broad_phase_.visit_near_contacts(
        start_, -tolerances::kBehindMm, reach, tolerances::kNearlyFacing,
        [&](const Pair& pair, const ClosestPoints& closest) {
          const auto is_pair = [&](const NearPair& near) { return near.pair == pair; };
          if (std::any_of(near_pairs_.begin(), near_pairs_.end(), is_pair)) return;
          near_pairs_.push_back({pair, start_gap_mm(pair, closest.psi_mm)});
        });
  }
  keep_nearest_pairs();
  problem_.contacts = 0;
  problem_.known_at = start_;
  for (const NearPair& near : near_pairs_) add_pair(near.pair, near.psi_mm);
}

/// Drops the pairs that do not fit into a step: it holds those that touched and then the nearest.
void CondensedStepper::keep_nearest_pairs() {
  if (near_pairs_.size() <= kMaxContacts) return;
  const auto end = near_pairs_.begin() + kMaxContacts;
  std::nth_element(near_pairs_.begin(), end, near_pairs_.end(),
                   [](const NearPair& a, const NearPair& b) { return a.psi_mm < b.psi_mm; });
  left_out_gap_mm_ = end->psi_mm;
  near_pairs_.erase(end, near_pairs_.end());
  std::sort(near_pairs_.begin(), near_pairs_.end(), [](const NearPair& a, const NearPair& b) {
    return std::tuple(a.pair.piece, a.pair.side, a.pair.finger) <
           std::tuple(b.pair.piece, b.pair.side, b.pair.finger);
  });
}

/// True when a contact of the step is at the pair.
bool CondensedStepper::is_near(const Pair& pair) const {
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (!now_->at.met[i] && problem_.pair_at(i, now_->x) == pair) return true;
  }
  return false;
}

/// Adds the pairs of outlines' elements that the step's contacts may walk to.
void CondensedStepper::add_neighbours() {
  const ContactBodies& bodies = broad_phase_.bodies();
  const double most = tolerances::kPatternApproach * expected_approach_mm_;
  const auto add = [&](const Pair& pair) {
    if (pair.piece < 0 || pair.finger < 0) return;
    const auto last = problem_.pairs.begin() + problem_.contacts;
    if (std::find(problem_.pairs.begin(), last, pair) != last) return;
    const Finger& finger = bodies.fingers.by_side[side_index(pair.side)];
    if (!can_touch(bodies.elements[index(pair.piece)], finger.elements[index(pair.finger)])) return;
    if (closest_points(bodies, pair, start_).psi_mm > most) return;
    const double psi = stay_at_contact(bodies, start_, pair.side, first_point(pair)).psi_mm;
    if (std::abs(psi) <= most) add_pair(pair, -std::numeric_limits<double>::infinity());
  };
  const std::size_t count = index(problem_.contacts);
  for (std::size_t i = 0; i < count; ++i) {
    const Pair pair = problem_.pairs[i];
    if (!broad_phase_.pieces()[index(pair.piece)].is_element) continue;
    const ContactElement& p = bodies.elements[index(pair.piece)];
    const ContactElement& f =
        bodies.fingers.by_side[side_index(pair.side)].elements[index(pair.finger)];
    for (const int piece : {pair.piece, p.at_lo, p.at_hi}) {
      for (const int element : {pair.finger, f.at_lo, f.at_hi}) {
        add({piece, pair.side, element});
      }
    }
  }
}

/// True when the gap of a pair is `least_mm` or more, as the nearer of the jaw's edges tells.
bool CondensedStepper::is_clear(const Pair& pair, const Configuration& q, double least_mm) const {
  const ContactBodies& bodies = broad_phase_.bodies();
  if (bodies.plain) {
    const BodyPiece& piece = bodies.pieces[index(pair.piece)];
    for (const JawFeature edge : {JawFeature::kInsideEdge, JawFeature::kTopEdge}) {
      if (edge_gap_mm(piece, q, pair.side, edge) >= least_mm) return true;
    }
  }
  return exact_gap_mm(pair, q) >= least_mm;
}

[[gnu::cold]] double CondensedStepper::exact_gap_mm(const Pair& pair,
                                                    const Configuration& q) const {
  const ContactBodies& bodies = broad_phase_.bodies();
  return bodies.meets_whole(pair.piece)
             ? true_gap_mm(bodies.pieces[index(pair.piece)], q, pair.side)
             : closest_points(bodies, pair, q).psi_mm;
}

/// True for a contact that cannot have closed, and for one at a jaw's edge whose gap along the
/// normal there, a lower bound of it, is large enough; psi_mm becomes that if it was less.
bool CondensedStepper::is_apart(std::size_t i, double& psi_mm) const {
  if (!broad_phase_.bodies().plain) return false;
  if (now_->at.closest[i].normal == Vec2::Zero()) return true;
  const JawFeature feature = now_->at.closest[i].feature;
  if (feature == JawFeature::kVertex) return false;
  const Pair& pair = problem_.pairs[i];
  const BodyPiece& piece = broad_phase_.pieces()[index(pair.piece)];
  const double along_edge_mm = edge_gap_mm(piece, now_->at.q, pair.side, feature);
  if (along_edge_mm < tolerances::kExactGapMm) return false;
  psi_mm = std::max(psi_mm, along_edge_mm);
  return true;
}

/// The gap at a tracked point is that of the whole piece, apart from its misalignment: no point of
/// the piece is further out by more than the sine times its width.
double CondensedStepper::smallest_near_gap_mm() const {
  double smallest = std::numeric_limits<double>::infinity();
  // A contact that is followed far may lie on the wrong side of a thin piece.
  const bool far = !may_not_jump(moved_mm_);
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (now_->at.met[i]) continue;
    const Pair pair = problem_.pair_at(i, now_->x);
    const BodyPiece& piece = broad_phase_.pieces()[index(pair.piece)];
    const double width = 2.0 * piece.bounding_radius_mm;
    double psi = now_->at.closest[i].psi_mm - width * std::abs(now_->at.misalignment[i]);
    const bool behind = broad_phase_.bodies().plain && is_behind(now_->at.closest[i], pair.side);
    const bool in_doubt = far || psi < tolerances::kExactGapMm || behind;
    if (in_doubt && !is_apart(i, psi)) {
      const double exact = exact_gap_mm(pair, now_->at.q);
      if (psi < tolerances::kExactGapMm || exact < tolerances::kGapMm) psi = exact;
    }
    smallest = std::min(smallest, psi);
  }
  return smallest;
}

/// True when no pair that was left out can have closed in the step.
bool CondensedStepper::all_are_near() const {
  return moved_mm_ + tolerances::kBoundRoundingMm < left_out_gap_mm_;
}

/// Adds the pairs that were left out and overlap at the end of the step. False if no pair is added.
bool CondensedStepper::add_closing_pairs() {
  const Configuration& q = now_->at.q;
  const double approach = moved_mm_ + tolerances::kBoundRoundingMm;
  // Contacts of outlines walk away from overlaps, and others begin beyond reflex corners: those
  // that were left out are not all further apart.
  if (broad_phase_.bodies().plain && all_are_near()) return false;
  bool added = false;
  broad_phase_.visit_near_contacts(q, broad_phase_.least_gap_mm(approach), tolerances::kGapMm,
                                   tolerances::kFacing,
                                   [&](const Pair& pair, const ClosestPoints& closest) {
                                     if (closest.psi_mm >= tolerances::kGapMm || is_near(pair))
                                       return;
                                     add_pair(pair, -std::numeric_limits<double>::infinity());
                                     added = true;
                                   });
  return added;
}

}  // namespace graspmap
