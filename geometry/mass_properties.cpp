#include "geometry/mass_properties.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry/boundary_cover.hpp"
#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

// Integrals over the union, with x measured from an origin: of 1, x, y, |x|^2 and |x|.
using Moments = Eigen::Matrix<double, 5, 1>;
enum : Eigen::Index { kArea, kFirstX, kFirstY, kPolar, kRadial };

// The factor of each moment when lengths are multiplied by `length`.
Moments unit_of_moments(double length) {
  const double area = length * length;
  return {area, area * length, area * length, area * area, area * length};
}

// A boundary in lengths of `unit` from an origin. `curve` is a function of the parameter t: the
// point x(t) of P and dx/dt.
template <typename Curve>
struct ScaledBoundary {
  const Curve& curve;
  Vec2 origin;
  double unit;

  // Green's theorem: if phi is homogeneous of degree k, then div(phi x) = (k + 2) phi, hence
  // integral of phi dA = boundary integral of phi(x) / (k + 2) * (x cross dx/dt) dt.
  Moments integrand(double t) const {
    const auto [position, tangent] = curve(t);
    const Vec2 x = (position - origin) / unit;
    const Vec2 dx = tangent / unit;
    const double r = x.norm();
    return cross(x, dx) * Moments{1.0 / 2.0, x.x() / 3.0, x.y() / 3.0, r * r / 4.0, r / 3.0};
  }
};

// Ten-point Gauss-Legendre quadrature over [begin, end].
template <typename Curve>
Moments gauss_legendre(const ScaledBoundary<Curve>& boundary, double begin, double end) {
  constexpr std::array<double, 5> kNodes = {0.1488743389816312, 0.4333953941292472,
                                            0.6794095682990244, 0.8650633666889845,
                                            0.9739065285171717};
  constexpr std::array<double, 5> kWeights = {0.2955242247147529, 0.2692667193099963,
                                              0.2190863625159820, 0.1494513491505806,
                                              0.0666713443086881};
  const double middle = 0.5 * (begin + end);
  const double half = 0.5 * (end - begin);
  Moments sum = Moments::Zero();
  for (std::size_t i = 0; i < kNodes.size(); ++i) {
    const double offset = half * kNodes[i];
    sum +=
        kWeights[i] * (boundary.integrand(middle - offset) + boundary.integrand(middle + offset));
  }
  return half * sum;
}

// Quadrature over [begin, end], halved until the halves agree with the whole. `whole` is the
// quadrature over the undivided panel.
template <typename Curve>
Moments adaptive_quadrature(const ScaledBoundary<Curve>& boundary, double begin, double end,
                            const Moments& whole, int halvings_left) {
  const double middle = 0.5 * (begin + end);
  const Moments left = gauss_legendre(boundary, begin, middle);
  const Moments right = gauss_legendre(boundary, middle, end);
  const double change = (left + right - whole).cwiseAbs().maxCoeff();
  if (change <= tolerances::kQuadratureChange || halvings_left == 0) return left + right;
  return adaptive_quadrature(boundary, begin, middle, left, halvings_left - 1) +
         adaptive_quadrature(boundary, middle, end, right, halvings_left - 1);
}

template <typename Curve>
Moments panel_moments(const ScaledBoundary<Curve>& boundary, double begin, double end) {
  if (begin >= end) return Moments::Zero();
  const Moments whole = gauss_legendre(boundary, begin, end);
  return adaptive_quadrature(boundary, begin, end, whole, tolerances::kQuadratureHalvings);
}

// One arc of a superellipse. The panels start at multiples of pi/4: on the axes |x|^e need not be
// smooth, and the curvature for large e concentrates half-way between.
Moments arc_moments(const Piece& piece, const BoundaryArc& arc, const Vec2& origin_P, double unit) {
  constexpr double kPanel = std::numbers::pi / 4.0;
  const auto curve = [&](double t) {
    const BoundaryPoint point = boundary_point(piece.shape, t);
    return std::pair<Vec2, Vec2>{transform(piece.pose, point.position_mm),
                                 Rotation2(piece.pose.angle_rad) * point.tangent_mm};
  };
  Moments sum = Moments::Zero();
  for (int k = 0; k < 8; ++k) {
    sum += panel_moments(ScaledBoundary<decltype(curve)>{curve, origin_P, unit},
                         std::max(arc.begin, kPanel * k), std::min(arc.end, kPanel * (k + 1)));
  }
  return sum;
}

// The curve with all its points moved.
OutlineCurve shifted(OutlineCurve curve, const Vec2& by_mm) {
  curve.begin_mm += by_mm;
  curve.end_mm += by_mm;
  curve.center_mm += by_mm;
  return curve;
}

