#include "grasp/base/drawings/curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

using tolerances::kBiarcHalvings;
using tolerances::kBiarcNudge;
using tolerances::kBiarcSamples;
using tolerances::kBiarcShare;
using tolerances::kLeastBulge;

/// Parameters from..to of a curve, and the arcs in place of it.
struct FittedStretch {
  double from = 0.0;
  double to = 0.0;
  std::array<OutlineCurve, 2> arcs;
  std::array<double, 2> bulges{};
  std::size_t count = 0;  ///< of arcs: 1 for a straight stretch
  double error_mm = std::numeric_limits<double>::infinity();
};

/// The unit tangent at one end of a stretch, with a chord: where the derivative vanishes, that of a
/// point close by.
Vec2 unit_tangent(const ParametricCurve& curve, double at, double other, const Vec2& chord) {
  const Vec2 derivative = curve.derivative(at);
  const double typical = chord.norm() / std::abs(other - at);
  if (derivative.norm() > kBiarcNudge * typical) return derivative.normalized();
  const Vec2 inside = curve.derivative(at + kBiarcNudge * (other - at));
  return inside.norm() > 0.0 ? inside.normalized() : chord.normalized();
}

/// The bulge of the arc with a chord and the tangent at its begin.
double bulge_from(const Vec2& tangent, const Vec2& chord) {
  const double half_turn = elementary::atan2(cross(tangent, chord), tangent.dot(chord));
  const double bulge = elementary::tan(0.5 * half_turn);
  return std::abs(bulge) < kLeastBulge ? 0.0 : bulge;
}

double distance_from(const OutlineCurve& arc, const Vec2& point) {
  const double to_ends = std::min((point - arc.begin_mm).norm(), (point - arc.end_mm).norm());
  if (!arc.is_arc()) {
    const Vec2 chord = arc.end_mm - arc.begin_mm;
    const double along = (point - arc.begin_mm).dot(chord);
    if (along <= 0.0 || along >= chord.squaredNorm()) return to_ends;
    return std::abs(cross(chord, point - arc.begin_mm)) / chord.norm();
  }
  // The turn from the begin to the point's direction, in the sense of the arc.
  const Vec2 spoke = point - arc.center_mm;
  const Vec2 first = arc.begin_mm - arc.center_mm;
  const double sense = arc.turn_rad > 0.0 ? 1.0 : -1.0;
  double turn = sense * elementary::atan2(cross(first, spoke), first.dot(spoke));
  if (turn < 0.0) turn += 2.0 * M_PI;
  if (turn > std::abs(arc.turn_rad)) return to_ends;
  return std::abs(spoke.norm() - arc.radius_mm);
}

double sampled_error(const ParametricCurve& curve, const FittedStretch& stretch) {
  double error = 0.0;
  for (int k = 1; k < kBiarcSamples; ++k) {
    const double t = stretch.from + (stretch.to - stretch.from) * k / kBiarcSamples;
    const Vec2 point = curve.point_mm(t);
    double distance = distance_from(stretch.arcs[0], point);
    if (stretch.count == 2) distance = std::min(distance, distance_from(stretch.arcs[1], point));
    error = std::max(error, distance);
  }
  return error;
}

/// The arms of the biarc between two points with two unit tangents whose lengths are equal; none
/// when it would turn back.
std::optional<double> equal_arms(const Vec2& chord, const Vec2& begin, const Vec2& end) {
  const double along = chord.dot(begin + end);
  const double spread = 2.0 * (1.0 - begin.dot(end));
  const double divisor = along + std::sqrt(along * along + spread * chord.squaredNorm());
  if (!(divisor > chord.norm() * 0.5)) return std::nullopt;
  return chord.squaredNorm() / divisor;
}

void add_arc(FittedStretch& stretch, const Vec2& begin, const Vec2& end, double bulge) {
  stretch.bulges[stretch.count] = bulge;
  stretch.arcs[stretch.count] = outline_curve(begin, end, bulge);
  ++stretch.count;
}

