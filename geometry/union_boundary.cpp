#include "geometry/union_boundary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

struct Interval {
  double begin;
  double end;
};

// (|x/a|^e + |y/b|^e)^(1/e) - 1, the distance to the boundary in units of the piece's own size:
// unlike f it neither overflows far away nor flattens near the centre.
double gauge(const Piece& piece, const Vec2& x_P) {
  const double f = value(piece.shape, inverse_transform(piece.pose, x_P));
  return std::pow(f + 1.0, 1.0 / piece.shape.exponent) - 1.0;
}

// The gauge of one piece along the boundary of another: negative where the first covers it.
struct GaugeAlong {
  const Piece& walked;
  const Piece& other;

  Vec2 position(double t) const {
    return transform(walked.pose, boundary_point(walked.shape, t).position_mm);
  }
  double operator()(double t) const { return gauge(other, position(t)); }
  bool covered(double t) const { return (*this)(t) < 0.0; }
};

// Enough to resolve the corners of the walked piece.
int sample_count(const Superellipse& walked) {
  return std::max(tolerances::kLeastBoundarySamples,
                  static_cast<int>(std::ceil(tolerances::kSamplesPerExponent * walked.exponent)));
}

// The crossing between a covered and an uncovered parameter, by bisection to rounding.
double crossing_between(const GaugeAlong& along, double lo, double hi) {
  const bool covered_at_lo = along.covered(lo);
  while (true) {
    const double middle = 0.5 * (lo + hi);
    if (middle <= lo || middle >= hi) return middle;
    (along.covered(middle) == covered_at_lo ? lo : hi) = middle;
  }
}

// A parameter in (lo, hi) on the other side of the boundary than lo and hi, if the extremum of the
// gauge lies there: golden-section search, ended as soon as the side changes.
std::optional<double> dip_between(const GaugeAlong& along, double lo, double hi) {
  constexpr double kGolden = std::numbers::phi - 1.0;
  const bool covered_at_lo = along.covered(lo);
  const double sign = covered_at_lo ? -1.0 : 1.0;
  double t_a = hi - kGolden * (hi - lo);
  double t_b = lo + kGolden * (hi - lo);
  double g_a = along(t_a);
  double g_b = along(t_b);
  for (int i = 0; i < tolerances::kDipIterations; ++i) {
    if ((g_a < 0.0) != covered_at_lo) return t_a;
    if ((g_b < 0.0) != covered_at_lo) return t_b;
    if (sign * g_a < sign * g_b) {
      hi = std::exchange(t_b, t_a);
      g_b = g_a;
      t_a = hi - kGolden * (hi - lo);
      g_a = along(t_a);
    } else {
      lo = std::exchange(t_a, t_b);
      g_a = g_b;
      t_b = lo + kGolden * (hi - lo);
      g_b = along(t_b);
    }
  }
  return std::nullopt;
}

// The parameters on the walked boundary of all its crossings with the other piece's boundary: the
// sign changes between samples, and those hidden between samples around an extremum.
std::vector<double> crossings(const GaugeAlong& along) {
  const int n = sample_count(along.walked.shape);
  const auto parameter = [n](int k) { return kTwoPi * k / n; };
  std::vector<double> g;
  for (int k = 0; k < n; ++k) g.push_back(along(parameter(k)));
  const auto sample = [&](int k) { return g[static_cast<std::size_t>((k + n) % n)]; };
  const auto same_side = [&](int j, int k) { return (sample(j) < 0.0) == (sample(k) < 0.0); };

  std::vector<double> found;
  for (int k = 0; k < n; ++k) {
    if (!same_side(k, k + 1)) {
      found.push_back(crossing_between(along, parameter(k), parameter(k + 1)));
      continue;
    }
    const bool nearest = std::abs(sample(k)) <= std::abs(sample(k - 1)) &&
                         std::abs(sample(k)) < std::abs(sample(k + 1));
    if (!nearest || !same_side(k - 1, k)) continue;
    if (const auto dip = dip_between(along, parameter(k - 1), parameter(k + 1))) {
      found.push_back(crossing_between(along, parameter(k - 1), *dip));
      found.push_back(crossing_between(along, *dip, parameter(k + 1)));
    }
  }
  return found;
}

// The boundary parameter of the ray from the piece's centre through x.
double parameter_towards(const Piece& piece, const Vec2& x_P) {
  const Vec2 local = inverse_transform(piece.pose, x_P);
  return std::atan2(local.y() / piece.shape.b_mm, local.x() / piece.shape.a_mm);
}

// The gauge of largest magnitude over an arc. A single point could be one where both boundaries
// touch; an arc along which all are small is one where they coincide.
double dominant_gauge(const GaugeAlong& along, const Interval& arc) {
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
                    std::vector<Interval>& covered) {
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
void cover_each_other(const Piece& first, const Piece& second, std::vector<Interval>& on_first,
                      std::vector<Interval>& on_second) {
  const GaugeAlong along_first{first, second};
  const std::vector<double> cuts_first = crossings(along_first);
  std::vector<double> cuts_second;
  for (double t : cuts_first) {
    cuts_second.push_back(parameter_towards(second, along_first.position(t)));
  }
  append_covered(along_first, cuts_first, false, on_first);
  append_covered({second, first}, cuts_second, true, on_second);
}

// Appends what is left of a piece's whole arc.
void append_uncovered(const BoundaryArc& whole, std::vector<Interval> covered,
                      std::vector<BoundaryArc>& arcs) {
  const auto append = [&](double begin, double end) {
    arcs.push_back({whole.piece, begin, end, whole.loop, whole.element});
  };
  std::sort(covered.begin(), covered.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  double reached = whole.begin;
  for (const Interval& interval : covered) {
    if (interval.begin > reached) append(reached, interval.begin);
    reached = std::max(reached, interval.end);
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
  std::vector<std::vector<Interval>> covered(whole.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      cover_each_other(part.pieces[i], part.pieces[j], covered[i], covered[j]);
    }
  }
  std::vector<BoundaryArc> arcs;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    append_uncovered(whole[k], std::move(covered[k]), arcs);
  }
  return arcs;
}

}  // namespace graspmap
