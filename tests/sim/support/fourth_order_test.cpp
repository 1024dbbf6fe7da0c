#include "sim/support/fourth_order.hpp"

#include <catch2/catch.hpp>

#include "tests/support/supports.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

double term(std::size_t k, const Vec3& y) {
  const auto& [a, b, c] = kFourthOrderPowers[k];
  return std::pow(y[0], a) * std::pow(y[1], b) * std::pow(y[2], c);
}

/// x^4 + c x^2 y^2 + y^4 + z^4, which is convex for 0 <= c <= 6.
FourthOrderForm with_cross_term(double c) {
  FourthOrderCoefficients coefficients{};
  coefficients[0] = coefficients[10] = coefficients[14] = 1.0;
  coefficients[3] = c;
  return FourthOrderForm(coefficients);
}

}  // namespace

TEST_CASE("a fourth-order form: values, derivatives and other coordinates") {
  Random random(31);
  for (int k = 0; k < 20; ++k) {
    FourthOrderCoefficients coefficients{};
    for (double& c : coefficients) c = random.uniform(-1.0, 1.0);
    const FourthOrderForm form(coefficients);
    const Vec3 y = 1.5 * random_direction(random);
    double value = 0.0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) value += coefficients[i] * term(i, y);
    CHECK(form.value(y) == Approx(value).margin(1e-13));
    for (int i = 0; i < 3; ++i) {
      const Vec3 e = 1e-5 * Vec3::Unit(i);
      CHECK(form.gradient(y)[i] ==
            Approx((form.value(y + e) - form.value(y - e)) / 2e-5).margin(1e-8));
      const Vec3 change = (form.gradient(y + e) - form.gradient(y - e)) / 2e-5;
      CHECK((form.hessian(y).col(i) - change).norm() < 1e-8);
    }
    Eigen::Matrix3d M;
    for (int i = 0; i < 3; ++i) M.col(i) = random_direction(random);
    CHECK(form.in_coordinates(M).value(y) == Approx(form.value(M * y)).margin(1e-13));
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      CHECK(form.coefficients()[i] == Approx(coefficients[i]).margin(1e-15));
    }
  }
}

TEST_CASE("the ellipsoid near the square of a quadratic form is that form") {
  Random random(32);
  for (int k = 0; k < 20; ++k) {
    const Eigen::Matrix3d A = random_matrix(random);
    CHECK((FourthOrderForm(squared_form(A)).nearest_ellipsoid() - A).norm() < 1e-12);
  }
}

TEST_CASE("a form is convex exactly where its coefficient is in its range") {
  CHECK(limit_surface_fault(with_cross_term(0.0)).empty());
  CHECK(limit_surface_fault(with_cross_term(3.0)).empty());
  CHECK(limit_surface_fault(with_cross_term(6.0)).empty());
  CHECK(limit_surface_fault(with_cross_term(-1e-6)) == "is not convex");
  CHECK(limit_surface_fault(with_cross_term(6.0 + 1e-6)) == "is not convex");
  CHECK(limit_surface_fault(FourthOrderForm(FourthOrderCoefficients{})) == "is not convex");
  FourthOrderCoefficients flat{};
  flat[0] = flat[10] = 1.0;  // nothing along z
  CHECK(limit_surface_fault(FourthOrderForm(flat)) == "is not positive in all directions");
}

TEST_CASE("random forms: convex where every sample of the Hessian is, and the other way round") {
  Random random(33);
  int convex = 0;
  for (int k = 0; k < 30; ++k) {
    FourthOrderCoefficients coefficients = random_fourth_order(random);
    for (double& c : coefficients) c += 0.15 * random.uniform(-1.0, 1.0);
    const FourthOrderForm form(coefficients);
    double least = 1.0;
    for (int j = 0; j < 4000; ++j) {
      const Eigen::Matrix3d H = form.hessian(random_direction(random));
      const Vec3 z = random_direction(random);
      least = std::min(least, z.dot(H * z));
    }
    const double margin = convexity_margin(form);
    if (margin >= 0.0) CHECK(least >= 0.0);
    if (least < 0.0) CHECK(margin < 0.0);
    convex += margin >= 0.0 ? 1 : 0;
  }
  CHECK(convex > 3);
  CHECK(convex < 27);
}

TEST_CASE("the nearest point of a surface: on it, along its normal, with the right derivative") {
  Random random(34);
  for (int k = 0; k < 300; ++k) {
    const FourthOrderForm wide(random_fourth_order(random));
    const Eigen::Matrix3d root = wide.nearest_ellipsoid().llt().matrixL();
    const FourthOrderForm form = wide.in_coordinates(root.transpose().inverse());
    const Vec3 z = std::pow(10.0, random.uniform(-1.0, 5.0)) * random_direction(random);
    const LimitSurfacePoint found = limit_surface_point(form, z);
    CHECK(found.inside == (form.value(z) <= 1.0));
    CHECK(form.value(found.boundary) == Approx(1.0).epsilon(1e-13));
    if (found.inside) {
      CHECK(found.nearest == z);
      continue;
    }
    const Vec3 rest = z - found.nearest;
    const Vec3 normal = form.gradient(found.nearest).normalized();
    CHECK(rest.dot(normal) > 0.0);
    CHECK((rest - normal * normal.dot(rest)).norm() <= 1e-13 * std::max(1.0, z.norm()));
    const double step = 1e-4 * std::max(1.0, z.norm());
    const Vec3 e = step * random_direction(random);
    if (limit_surface_point(form, z - e).inside) continue;
    const Vec3 change =
        (limit_surface_point(form, z + e).nearest - limit_surface_point(form, z - e).nearest) /
        (2.0 * step);
    CHECK((found.derivative * e / step - change).norm() < 1e-4);
  }
}