/// The biarc of a stretch; its error is infinite where it has none.
FittedStretch fitted(const ParametricCurve& curve, double from, double to) {
  FittedStretch stretch;
  stretch.from = from;
  stretch.to = to;
  const Vec2 p = curve.point_mm(from);
  const Vec2 q = curve.point_mm(to);
  const Vec2 chord = q - p;
  if (!(chord.norm() > 0.0)) return stretch;
  const Vec2 t_p = unit_tangent(curve, from, to, chord);
  const Vec2 t_q = unit_tangent(curve, to, from, chord);
  const std::optional<double> arm = equal_arms(chord, t_p, t_q);
  if (!arm) return stretch;
  const Vec2 joint = 0.5 * (p + *arm * t_p + q - *arm * t_q);
  const double first = bulge_from(t_p, joint - p);
  const double last = -bulge_from(-t_q, joint - q);
  if (first == 0.0 && last == 0.0) {
    add_arc(stretch, p, q, 0.0);
  } else {
    add_arc(stretch, p, joint, first);
    add_arc(stretch, joint, q, last);
  }
  stretch.error_mm = sampled_error(curve, stretch);
  return stretch;
}

/// A stretch that is shorter than the tolerance, by its chord: where the curve turns back.
FittedStretch chord_of(const ParametricCurve& curve, double from, double to) {
  FittedStretch stretch;
  stretch.from = from;
  stretch.to = to;
  add_arc(stretch, curve.point_mm(from), curve.point_mm(to), 0.0);
  stretch.error_mm = sampled_error(curve, stretch);
  return stretch;
}

/// Halves a stretch until each part is within the tolerance.
void halve(const ParametricCurve& curve, double from, double to, double tolerance, int halvings,
           std::vector<FittedStretch>& parts) {
  FittedStretch whole = fitted(curve, from, to);
  if (whole.error_mm > tolerance && halvings == 0) whole = chord_of(curve, from, to);
  if (whole.error_mm <= tolerance || halvings == 0) {
    parts.push_back(whole);
    return;
  }
  const double middle = 0.5 * (from + to);
  halve(curve, from, middle, tolerance, halvings - 1, parts);
  halve(curve, middle, to, tolerance, halvings - 1, parts);
}

/// The parameters that give each of n parts the same share of the error, which grows with the third
/// power of a part's length.
std::vector<double> even_cuts(const std::vector<FittedStretch>& parts, std::size_t n) {
  std::vector<double> sums{0.0};
  for (const FittedStretch& part : parts)
    sums.push_back(sums.back() + elementary::cbrt(part.error_mm));
  std::vector<double> cuts{parts.front().from};
  std::size_t at = 0;
  for (std::size_t k = 1; k < n; ++k) {
    const double wanted = sums.back() * static_cast<double>(k) / static_cast<double>(n);
    while (at + 1 < parts.size() && sums[at + 1] < wanted) ++at;
    const double share = (wanted - sums[at]) / (sums[at + 1] - sums[at]);
    cuts.push_back(parts[at].from + share * (parts[at].to - parts[at].from));
  }
  cuts.push_back(parts.back().to);
  return cuts;
}

/// n stretches within the tolerance; none when one is not.
std::optional<std::vector<FittedStretch>> evenly(const ParametricCurve& curve,
                                                 const std::vector<FittedStretch>& parts,
                                                 std::size_t n, double tolerance) {
  std::vector<FittedStretch> found;
  const std::vector<double> cuts = even_cuts(parts, n);
  for (std::size_t k = 0; k < n; ++k) {
    if (!(cuts[k] < cuts[k + 1])) return std::nullopt;
    found.push_back(fitted(curve, cuts[k], cuts[k + 1]));
    if (!(found.back().error_mm <= tolerance)) return std::nullopt;
  }
  return found;
}

/// The fewest stretches that share the error evenly; those of halving when these are no more.
std::vector<FittedStretch> fewest(const ParametricCurve& curve, std::vector<FittedStretch> halved,
                                  double tolerance) {
  double sum = 0.0;
  for (const FittedStretch& part : halved) sum += elementary::cbrt(part.error_mm);
  const auto least = static_cast<std::size_t>(sum / elementary::cbrt(tolerance));
  for (std::size_t n = std::max<std::size_t>(least, 1); n < halved.size(); n += 1 + n / 16) {
    if (auto found = evenly(curve, halved, n, tolerance)) return *found;
  }
  return halved;
}

}  // namespace

ArcChain biarcs(const ParametricCurve& curve, double tolerance_mm) {
  GRASPMAP_CHECK(tolerance_mm > 0.0 && curve.begin < curve.end);
  const double tolerance = kBiarcShare * tolerance_mm;
  std::vector<FittedStretch> parts;
  halve(curve, curve.begin, curve.end, tolerance, kBiarcHalvings, parts);
  ArcChain chain;
  chain.end_mm = curve.point_mm(curve.end);
  for (const FittedStretch& part : fewest(curve, std::move(parts), tolerance)) {
    for (std::size_t k = 0; k < part.count; ++k) {
      chain.elements.push_back({part.arcs[k].begin_mm, part.bulges[k], ""});
    }
    chain.error_mm = std::max(chain.error_mm, part.error_mm);
  }
  return chain;
}

