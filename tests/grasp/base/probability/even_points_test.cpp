#include "grasp/base/probability/even_points.hpp"

#include <boost/random/sobol.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "grasp/base/probability/design_effect.hpp"
#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

/// The first points of Boost's Sobol sequence in one dimension, as 32 digits. Boost counts in Gray
/// code and begins with point 1.
std::vector<std::uint32_t> sobol_digits(std::uint32_t dimension, std::uint32_t points) {
  boost::random::sobol_engine<std::uint32_t, 32> engine(kSobolDimensions);
  std::vector<std::uint32_t> digits(points);
  for (std::uint32_t k = 1; k < points; ++k) {
    for (std::uint32_t d = 0; d < kSobolDimensions; ++d) {
      const std::uint32_t value = engine();
      if (d == dimension) digits[k ^ (k >> 1)] = value;
    }
  }
  return digits;
}

/// How many leading digits two numbers have in common.
int common_digits(std::uint32_t a, std::uint32_t b) { return a == b ? 32 : __builtin_clz(a ^ b); }

std::uint32_t scrambled_digits(std::uint32_t sequence, std::uint32_t number, std::uint32_t dim) {
  return static_cast<std::uint32_t>(sobol_coordinate(5, {sequence, number}, dim) * 0x1p32);
}

TEST_CASE("scrambled points part at the digit at which Sobol's do") {
  constexpr std::uint32_t kPoints = 128;
  for (const std::uint32_t dimension : {0U, 1U, 2U, 7U, 30U, 63U}) {
    const std::vector<std::uint32_t> plain = sobol_digits(dimension, kPoints);
    std::vector<std::uint32_t> scrambled;
    for (std::uint32_t k = 0; k < kPoints; ++k) {
      scrambled.push_back(scrambled_digits(3, k, dimension));
    }
    for (std::uint32_t a = 0; a < kPoints; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        REQUIRE(common_digits(scrambled[a], scrambled[b]) == common_digits(plain[a], plain[b]));
      }
    }
  }
}

TEST_CASE("points of nets far along part where Sobol's do") {
  // Points 2^20 and 2^20 + 2^19 of dimension 0 differ by digits 20 and 21 from point 0 and 1.
  const auto common = [](std::uint32_t a, std::uint32_t b) {
    return common_digits(scrambled_digits(1, a, 0), scrambled_digits(1, b, 0));
  };
  CHECK(common(0, 1U << 20U) == 20);
  CHECK(common(1U << 20U, 3U << 19U) == 19);
  CHECK(common(1, 1U + (1U << 26U)) == 26);
}

TEST_CASE("each digit of a point is random") {
  constexpr int kSequences = 4000;
  const double deviation = 0.5 / std::sqrt(kSequences);
  for (const std::uint32_t number : {0U, 1U, 77U}) {
    for (const int digit : {1, 2, 7, 8, 20, 28, 29, 40, 52}) {
      int ones = 0;
      for (std::uint32_t s = 0; s < kSequences; ++s) {
        const double u = sobol_coordinate(11, {s, number}, 4);
        ones += std::fmod(std::floor(std::ldexp(u, digit)), 2) != 0 ? 1 : 0;
      }
      CHECK(static_cast<double>(ones) / kSequences == Approx(0.5).margin(4.5 * deviation));
    }
  }
}

TEST_CASE("sequences, seeds and dimensions are scrambled by themselves") {
  std::set<double> seen;
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 40U}) {
    for (std::uint32_t sequence = 0; sequence < 5; ++sequence) {
      for (std::uint32_t dimension = 0; dimension < 5; ++dimension) {
        const double u = sobol_coordinate(seed, {sequence, 6}, dimension);
        CHECK((u > 0 && u < 1));
        seen.insert(u);
      }
    }
  }
  CHECK(seen.size() == 75);
}

TEST_CASE(
    "coordinates of points stay") {  // a report's page has the same: tests/report/modules_test.mjs
  CHECK(sobol_coordinate(11, {5, 6}, 0) == 0.5597512831160284);
  CHECK(sobol_coordinate(11, {5, 6}, 2) == 0.5356581136248463);
}

TEST_CASE("a design effect is the ratio of variances, careful with few cells") {
  CHECK(DesignEffect().value(1.0) == 1);
  CHECK(DesignEffect().mean() == 1);
  DesignEffect many;
  for (int k = 0; k < 10'000; ++k) many.add(k % 2 == 0 ? 0.0 : 0.4, 1.0);
  CHECK(many.mean() == Approx(0.2).epsilon(1e-3));
  CHECK(many.value(1.0) == Approx(1.09 * 0.2).epsilon(1e-3));
  // Student's quantile with one degree of freedom more than there are cells.
  constexpr double kNormal = 1.959964;
  for (const auto& [cells, student] :
       {std::pair(5, 2.446912), std::pair(11, 2.178813), std::pair(39, 2.022691)}) {
    DesignEffect few;
    for (int k = 0; k < cells; ++k) few.add(0.2, 1.0);
    CHECK(few.mean() == Approx((0.2 * cells + 0.5) / (cells + 0.5)));
    const double pooled = (0.2 * cells + 0.1) / (cells + 1.0);
    CHECK(few.value(0.1) == Approx(1.09 * pooled * std::pow(student / kNormal, 2)).epsilon(0.03));
  }
  DesignEffect one;
  one.add(0.0, 1.0);
  CHECK(one.value(1.0) > 0.6);
  DesignEffect worse;
  for (int k = 0; k < 100; ++k) worse.add(3.0, 1.0);
  CHECK(worse.value(worse.mean()) == 1);
}

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
