#include "grasp/base/drawings/curves.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace graspmap {
namespace {

ParametricCurve ellipse(double a, double b, double begin, double end) {
  return {begin, end, [=](double t) { return Vec2(a * std::cos(t), b * std::sin(t)); },
          [=](double t) { return Vec2(-a * std::sin(t), b * std::cos(t)); }};
}

/// A cubic Bezier curve.
ParametricCurve cubic(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const auto point = [=](double t) {
    const double s = 1.0 - t;
    return Vec2(s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d);
  };
  const auto derivative = [=](double t) {
    const double s = 1.0 - t;
    return Vec2(3 * s * s * (b - a) + 6 * s * t * (c - b) + 3 * t * t * (d - c));
  };
  return {0.0, 1.0, point, derivative};
}

std::vector<OutlineCurve> arcs(const ArcChain& chain) {
  std::vector<OutlineCurve> curves;
  for (std::size_t k = 0; k < chain.elements.size(); ++k) {
    const Vec2& end = k + 1 < chain.elements.size() ? chain.elements[k + 1].begin_mm : chain.end_mm;
    curves.push_back(outline_curve(chain.elements[k].begin_mm, end, chain.elements[k].bulge));
  }
  return curves;
}

/// The distance of a point from many others.
double distance(const Vec2& point, const std::vector<Vec2>& points) {
  double least = 1e300;
  for (const Vec2& other : points) least = std::min(least, (point - other).norm());
  return least;
}

/// The largest distance of a point of one set from the other set, both ways.
double apart(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  double largest = 0.0;
  for (const Vec2& point : a) largest = std::max(largest, distance(point, b));
  for (const Vec2& point : b) largest = std::max(largest, distance(point, a));
  return largest;
}

/// Tangents that agree within `slack_rad` at the joints and at both ends.
void check_tangents(const ParametricCurve& curve, const ArcChain& chain, double slack_rad) {
  const std::vector<OutlineCurve> curves = arcs(chain);
  for (std::size_t k = 0; k + 1 < curves.size(); ++k) {
    CHECK(std::abs(cross(tangent_at(curves[k], 1), tangent_at(curves[k + 1], 0))) < slack_rad);
    CHECK(tangent_at(curves[k], 1).dot(tangent_at(curves[k + 1], 0)) > 0.9);
  }
  const Vec2 first = curve.derivative(curve.begin).normalized();
  const Vec2 last = curve.derivative(curve.end).normalized();
  CHECK((tangent_at(curves.front(), 0) - first).norm() < slack_rad);
  CHECK((tangent_at(curves.back(), 1) - last).norm() < slack_rad);
}

/// The chain against 4000 points of the curve.
void check_error(const ParametricCurve& curve, const ArcChain& chain, double tolerance_mm) {
  std::vector<Vec2> exact;
  const int points = 4000;
  for (int k = 0; k <= points; ++k) {
    exact.push_back(curve.point_mm(curve.begin + (curve.end - curve.begin) * k / points));
  }
  double length = 0.0;
  double spacing = 0.0;
  for (std::size_t k = 1; k < exact.size(); ++k) {
    length += (exact[k] - exact[k - 1]).norm();
    spacing = std::max(spacing, (exact[k] - exact[k - 1]).norm());
  }
  std::vector<Vec2> drawn;
  for (const OutlineCurve& arc : arcs(chain)) {
    const int steps = 1 + static_cast<int>(points * arc.length_mm() / length);
    for (int k = 0; k <= steps; ++k) drawn.push_back(point_at(arc, static_cast<double>(k) / steps));
  }
  // The distance from a curve to the nearest of points that are h apart is off by h / 2 at most,
  // and far less where they lie close.
  const double found = apart(exact, drawn);
  CHECK(chain.error_mm <= tolerance_mm);
  CHECK(found <= std::hypot(tolerance_mm, spacing));
  CHECK(found >= 0.9 * chain.error_mm);
}

TEST_CASE("a circle's arc becomes arcs of that circle") {
  const ArcChain chain = biarcs(ellipse(10, 10, 0.3, 1.9), 0.005);
  REQUIRE(chain.elements.size() == 2);
  CHECK(chain.error_mm < 1e-13);
  for (const OutlineCurve& arc : arcs(chain)) {
    CHECK(arc.radius_mm == Approx(10).epsilon(1e-12));
    CHECK(arc.center_mm.norm() < 1e-11);
    CHECK(arc.turn_rad == Approx(0.8).epsilon(1e-12));
  }
}

TEST_CASE("a straight curve becomes one segment") {
  const ArcChain chain = biarcs(cubic({0, 0}, {1, 2}, {2, 4}, {5, 10}), 0.005);
  REQUIRE(chain.elements.size() == 1);
  CHECK(chain.elements[0].bulge == 0.0);
  CHECK(chain.elements[0].begin_mm == Vec2(0, 0));
  CHECK(chain.end_mm == Vec2(5, 10));
}

TEST_CASE("biarcs stay within the tolerance, and keep tangents") {
  const std::vector<ParametricCurve> curves = {
      ellipse(20, 7, 0, M_PI / 2),
      ellipse(20, 1, 0, M_PI / 2),
      ellipse(20, 15, 0.2, 5.9),
      cubic({0, 0}, {0, 8}, {10, 8}, {10, 0}),
      cubic({0, 0}, {9, 10}, {1, 10}, {10, 0}),   // close to a cusp
      cubic({0, 0}, {30, 5}, {-20, 5}, {10, 0}),  // with a loop
      cubic({0, 0}, {10, 0}, {0, 10}, {10, 10}),  // with an inflection
  };
  for (const double tolerance_mm : {0.1, 0.005, 0.0005}) {
    for (const ParametricCurve& curve : curves) {
      const ArcChain chain = biarcs(curve, tolerance_mm);
      check_tangents(curve, chain, 1e-8);
      if (tolerance_mm > 0.001) check_error(curve, chain, tolerance_mm);
    }
  }
}

TEST_CASE("the number of biarcs grows with the cube root of the accuracy") {
  const ParametricCurve curve = ellipse(20, 7, 0, M_PI / 2);
  const std::size_t coarse = biarcs(curve, 1e-2).elements.size();
  const std::size_t fine = biarcs(curve, 1e-5).elements.size();
  CHECK(fine >= 7 * coarse);
  CHECK(fine <= 13 * coarse);
}

TEST_CASE("biarcs of a symmetric curve are symmetric") {
  const ArcChain chain = biarcs(cubic({-10, 0}, {-6, 8}, {6, 8}, {10, 0}), 0.005);
  const std::vector<OutlineCurve> curves = arcs(chain);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const OutlineCurve& image = curves[curves.size() - 1 - k];
    CHECK((curves[k].begin_mm - Vec2(-image.end_mm.x(), image.end_mm.y())).norm() < 1e-9);
  }
}

TEST_CASE("a curve that turns back, or starts without a derivative, is within the tolerance") {
  // A cusp at t = 1/2: the derivative vanishes there.
  const ParametricCurve cusp = cubic({0, 0}, {10, 10}, {0, 10}, {10, 0});
  check_error(cusp, biarcs(cusp, 0.005), 0.005);
  const ParametricCurve still = cubic({0, 0}, {0, 0}, {5, 9}, {10, 0});
  const ArcChain chain = biarcs(still, 0.005);
  check_error(still, chain, 0.005);
  CHECK((tangent_at(arcs(chain).front(), 0) - Vec2(5, 9).normalized()).norm() < 1e-5);
}

}  // namespace
}  // namespace graspmap
