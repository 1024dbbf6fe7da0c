#include "grasp/base/probability/even_sum.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

/// P(U + Z <= s), U uniform on [0, width].
double sum_cumulative(double width, double s) {
  const auto integral = [](double z) { return z * normal_cumulative(z) + normal_density(z); };
  return (integral(s) - integral(s - width)) / width;
}

TEST_CASE("a uniform and a normal number drawn by their sum are independent") {
  constexpr int kLevels = 400;
  for (const double width : {1e-6, 0.05, 1.0, 7.0, 300.0, 1e6}) {
    CAPTURE(width);
    double u_sum = 0;
    double u_squares = 0;
    double z_sum = 0;
    double z_squares = 0;
    double products = 0;
    int both_low = 0;
    for (int i = 0; i < kLevels; ++i) {
      for (int k = 0; k < kLevels; ++k) {
        const auto [u, z] = divided_sum(width, (i + 0.5) / kLevels, (k + 0.5) / kLevels);
        REQUIRE(u >= 0);
        REQUIRE(u <= 1);
        u_sum += u;
        u_squares += u * u;
        z_sum += z;
        z_squares += z * z;
        products += u * z;
        both_low += u < 0.3 && z < -0.4 ? 1 : 0;
      }
    }
    constexpr double kCount = 1.0 * kLevels * kLevels;
    CHECK(u_sum / kCount == Approx(0.5).margin(1e-4));
    CHECK(u_squares / kCount == Approx(1.0 / 3).margin(1e-4));
    CHECK(z_sum / kCount == Approx(0).margin(1e-4));
    CHECK(z_squares / kCount == Approx(1).margin(0.01));  // the levels leave out the tails
    CHECK(products / kCount == Approx(0).margin(1e-3));
    CHECK(both_low / kCount == Approx(0.3 * normal_cumulative(-0.4)).margin(2e-3));
  }
}

TEST_CASE("the first level is that of the sum, the second that of the normal number") {
  for (const double width : {0.01, 1.0, 30.0}) {
    for (const double level : {1e-12, 1e-5, 0.2, 0.5, 0.93, 1 - 1e-9}) {
      CAPTURE(width, level);
      double last = -100;
      for (const double part : {1e-9, 0.3, 0.7, 1 - 1e-9}) {
        const auto [u, z] = divided_sum(width, level, part);
        CHECK(sum_cumulative(width, u * width + z) == Approx(level).epsilon(1e-6).margin(1e-14));
        CHECK(z > last);
        last = z;
      }
    }
  }
}

}  // namespace
}  // namespace graspmap
