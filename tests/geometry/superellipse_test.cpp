#include "geometry/superellipse.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "geometry/elementary/elementary.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/finite_differences.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/within.hpp"

namespace graspmap {
namespace {

using namespace testing;

using std::numbers::pi;

Vec2 direction(double angle) { return {elementary::cos(angle), elementary::sin(angle)}; }

// Parameters all around a boundary, none nearer than 0.01 to an axis, where |x|^e is not smooth.
std::vector<double> parameters_off_axes() {
  std::vector<double> parameters;
  for (int quadrant = -4; quadrant < 8; ++quadrant) {
    for (double t : {0.01, 0.1, 0.4, 0.7, pi / 4, 0.9, 1.2, 1.5, pi / 2 - 0.01}) {
      parameters.push_back(quadrant * pi / 2 + t);
    }
  }
  return parameters;
}

double distance_to_sampled_boundary(const Superellipse& shape, const Vec2& x) {
  const auto nearness = [&](double t) {
    return -(x - boundary_point(shape, t).position_mm).norm();
  };
  return -periodic_max(nearness, 720).value;
}

void check_same_point(const BoundaryPoint& actual, const BoundaryPoint& expected,
                      double tolerance) {
  CHECK((actual.position_mm - expected.position_mm).norm() <= tolerance);
  CHECK((actual.direction - expected.direction).norm() <= tolerance);
  CHECK(cross(actual.normal, expected.normal) == within(0.0, 30.0 * tolerance));
  CHECK(actual.normal.dot(expected.normal) > 0.0);
}

TEST_CASE("the implicit function follows its formula") {
  for (const Superellipse& shape : sample_shapes()) {
    const double a = shape.a_mm;
    const double b = shape.b_mm;
    CAPTURE(a, b, shape.exponent);
    CHECK(value(shape, Vec2(0, 0)) == -1.0);
    for (double sign : {-1.0, 1.0}) {
      CHECK(value(shape, Vec2(sign * a, 0)) == 0.0);
      CHECK(value(shape, Vec2(0, sign * b)) == 0.0);
      CHECK(value(shape, Vec2(sign * a, b)) == 1.0);
    }
    for (double angle = 0.05; angle < 6.3; angle += 0.3) {
      const Vec2 x = 2.0 * direction(angle);
      const double expected = std::pow(std::abs(x.x()) / a, shape.exponent) +
                              std::pow(std::abs(x.y()) / b, shape.exponent) - 1.0;
      CHECK(value(shape, x) == within(expected, 1e-13 * (1.0 + std::abs(expected))));
    }
  }
}

TEST_CASE("the derivatives of the implicit function agree with finite differences") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> magnitude(0.2, 1.5);
  for (const Superellipse& shape : sample_shapes()) {
    const double e = shape.exponent;
    CAPTURE(shape.a_mm, shape.b_mm, e);
    const auto f = [&](const Vec2& x) { return value(shape, x); };
    const auto grad_f = [&](const Vec2& x) { return gradient(shape, x); };
    for (int k = 0; k < 20; ++k) {
      const Vec2 x((k % 2 ? -1.0 : 1.0) * magnitude(random) * shape.a_mm,
                   (k % 4 < 2 ? -1.0 : 1.0) * magnitude(random) * shape.b_mm);
      const Vec2 g = gradient(shape, x);
      const Mat2 H = hessian(shape, x);
      CHECK((g - central_gradient(f, x, 1e-4)).norm() <= 1e-8 * (1.0 + g.norm()));
      CHECK((H - central_jacobian<2>(grad_f, x, 1e-4)).norm() <= 1e-8 * (1.0 + H.norm()));
    }
  }
}

TEST_CASE("the derivatives of the implicit function on the axes") {
  for (const Superellipse& shape : sample_shapes()) {
    const double e = shape.exponent;
    CAPTURE(shape.a_mm, shape.b_mm, e);
    const auto f = [&](const Vec2& x) { return value(shape, x); };
    const auto grad_f = [&](const Vec2& x) { return gradient(shape, x); };
    const double h = 1e-5;
    for (const Vec2& x : {Vec2(shape.a_mm, 0), Vec2(0, -shape.b_mm), Vec2(-0.5 * shape.a_mm, 0)}) {
      const Mat2 H = hessian(shape, x);
      CHECK((gradient(shape, x) - central_gradient(f, x, h)).norm() <= 1e-7);
      // Across an axis grad f is like |y|^(e-1): its difference quotient at 0 is of order h^(e-2).
      const double kink = e == 2.0 ? 0.0 : e * (e - 1.0) * std::pow(h, e - 2.0);
      CHECK((H - central_jacobian<2>(grad_f, x, h)).norm() <= kink + 1e-7 * (1.0 + H.norm()));
      const int across = x.x() == 0.0 ? 0 : 1;
      if (e > 2.0) CHECK(H(across, across) == 0.0);
    }
    CHECK(gradient(shape, Vec2(0, 0)) == Vec2(0, 0));
  }
  const Mat2 ellipse = hessian(Superellipse{2.0, 4.0, 2.0}, Vec2(0, 0));
  CHECK(ellipse == Mat2(Vec2(2.0 / 4.0, 2.0 / 16.0).asDiagonal()));
}

TEST_CASE("the bounding radius is the distance of the farthest boundary point") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    const auto radius = [&](double t) { return boundary_point(shape, t).position_mm.norm(); };
    CHECK(shape.bounding_radius_mm() == Approx(periodic_max(radius, 720).value).epsilon(1e-13));
  }
}

