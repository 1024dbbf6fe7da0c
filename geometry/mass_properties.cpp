#include "geometry/mass_properties.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/tolerances.hpp"
#include "geometry/union_boundary.hpp"

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

// The boundary of a piece in lengths of `unit` from an origin.
struct ScaledBoundary {
  const Piece& piece;
  Vec2 origin;
  double unit;

  // Green's theorem: if phi is homogeneous of degree k, then div(phi x) = (k + 2) phi, hence
  // integral of phi dA = boundary integral of phi(x) / (k + 2) * (x cross dx/dt) dt.
  Moments integrand(double t) const {
    const BoundaryPoint point = boundary_point(piece.shape, t);
    const Vec2 x = (transform(piece.pose, point.position_mm) - origin) / unit;
    const Vec2 dx = Rotation2(piece.pose.angle_rad) * point.tangent_mm / unit;
    const double r = x.norm();
    return cross(x, dx) * Moments{1.0 / 2.0, x.x() / 3.0, x.y() / 3.0, r * r / 4.0, r / 3.0};
  }
};

// Ten-point Gauss-Legendre quadrature over [begin, end].
Moments gauss_legendre(const ScaledBoundary& boundary, double begin, double end) {
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
Moments adaptive_quadrature(const ScaledBoundary& boundary, double begin, double end,
                            const Moments& whole, int halvings_left) {
  const double middle = 0.5 * (begin + end);
  const Moments left = gauss_legendre(boundary, begin, middle);
  const Moments right = gauss_legendre(boundary, middle, end);
  const double change = (left + right - whole).cwiseAbs().maxCoeff();
  if (change <= tolerances::kQuadratureChange || halvings_left == 0) return left + right;
  return adaptive_quadrature(boundary, begin, middle, left, halvings_left - 1) +
         adaptive_quadrature(boundary, middle, end, right, halvings_left - 1);
}

// One arc. The panels start at multiples of pi/4: on the axes |x|^e need not be smooth, and the
// curvature for large e concentrates half-way between.
Moments arc_moments(const ScaledBoundary& boundary, const BoundaryArc& arc) {
  constexpr double kPanel = std::numbers::pi / 4.0;
  Moments sum = Moments::Zero();
  for (int k = 0; k < 8; ++k) {
    const double begin = std::max(arc.begin, kPanel * k);
    const double end = std::min(arc.end, kPanel * (k + 1));
    if (begin >= end) continue;
    const Moments whole = gauss_legendre(boundary, begin, end);
    sum += adaptive_quadrature(boundary, begin, end, whole, tolerances::kQuadratureHalvings);
  }
  return sum;
}

Moments moments_about(const Part& part, const Vec2& origin_P) {
  const double unit = bounding_radius_mm(part, origin_P);
  Moments sum = Moments::Zero();
  for (const BoundaryArc& arc : union_boundary(part)) {
    sum += arc_moments({part.pieces[arc.piece], origin_P, unit}, arc);
  }
  return sum.cwiseProduct(unit_of_moments(unit));
}

// A point among the pieces: moments about it suffer little cancellation.
Vec2 mean_of_piece_centers(const Part& part) {
  Vec2 sum = Vec2::Zero();
  for (const Piece& piece : part.pieces) sum += piece.pose.position_mm;
  return sum / static_cast<double>(part.pieces.size());
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

}  // namespace graspmap
