#include "geometry/mass_properties.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry/assert.hpp"
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
      shifted(outline_curve(*loops_of(piece.outline)[arc.loop], arc.element),
              -inverse_transform(piece.pose, origin_P));
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
    sum += transform(piece.pose, box_of(piece.outline.outer).center());
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
  GRASPMAP_CHECK(density_kg_per_mm3 > 0.0 && thickness_mm > 0.0);
  const AreaIntegrals integrals = area_integrals(part);
  const double mass_per_area = density_kg_per_mm3 * thickness_mm;
  return {mass_per_area * integrals.area_mm2, integrals.centroid_P_mm,
          mass_per_area * integrals.polar_moment_mm4};
}

double mean_radius_mm(const Part& part, const Vec2& center_P_mm) {
  const Moments moments = moments_about(part, center_P_mm);
  return moments[kRadial] / moments[kArea];
}

}  // namespace graspmap