TEST_CASE("the support function is the extreme of the boundary") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    const double p = shape.exponent / (shape.exponent - 1.0);
    for (double angle = 0.07; angle < 6.3; angle += 0.35) {
      const Vec2 u = 1.7 * direction(angle);
      const double h = support_function(shape, u);
      const auto reach = [&](double t) { return u.dot(boundary_point(shape, t).position_mm); };
      CHECK(h == Approx(periodic_max(reach, 720).value).epsilon(1e-13));
      const double dual_norm = std::pow(
          std::pow(std::abs(shape.a_mm * u.x()), p) + std::pow(std::abs(shape.b_mm * u.y()), p),
          1.0 / p);
      CHECK(h == Approx(dual_norm).epsilon(1e-13));
      CHECK(u.dot(support_point(shape, u)) == Approx(h).epsilon(1e-14));
      CHECK(value(shape, support_point(shape, u)) == within(0.0, 1e-14 * shape.exponent));
    }
    CHECK(support_function(shape, Vec2(0, 0)) == 0.0);
  }
}

TEST_CASE("the support function on the axes is the semi-axis") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (double sign : {-1.0, 1.0}) {
      CHECK(support_function(shape, Vec2(sign, 0)) == shape.a_mm);
      CHECK(support_function(shape, Vec2(0, sign)) == shape.b_mm);
      CHECK(support_point(shape, Vec2(sign, 0)) == Vec2(sign * shape.a_mm, 0));
      CHECK(support_point(shape, Vec2(0, sign)) == Vec2(0, sign * shape.b_mm));
    }
  }
}

TEST_CASE("the support function is homogeneous for tiny and huge directions") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (double angle : {0.0, 1e-9, 0.3, 2.0, 4.0, 5.5}) {
      const Vec2 u = direction(angle);
      const double h = support_function(shape, u);
      for (double scale : {1e-150, 1e-9, 3.0, 1e9, 1e150}) {
        CHECK(support_function(shape, scale * u) / scale == Approx(h).epsilon(1e-14));
        const Vec2 point = support_point(shape, scale * u);
        CHECK((point - support_point(shape, u)).norm() <= 1e-13 * shape.bounding_radius_mm());
      }
    }
  }
}

TEST_CASE("the gradient of the support function is the support point") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    const auto h = [&](const Vec2& u) { return support_function(shape, u); };
    for (double angle : {0.3, 0.8, 1.3, 2.0, 2.6, 3.5, 4.0, 4.4, 5.2, 5.9}) {
      const Vec2 u = direction(angle);
      CHECK((support_point(shape, u) - central_gradient(h, u, 1e-4)).norm() <= 1e-7);
    }
  }
}

TEST_CASE("a boundary point lies on the boundary and on the ray at its parameter") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (double t = -7.0; t < 7.0; t += 0.19) {
      const BoundaryPoint point = boundary_point(shape, t);
      const Vec2 scaled(point.position_mm.x() / shape.a_mm, point.position_mm.y() / shape.b_mm);
      CHECK(point.direction == direction(t));
      CHECK(cross(direction(point.parameter()), direction(t)) == within(0.0, 1e-15));
      CHECK(value(shape, point.position_mm) == within(0.0, 1e-14 * shape.exponent));
      CHECK(cross(scaled, direction(t)) == within(0.0, 1e-15));
      CHECK(scaled.dot(direction(t)) > 0.0);
    }
  }
}

