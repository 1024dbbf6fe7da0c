#include "sim/closing/step_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/closing/overlap.hpp"

namespace graspmap {

bool StepCheck::path_is_clear(const Iterate& end) {
  const State& start = equations_.data().start;
  const StepPairs& pairs = equations_.pairs();
  const Configuration& last = end.at.q;
  const double length = moved_mm_ = equations_.data().largest_approach_mm(last);
  if (may_not_jump(length)) return true;
  const double allowed = tolerances::kPathOverlap * length + tolerances::kPathOverlapMm;
  const bool plain = part_.bodies().plain;
  for (const double s : tolerances::kPathChecks) {
    std::optional<Configuration> q;
    for (std::size_t i = 0; i < index(pairs.size); ++i) {
      // No gap falls by more than the motion before it and rises by more than the motion after it.
      const double end_gap_mm = plain ? end.at.closest[i].psi_mm : 0.0;
      if (pairs.start_gap_mm[i] > s * length || end_gap_mm > (1.0 - s) * length) continue;
      if (memory_.stays_closed(equations_, i, end.x)) continue;
      if (!q) {
        q.emplace(start.part_pose + s * (last.part_pose - start.part_pose),
                  start.jaw_right_mm + s * (last.jaw_right_mm - start.jaw_right_mm),
                  start.jaw_left_mm + s * (last.jaw_left_mm - start.jaw_left_mm));
      }
      if (!is_clear(pairs.pair[i], *q, -allowed)) return false;
    }
  }
  return true;
}

[[gnu::cold]] double StepCheck::exact_gap_mm(const Pair& pair, const Configuration& q) const {
  const ContactBodies& bodies = part_.bodies();
  return bodies.meets_whole(pair.piece)
             ? true_gap_mm(bodies.pieces[index(pair.piece)], q, pair.side)
             : closest_points(bodies, pair, q).psi_mm;
}

/// True when the gap of a pair is `least_mm` or more, as the nearer of the jaw's edges tells.
bool StepCheck::is_clear(const Pair& pair, const Configuration& q, double least_mm) const {
  const ContactBodies& bodies = part_.bodies();
  if (bodies.plain) {
    const BodyPiece& piece = bodies.pieces[index(pair.piece)];
    for (const JawFeature edge : {JawFeature::kInsideEdge, JawFeature::kTopEdge}) {
      if (edge_gap_mm(piece, q, pair.side, edge) >= least_mm) return true;
    }
  }
  return exact_gap_mm(pair, q) >= least_mm;
}

/// True for a contact that cannot have closed, and for one at a jaw's edge whose gap along the
/// normal there, a lower bound of it, is large enough; psi_mm becomes that if it was less.
bool StepCheck::is_apart(std::size_t i, const Iterate& end, double& psi_mm) const {
  if (!part_.bodies().plain) return false;
  if (end.at.closest[i].normal == Vec2::Zero()) return true;
  const JawFeature feature = end.at.closest[i].feature;
  if (feature == JawFeature::kVertex) return false;
  const Pair& pair = equations_.pairs().pair[i];
  const BodyPiece& piece = part_.pieces()[index(pair.piece)];
  const double along_edge_mm = edge_gap_mm(piece, end.at.q, pair.side, feature);
  if (along_edge_mm < tolerances::kExactGapMm) return false;
  psi_mm = std::max(psi_mm, along_edge_mm);
  return true;
}

/// The gap at a tracked point is that of the whole piece, apart from its misalignment: no point of
/// the piece is further out by more than the sine times its width.
double StepCheck::smallest_gap_mm(const Iterate& end) const {
  double smallest = std::numeric_limits<double>::infinity();
  // A contact that is followed far may lie on the wrong side of a thin piece.
  const bool far = !may_not_jump(moved_mm_);
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    if (end.at.met[i]) continue;
    const Pair pair = equations_.pair_at(i, end.x);
    const BodyPiece& piece = part_.pieces()[index(pair.piece)];
    const double width = 2.0 * piece.bounding_radius_mm;
    double psi = end.at.closest[i].psi_mm - width * std::abs(end.at.misalignment[i]);
    const bool behind = part_.bodies().plain && is_behind(end.at.closest[i], pair.side);
    const bool in_doubt = far || psi < tolerances::kExactGapMm || behind;
    if (in_doubt && !is_apart(i, end, psi)) {
      const double exact = exact_gap_mm(pair, end.at.q);
      if (psi < tolerances::kExactGapMm || exact < tolerances::kGapMm) psi = exact;
    }
    smallest = std::min(smallest, psi);
  }
  return smallest;
}

/// Superellipses lose no contact with quarter-planes in a short step, and in a long one
/// smallest_gap_mm has looked at the true gaps of all its pairs.
bool StepCheck::has_lost_contact(const Iterate& end) const {
  if (part_.bodies().plain && (may_not_jump(moved_mm_) || selection_.has_all(moved_mm_))) {
    return false;
  }
  return overlaps_deeply(*trial_.scenario, part_, end.at.q, tolerances::kLostOverlapMm);
}

bool StepCheck::gains_energy(const State& end) const {
  const Gripper& gripper = trial_.scenario->gripper;
  const StepData& data = equations_.data();
  const State& start = data.start;
  const auto change = [](double after, double before) { return after * after - before * before; };
  double gain = gripper.jaw_mass_kg * (change(end.jaw_right_mm_s, start.jaw_right_mm_s) +
                                       change(end.jaw_left_mm_s, start.jaw_left_mm_s));
  for (int k = 0; k < 3; ++k) {
    gain += data.inertia[k] * change(end.part_velocity[k], start.part_velocity[k]);
  }
  const double closed_mm =
      start.jaw_right_mm - start.jaw_left_mm - (end.jaw_right_mm - end.jaw_left_mm);
  const double allowed_mm = closed_mm + tolerances::kMostEnergyGain * gripper.opening_mm;
  return 0.5 * gain > 1000.0 * gripper.closing_force_n * allowed_mm;
}

}  // namespace graspmap
