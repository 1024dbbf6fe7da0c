#include "grasp/base/drawings/nurbs.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace graspmap {
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