TEST_CASE("tangent, normal and turn of a boundary point are its derivatives") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    const double size = shape.bounding_radius_mm();
    const auto position = [&](double s) { return boundary_point(shape, s).position_mm; };
    const auto normal = [&](double s) { return boundary_point(shape, s).normal; };
    for (double t : parameters_off_axes()) {
      const BoundaryPoint point = boundary_point(shape, t);
      CHECK((point.tangent_mm - central_derivative(position, t, 1e-4)).norm() <= 1e-9 * size);
      const Vec2 turned = point.normal_turn * perp(point.normal);
      CHECK((turned - central_derivative(normal, t, 1e-4)).norm() <= 1e-7);
      CHECK(point.normal.norm() == within(1.0, 1e-15));
      CHECK(perp(point.normal).dot(point.tangent_mm) ==
            Approx(point.tangent_mm.norm()).epsilon(1e-14));
      const Vec2 g = gradient(shape, point.position_mm);
      CHECK((point.normal - g / g.norm()).norm() <= 1e-13);
    }
  }
}

// The curvature of f(x) = 0 is t . H t / |grad f|, with t the unit tangent.
double implicit_curvature(const Superellipse& shape, const Vec2& x) {
  const Vec2 g = gradient(shape, x);
  const Vec2 t = perp(g) / g.norm();
  return t.dot(hessian(shape, x) * t) / g.norm();
}

TEST_CASE("the curvature agrees with that of the implicit curve") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (double t : parameters_off_axes()) {
      const BoundaryPoint point = boundary_point(shape, t);
      const double expected = implicit_curvature(shape, point.position_mm);
      CHECK(point.curvature_per_mm == Approx(expected).epsilon(1e-12));
      CHECK(point.normal_turn ==
            Approx(point.curvature_per_mm * point.tangent_mm.norm()).epsilon(1e-13));
    }
  }
}

TEST_CASE("the axes cross the boundary in flat spots, except for ellipses") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    const BoundaryPoint at_a = support_boundary_point(shape, Vec2(1, 0));
    const BoundaryPoint at_b = support_boundary_point(shape, Vec2(0, -1));
    CHECK(at_a.normal == Vec2(1, 0));
    CHECK(at_b.normal == Vec2(0, -1));
    CHECK(at_a.tangent_mm.norm() == Approx(shape.b_mm).epsilon(1e-15));
    CHECK(at_b.tangent_mm.norm() == Approx(shape.a_mm).epsilon(1e-15));
    const bool flat = shape.exponent > 2.0;
    const double a = shape.a_mm;
    const double b = shape.b_mm;
    CHECK(at_a.curvature_per_mm == within(flat ? 0.0 : a / (b * b), 1e-15));
    CHECK(at_b.curvature_per_mm == within(flat ? 0.0 : b / (a * a), 1e-15));
    if (flat) CHECK(at_a.normal_turn == 0.0);
    if (flat) CHECK(at_b.normal_turn == 0.0);
  }
}

TEST_CASE("the support boundary point inverts the normal") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (double angle = -3.0; angle < 9.0; angle += 0.13) {
      const Vec2 u = 0.3 * direction(angle);
      const BoundaryPoint point =
          boundary_point(shape, support_boundary_point(shape, u).parameter());
      CHECK((point.normal - direction(angle)).norm() <= 1e-14 * shape.exponent);
      CHECK((point.position_mm - support_point(shape, u)).norm() <= 1e-13);
      check_same_point(support_boundary_point(shape, u), point, 1e-14);
      CHECK((support_direction(shape, u) - point.direction).norm() <= 1e-14);
    }
    for (double t : parameters_off_axes()) {
      const BoundaryPoint point = boundary_point(shape, t);
      if (point.normal_turn < 1e-3) continue;  // ill-conditioned: the normal hardly turns there
      const double inverse = support_boundary_point(shape, point.normal).parameter();
      CHECK((direction(inverse) - direction(t)).norm() <= 1e-11);
    }
  }
}