namespace {

/// Longer pieces take longer than their share to fit.
constexpr int kMostSpansOfPiece = 16;

/// A point in homogeneous coordinates, and its derivative.
struct Homogeneous {
  Vec3 value;
  Vec3 derivative;
};

/// The k with knots[k] <= t < knots[k + 1], for t within the spline's range and before its end.
std::size_t span_of(const Nurbs& spline, double t) {
  const auto first = spline.knots.begin() + spline.degree + 1;
  const auto above = std::upper_bound(first, spline.knots.end() - spline.degree - 1, t);
  return static_cast<std::size_t>(above - spline.knots.begin()) - 1;
}

/// De Boor's algorithm in a span; the derivative comes from the last step.
Homogeneous de_boor(const Nurbs& spline, std::size_t span, double t) {
  const auto p = static_cast<std::size_t>(spline.degree);
  std::vector<Vec3> d(p + 1);
  for (std::size_t j = 0; j <= p; ++j) {
    const std::size_t at = span - p + j;
    const double w = spline.weights.empty() ? 1.0 : spline.weights[at];
    d[j] = Vec3(w * spline.points[at].x(), w * spline.points[at].y(), w);
  }
  Homogeneous point{Vec3::Zero(), Vec3::Zero()};
  for (std::size_t r = 1; r <= p; ++r) {
    if (r == p) {
      const double width = spline.knots[span + 1] - spline.knots[span];
      point.derivative = static_cast<double>(p) / width * (d[p] - d[p - 1]);
    }
    for (std::size_t j = p; j >= r; --j) {
      const double from = spline.knots[span - p + j];
      const double to = spline.knots[span + 1 + j - r];
      const double share = (t - from) / (to - from);
      d[j] = (1.0 - share) * d[j - 1] + share * d[j];
    }
  }
  point.value = d[p];
  return point;
}

Vec2 point_of(const Homogeneous& h) { return h.value.head<2>() / h.value.z(); }

Vec2 derivative_of(const Homogeneous& h) {
  return (h.derivative.head<2>() - point_of(h) * h.derivative.z()) / h.value.z();
}

/// The different knots of the spline's range, at each of which a piece must end or may.
struct Break {
  double t = 0.0;
  bool is_kink = false;
};

std::vector<Break> breaks(const Nurbs& spline) {
  const auto p = static_cast<std::size_t>(spline.degree);
  const std::size_t end = spline.knots.size() - p - 1;
  std::vector<Break> found{{spline.knots[p], true}};
  for (std::size_t k = p + 1; k <= end;) {
    std::size_t next = k;
    while (next < spline.knots.size() && spline.knots[next] == spline.knots[k]) ++next;
    if (spline.knots[k] > found.back().t) found.push_back({spline.knots[k], next - k >= p});
    k = next;
  }
  return found;
}

ParametricCurve piece(const std::shared_ptr<const Nurbs>& spline, double begin, double end) {
  const auto at = [spline, begin, end](double t) {
    // Where two pieces meet, the tangent is that of this piece.
    const double inside = t >= end ? std::nextafter(end, begin) : t;
    return de_boor(*spline, span_of(*spline, inside), t);
  };
  return {begin, end, [at](double t) { return point_of(at(t)); },
          [at](double t) { return derivative_of(at(t)); }};
}

}  // namespace

std::vector<ParametricCurve> smooth_pieces(const Nurbs& spline) {
  GRASPMAP_CHECK(spline.knots.size() ==
                 spline.points.size() + static_cast<std::size_t>(spline.degree) + 1);
  GRASPMAP_CHECK(spline.weights.empty() || spline.weights.size() == spline.points.size());
  const auto shared = std::make_shared<const Nurbs>(spline);
  const std::vector<Break> all = breaks(spline);
  std::vector<ParametricCurve> pieces;
  std::size_t first = 0;
  for (std::size_t k = 1; k < all.size(); ++k) {
    const bool ends = all[k].is_kink || k + 1 == all.size() || k - first >= kMostSpansOfPiece;
    if (!ends) continue;
    pieces.push_back(piece(shared, all[first].t, all[k].t));
    first = k;
  }
  return pieces;
}

}  // namespace graspmap
