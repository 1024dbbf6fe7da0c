#include "sim/closing/support_friction.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/scenes.hpp"
#include "tests/support/supports.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

Vec3 random_vector(Random& random, double size) {
  return size *
         Vec3(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
}

/// A point of the surface (f_t/e_t)^2 + (f_o/e_o)^2 + (f_r/e_r)^2 = limit^2.
Vec3 random_wrench(Random& random, const EllipsoidSupport& e, double limit) {
  Vec3 z = random_vector(random, 1.0);
  while (z.norm() < 0.1 || z.norm() > 1.0) z = random_vector(random, 1.0);
  return z.normalized().cwiseProduct(limit * Vec3(e.e_t, e.e_o, e.e_r_mm));
}

/// The wrench of an element that slides with the part's velocity v at impulse limit `limit`.
Vec3 sliding_wrench(const SupportElement& element, const Vec3& v, double limit) {
  const Vec3 u = element.slip_map * v;
  return element.slip_map.transpose() * project_to_ball(-1e6 * u, limit * element.share);
}

}  // namespace

TEST_CASE("projection to a ball: inside unchanged, outside the nearest point") {
  Random random(6);
  for (int k = 0; k < 200; ++k) {
    const Vec3 z = random_vector(random, 2.0);
    const double radius = random.uniform(0.0, 1.5);
    const Vec3 p = project_to_ball(z, radius);
    CHECK(p.norm() <= radius * (1.0 + 1e-15) + 1e-300);
    if (z.norm() <= radius) CHECK(p == z);
    for (int j = 0; j < 100; ++j) {
      Vec3 other = random_vector(random, radius);
      if (other.norm() > radius) other *= radius / other.norm();
      CHECK((z - p).norm() <= (z - other).norm() + 1e-14);
    }
  }
  CHECK(project_to_ball(Vec3(0.0, 0.0, 0.0), 0.0) == Vec3::Zero());
}

TEST_CASE("the projected impulse dissipates most of all in the ellipsoid") {
  const EllipsoidSupport e{1.0, 0.7, 13.8333};
  const Support support = make_support(e);
  REQUIRE(support.size == 1);
  constexpr double kLimit = 2.5;
  Random random(7);
  for (int k = 0; k < 50; ++k) {
    const Vec3 v = random_vector(random, 40.0);
    const Vec3 wrench = sliding_wrench(support.elements[0], v, kLimit);
    const Vec3 scaled = wrench.cwiseQuotient(Vec3(e.e_t, e.e_o, e.e_r_mm));
    CHECK(scaled.norm() == Approx(kLimit).epsilon(1e-12));
    double most = 0.0;
    for (int j = 0; j < 4000; ++j) {
      most = std::max(most, -random_wrench(random, e, kLimit).dot(v));
    }
    CHECK(-wrench.dot(v) >= most);
    CHECK(-wrench.dot(v) <= 1.01 * most);  // the samples come close
  }
}

TEST_CASE("a tripod: weight shared, arms turn with the part") {
  constexpr double kRadius = 7.0;
  Support support = make_support(tripod(kRadius));
  REQUIRE(support.size == 3);
  const double theta = 0.35;
  set_angle(support, Rotation2(theta));
  double share = 0.0;
  Vec2 sum(0.0, 0.0);
  for (const SupportElement& element : support.in_use()) {
    share += element.share;
    sum += element.arm_G_mm;
    CHECK(element.arm_G_mm.norm() == Approx(kRadius));
    const Vec3 v(3.0, -2.0, 0.5);
    const Vec2 expected = v.head<2>() + v[2] * perp(element.arm_G_mm);
    CHECK(((element.slip_map * v).head<2>() - expected).norm() < 1e-13);
  }
  CHECK(share == Approx(1.0));
  CHECK(sum.norm() < 1e-13);
  const double first = 0.5 * std::numbers::pi + theta;
  const Vec2 expected = kRadius * Vec2(std::cos(first), std::sin(first));
  CHECK((support.elements[0].arm_G_mm - expected).norm() < 1e-13);
}

TEST_CASE("a turning tripod resists with its radius times the friction force, and no force") {
  constexpr double kRadius = 7.0;
  constexpr double kLimit = 2.5;
  Support support = make_support(tripod(kRadius));
  set_angle(support, Rotation2(-1.1));
  Vec3 wrench = Vec3::Zero();
  for (const SupportElement& element : support.in_use()) {
    wrench += sliding_wrench(element, {0.0, 0.0, 0.8}, kLimit);
  }
  CHECK(wrench.head<2>().norm() < 1e-13);
  CHECK(wrench[2] == Approx(-kLimit * kRadius));
}

TEST_CASE("a tripod that slides without turning resists like a point") {
  Support support = make_support(tripod(7.0));
  set_angle(support, Rotation2(0.2));
  Vec3 wrench = Vec3::Zero();
  for (const SupportElement& element : support.in_use()) {
    wrench += sliding_wrench(element, {3.0, 4.0, 0.0}, 2.5);
  }
  CHECK((wrench - Vec3(-1.5, -2.0, 0.0)).norm() < 1e-13);
}