TEST_CASE("the boundary point closest to a point on a normal is the normal's foot") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    const double depth = 0.5 * smallest_radius_of_curvature_mm(shape);
    for (double t = -pi; t < pi; t += 0.11) {
      const BoundaryPoint foot = boundary_point(shape, t);
      for (double distance : {-depth, -0.01 * depth, 0.0, 1e-9, 0.1, 3.0, 100.0}) {
        CAPTURE(t, distance);
        const Vec2 x = foot.position_mm + distance * foot.normal;
        const BoundaryPoint found = closest_boundary_point(shape, x);
        check_same_point(found, foot, 1e-13 * (100.0 + distance));
        check_same_point(found, boundary_point(shape, found.parameter()), 1e-12);
        CHECK(cross(x - found.position_mm, found.normal) == within(0.0, 1e-14 * (1.0 + x.norm())));
      }
    }
  }
}

TEST_CASE("the closest boundary point is as near as any sampled one") {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> coordinate(-3.0, 3.0);
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (int k = 0; k < 30; ++k) {
      const Vec2 x(shape.a_mm * coordinate(random), shape.b_mm * coordinate(random));
      if (value(shape, x) < 0.0) continue;
      const BoundaryPoint found = closest_boundary_point(shape, x);
      CHECK((x - found.position_mm).norm() ==
            Approx(distance_to_sampled_boundary(shape, x)).epsilon(1e-13));
    }
  }
}

TEST_CASE("the closest boundary point of a sharp corner, where Newton's method has a cycle") {
  const Superellipse shape{12.374, 0.908918, 17.993734793873855};
  for (const double turn : {0.0, 1e-6, 1e-3, -1e-3}) {
    const Vec2 x(14.5297928 + turn, 2.79284655);
    const BoundaryPoint found = closest_boundary_point(shape, x);
    CHECK(cross(x - found.position_mm, found.normal) == within(0.0, 1e-14 * (1.0 + x.norm())));
    CHECK((x - found.position_mm).norm() ==
          Approx(distance_to_sampled_boundary(shape, x)).epsilon(1e-12));
  }
}

TEST_CASE("the closest boundary point on and beside the flat spots") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (double distance : {0.0, 1e-6, 0.5, 20.0}) {
      const double x_on_axis = shape.a_mm + distance;
      const double y_on_axis = shape.b_mm + distance;
      for (double sign : {-1.0, 1.0}) {
        const auto right = closest_boundary_point(shape, Vec2(sign * x_on_axis, 0));
        CHECK((right.position_mm - Vec2(sign * shape.a_mm, 0)).norm() <= 1e-14 * x_on_axis);
        const auto top = closest_boundary_point(shape, Vec2(0, sign * y_on_axis));
        CHECK((top.position_mm - Vec2(0, sign * shape.b_mm)).norm() <= 1e-14 * y_on_axis);
      }
      for (double t : {1e-12, 1e-8, 1e-5, 1e-3, 0.03}) {
        const BoundaryPoint foot = boundary_point(shape, pi / 2 - t);
        const Vec2 x = foot.position_mm + distance * foot.normal;
        check_same_point(closest_boundary_point(shape, x), foot, 1e-13 * (1 + x.norm()));
      }
    }
  }
}

TEST_CASE("the closest boundary point does not depend on the guess") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (double angle = 0.0; angle < 6.3; angle += 0.37) {
      const Vec2 x = 1.3 * shape.bounding_radius_mm() * direction(angle);
      const BoundaryPoint expected = closest_boundary_point(shape, x);
      for (double guess : {0.0, pi / 2, 0.8, -2.0, 3.0, 100.0, expected.parameter()}) {
        check_same_point(closest_boundary_point(shape, x, direction(guess)), expected,
                         1e-13 * x.norm());
      }
    }
  }
}

TEST_CASE("the closest boundary point mirrors with its argument") {
  const Superellipse shape{2.3, 1.1, 4.0};
  const Vec2 x(2.0, 1.4);
  const BoundaryPoint first = closest_boundary_point(shape, x);
  for (const Vec2& sign : {Vec2(-1, 1), Vec2(-1, -1), Vec2(1, -1)}) {
    const BoundaryPoint other = closest_boundary_point(shape, x.cwiseProduct(sign));
    CHECK(other.position_mm == first.position_mm.cwiseProduct(sign));
    CHECK(other.normal == first.normal.cwiseProduct(sign));
    CHECK(other.curvature_per_mm == first.curvature_per_mm);
    CHECK(cross(other.normal, other.tangent_mm) == Approx(other.tangent_mm.norm()));
  }
}

}  // namespace
}  // namespace graspmap