// One segment or arc of an outline, measured from the origin before anything else: rounding errors
// of points far from their axes would keep the panels being halved. The panels start where it is
// closest to the origin: |x| is not smooth there when it passes through.
Moments element_moments(const OutlinePiece& piece, const BoundaryArc& arc, const Vec2& origin_P,
                        double unit) {
  const OutlineCurve element =
      shifted(element_of(piece.outline, arc), -inverse_transform(piece.pose, origin_P));
  const Rotation2 rotation(piece.pose.angle_rad);
  const auto curve = [&](double s) {
    return std::pair<Vec2, Vec2>{rotation * point_at(element, s),
                                 rotation * (element.length_mm() * tangent_at(element, s))};
  };
  const double closest = std::clamp(closest_share(element, Vec2(0, 0)), arc.begin, arc.end);
  const ScaledBoundary<decltype(curve)> boundary{curve, Vec2(0, 0), unit};
  return panel_moments(boundary, arc.begin, closest) + panel_moments(boundary, closest, arc.end);
}

Moments moments_about(const Part& part, const Vec2& origin_P) {
  const double unit = bounding_radius_mm(part, origin_P);
  const std::size_t n = part.pieces.size();
  Moments sum = Moments::Zero();
  for (const BoundaryArc& arc : union_boundary(part)) {
    sum += arc.piece < n ? arc_moments(part.pieces[arc.piece], arc, origin_P, unit)
                         : element_moments(part.outlines[arc.piece - n], arc, origin_P, unit);
  }
  return sum.cwiseProduct(unit_of_moments(unit));
}

// A point among the pieces: moments about it suffer little cancellation.
Vec2 mean_of_piece_centers(const Part& part) {
  Vec2 sum = Vec2::Zero();
  for (const Piece& piece : part.pieces) sum += piece.pose.position_mm;
  for (const OutlinePiece& piece : part.outlines) {
    Eigen::AlignedBox2d box;
    for (const OutlineCurve& curve : outline_curves(piece.outline.outer)) box.extend(box_of(curve));
    sum += transform(piece.pose, box.center());
  }
  return sum / static_cast<double>(part.pieces.size() + part.outlines.size());
}

}  // namespace

AreaIntegrals area_integrals(const Part& part) {
  const Vec2 origin_P = mean_of_piece_centers(part);
  const Moments moments = moments_about(part, origin_P);
  AreaIntegrals result;
  result.area_mm2 = moments[kArea];
  const Vec2 shift = Vec2(moments[kFirstX], moments[kFirstY]) / moments[kArea];
  result.centroid_P_mm = origin_P + shift;
  result.polar_moment_mm4 = moments[kPolar] - moments[kArea] * shift.squaredNorm();
  return result;
}

MassProperties mass_properties(const Part& part, double density_kg_per_mm3, double thickness_mm) {
  const AreaIntegrals integrals = area_integrals(part);
  const double mass_per_area = density_kg_per_mm3 * thickness_mm;
  return {mass_per_area * integrals.area_mm2, integrals.centroid_P_mm,
          mass_per_area * integrals.polar_moment_mm4};
}

double mean_radius_mm(const Part& part, const Vec2& center_P_mm) {
  const Moments moments = moments_about(part, center_P_mm);
  return moments[kRadial] / moments[kArea];
}

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

namespace {

constexpr double kFullTurn = 2.0 * std::numbers::pi;

// The points at equal steps of the parameter, of which a whole turn would have `per_turn`.
template <typename Curve>
std::vector<Vec2> points_along(const BoundaryArc& arc, double turn_rad, int per_turn,
                               const Curve& point) {
  const int steps = 1 + static_cast<int>(per_turn * turn_rad / kFullTurn);
  std::vector<Vec2> points;
  for (int k = 0; k <= steps; ++k) {
    points.push_back(point(arc.begin + (arc.end - arc.begin) * k / steps));
  }
  return points;
}

}  // namespace

std::vector<Vec2> boundary_points(const Part& part, const BoundaryArc& arc, int per_turn) {
  if (arc.piece < part.pieces.size()) {
    const Piece& piece = part.pieces[arc.piece];
    return points_along(arc, arc.end - arc.begin, per_turn, [&](double t) {
      return transform(piece.pose, boundary_point(piece.shape, t).position_mm);
    });
  }
  const OutlinePiece& piece = part.outlines[arc.piece - part.pieces.size()];
  const OutlineCurve curve = element_of(piece.outline, arc);
  const double turn_rad = (arc.end - arc.begin) * std::abs(curve.turn_rad);
  return points_along(arc, turn_rad, per_turn,
                      [&](double s) { return transform(piece.pose, point_at(curve, s)); });
}

}  // namespace graspmap
