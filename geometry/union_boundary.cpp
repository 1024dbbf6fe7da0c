#include "geometry/union_boundary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry/boundary_cover.hpp"
#include "geometry/gauge.hpp"
#include "geometry/sign_changes.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

// The gauge of one piece along the boundary of another: negative where the first covers it.
struct GaugeAlong {
  const Piece& walked;
  const Piece& other;

  Vec2 position(double t) const {
    return transform(walked.pose, boundary_point(walked.shape, t).position_mm);
  }
  double operator()(double t) const { return gauge(other, position(t)); }
};

// The gauge of largest magnitude over an arc. A single point could be one where both boundaries
// touch; an arc along which all are small is one where they coincide.
double dominant_gauge(const GaugeAlong& along, const Stretch& arc) {
  constexpr int kPoints = tolerances::kArcPoints;
  double dominant = 0.0;
  for (int k = 0; k < kPoints; ++k) {
    const double g = along(arc.begin + (arc.end - arc.begin) * (k + 0.5) / kPoints);
    if (std::abs(g) > std::abs(dominant)) dominant = g;
  }
  return dominant;
}

// Appends the arcs between the given crossings that the other piece covers, within [0, 2 pi].
void append_covered(const GaugeAlong& along, std::vector<double> cuts, bool covered_on_tie,
                    std::vector<Stretch>& covered) {
  for (double& t : cuts) t -= kTwoPi * std::floor(t / kTwoPi);
  if (cuts.empty()) cuts.push_back(0.0);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const bool last = k + 1 == cuts.size();
    const double end = last ? cuts.front() + kTwoPi : cuts[k + 1];
    const double g = dominant_gauge(along, {cuts[k], end});
    if (std::abs(g) <= tolerances::kTieGauge ? !covered_on_tie : g > 0.0) continue;
    covered.push_back({cuts[k], last ? kTwoPi : end});
    if (last) covered.push_back({0.0, cuts.front()});
  }
}

// Both sides of a pair use the same crossing points: arcs that meet then do so to rounding, even
// where the boundaries are nearly tangent and the crossing itself is ill-conditioned.
void cover_each_other(const Piece& first, const Piece& second, std::vector<Stretch>& on_first,
                      std::vector<Stretch>& on_second) {
  const GaugeAlong along_first{first, second};
  const std::vector<double> cuts_first = sign_changes(along_first, sample_count(first.shape));
  std::vector<double> cuts_second;
  for (double t : cuts_first) {
    cuts_second.push_back(parameter_towards(second, along_first.position(t)));
  }
  append_covered(along_first, cuts_first, false, on_first);
  append_covered({second, first}, cuts_second, true, on_second);
}

// Appends what is left of a piece's whole arc.
void append_uncovered(const BoundaryArc& whole, std::vector<Stretch> covered,
                      std::vector<BoundaryArc>& arcs) {
  const auto append = [&](double begin, double end) {
    arcs.push_back({whole.piece, begin, end, whole.loop, whole.element});
  };
  std::sort(covered.begin(), covered.end(),
            [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
  double reached = whole.begin;
  for (const Stretch& stretch : covered) {
    if (stretch.begin > reached) append(reached, stretch.begin);
    reached = std::max(reached, stretch.end);
  }
  if (reached < whole.end) append(reached, whole.end);
}

}  // namespace

const OutlineLoop& outline_loop(const Outline& outline, std::size_t loop) {
  return loop == 0 ? outline.outer : outline.holes[loop - 1];
}

OutlineCurve element_of(const Outline& outline, const BoundaryArc& arc) {
  const OutlineLoop& loop = outline_loop(outline, arc.loop);
  const OutlineElement& element = loop[arc.element];
  const OutlineElement& next = loop[(arc.element + 1) % loop.size()];
  return outline_curve(element.begin_mm, next.begin_mm, element.bulge);
}

std::vector<BoundaryArc> piece_boundary(const Part& part, std::size_t piece) {
  if (piece < part.pieces.size()) return {{piece, 0.0, kTwoPi}};
  const Outline& outline = part.outlines[piece - part.pieces.size()].outline;
  std::vector<BoundaryArc> arcs;
  for (std::size_t loop = 0; loop <= outline.holes.size(); ++loop) {
    const std::size_t n = outline_loop(outline, loop).size();
    for (std::size_t k = 0; k < n; ++k) arcs.push_back({piece, 0.0, 1.0, loop, k});
  }
  return arcs;
}

std::vector<BoundaryArc> union_boundary(const Part& part) {
  const std::size_t n = part.pieces.size();
  std::vector<BoundaryArc> whole;
  for (std::size_t i = 0; i < n + part.outlines.size(); ++i) {
    for (const BoundaryArc& arc : piece_boundary(part, i)) whole.push_back(arc);
  }
  std::vector<std::vector<Stretch>> covered(whole.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      cover_each_other(part.pieces[i], part.pieces[j], covered[i], covered[j]);
    }
  }
  if (!part.outlines.empty()) append_covered_by_outlines(part, covered);
  std::vector<BoundaryArc> arcs;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    append_uncovered(whole[k], std::move(covered[k]), arcs);
  }
  return arcs;
}

}  // namespace graspmap
