#include "geometry/elementary/elementary.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

// Against the C library's long double, which has 11 bits more on x86-64 and 60 more on aarch64.
// "How far off elementary functions are" with [.long] prints the table of
// docs/explanation/same-bits.md.

namespace graspmap::elementary {
namespace {

using Wide = long double;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A unit in the last place of a double.
double ulp(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, std::max(exponent - 53, -1074));
}

/// Numbers between two: evenly, or evenly in their logarithm with both signs.
struct Numbers {
  double low;
  double high;
  bool logarithmic = false;
};

double drawn(const Numbers& numbers, std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0.0, 1.0);
  if (!numbers.logarithmic) return numbers.low + share(random) * (numbers.high - numbers.low);
  const double ratio = std::log(numbers.high) - std::log(numbers.low);
  return std::exp(std::log(numbers.low) + share(random) * ratio);
}

struct Case {
  std::string name;
  Numbers numbers;
  double most_ulp;
  std::function<double(double)> ours;
  std::function<Wide(Wide)> exact;
};

Wide score_error_of(double z, Wide p) {
  const Wide root = std::sqrt(Wide(0.5));
  const Wide density = std::exp(-Wide(z) * z / 2) * root / std::sqrt(std::acos(Wide(-1)));
  if (std::abs(p - Wide(0.5)) < Wide(0.25)) {
    return (std::erf(z * root) / 2 - (p - Wide(0.5))) / density;
  }
  return (z < 0 ? std::erfc(-z * root) / 2 - p : (1 - p) - std::erfc(z * root) / 2) / density;
}

std::vector<Case> cases() {
  const auto sine = [](Wide x) { return std::sin(x); };
  const auto cosine = [](Wide x) { return std::cos(x); };
  const auto tangent = [](Wide x) { return std::tan(x); };
  const auto arctangent = [](Wide x) { return std::atan(x); };
  const auto root = [](Wide x) { return std::cbrt(x); };
  const auto exponential = [](Wide x) { return std::exp(x); };
  const auto less_one = [](Wide x) { return std::expm1(x); };
  const auto logarithm = [](Wide x) { return std::log(x); };
  const auto of_one_more = [](Wide x) { return std::log1p(x); };
  const auto complement = [](Wide x) { return std::erfc(x); };
  std::vector<Case> all{
      {"sin, |x| <= pi", {-3.2, 3.2}, 0.9, sin, sine},
      {"sin, |x| <= 1024", {-1024, 1024}, 0.9, sin, sine},
      {"sin, x to 1e300", {1e-8, 1e300, true}, 0.9, sin, sine},
      {"cos, |x| <= pi", {-3.2, 3.2}, 0.9, cos, cosine},
      {"cos, |x| <= 1024", {-1024, 1024}, 0.9, cos, cosine},
      {"cos, x to 1e300", {1e-8, 1e300, true}, 0.9, cos, cosine},
      {"tan, |x| <= pi", {-3.2, 3.2}, 1.0, tan, tangent},
      {"tan, x to 1e300", {1e-8, 1e300, true}, 1.0, tan, tangent},
      {"atan, |x| <= 2", {-2, 2}, 0.9, atan, arctangent},
      {"atan, x to 1e300", {1e-300, 1e300, true}, 0.9, atan, arctangent},
      {"cbrt, x <= 1", {-1, 1}, 1.5, cbrt, root},
      {"cbrt, x to 1e300", {5e-324, 1e300, true}, 1.5, cbrt, root},
      {"exp, |x| <= 1", {-1, 1}, 0.52, exp, exponential},
      {"exp, |x| <= 700", {-700, 700}, 0.52, exp, exponential},
      {"expm1, |x| <= 1", {-1, 1}, 0.9, expm1, less_one},
      {"expm1, x to 700", {1e-18, 700, true}, 0.9, expm1, less_one},
      {"log, x <= 2", {0, 2}, 0.51, log, logarithm},
      {"log, x to 1e308", {5e-324, 1e308, true}, 0.51, log, logarithm},
      {"log1p, x <= 2", {-0.99, 2}, 0.9, log1p, of_one_more},
      {"log1p, x to 1e300", {1e-18, 1e300, true}, 0.9, log1p, of_one_more},
      {"erfc, |x| <= 1", {-1, 1}, 4.0, erfc, complement},
      {"erfc, x <= 26", {1, 26}, 6.0, erfc, complement},
      {"normal score",
       {0, 1},
       6.0,
       normal_score,
       [](Wide p) {
         const double z = normal_score(static_cast<double>(p));
         return Wide(z) - score_error_of(z, p);
       }},
      {"normal score, p to 1e-300",
       {1e-300, 0.25, true},
       6.0,
       normal_score,
       [](Wide p) {
         const double z = normal_score(static_cast<double>(p));
         return Wide(z) - score_error_of(z, p);
       }},
  };
  for (const double y : {0.2, 1.0 / 7.0, 0.5, 2.5, -1.3, 99.0}) {
    all.push_back({"pow, y = " + std::to_string(y),
                   {1e-3, 1, true},
                   0.52,
                   [y](double x) { return pow(x, y); },
                   [y](Wide x) { return std::pow(x, Wide(y)); }});
  }
  return all;
}

/// The largest error in units in the last place.
double worst_ulp(const Case& function, int numbers) {
  std::mt19937_64 random(1);
  double worst = 0.0;
  for (int k = 0; k < numbers; ++k) {
    const double x = drawn(function.numbers, random);
    const Wide exact = function.exact(x);
    const Wide error = std::abs(function.ours(x) - exact) / ulp(static_cast<double>(exact));
    worst = std::max(worst, std::isnan(error) ? kInfinity : static_cast<double>(error));
  }
  return worst;
}

TEST_CASE("elementary functions are right to the last place", "[elementary]") {
  for (const Case& function : cases()) {
    CAPTURE(function.name);
    CHECK(worst_ulp(function, 1000) <= function.most_ulp);
  }
}

TEST_CASE("How far off elementary functions are", "[elementary][.long]") {
  for (const Case& function : cases()) {
    const double worst = worst_ulp(function, 2'000'000);
    WARN(function.name << ": " << worst);
    CHECK(worst <= function.most_ulp);
  }
}

TEST_CASE("powers of any size are right to the last place", "[elementary]") {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-700.0, 700.0);
  double worst = 0.0;
  for (int k = 0; k < 3000; ++k) {
    const double x = drawn({1e-300, 1e300, true}, random);
    const double y = exponent(random) / std::log(x);
    const Wide exact = std::pow(Wide(x), Wide(y));
    const Wide error = std::abs(pow(x, y) - exact) / ulp(static_cast<double>(exact));
    worst = std::max(worst, static_cast<double>(error));
  }
  CHECK(worst < 0.55);
}

TEST_CASE("angles of points are right to the last place in every quadrant", "[elementary]") {
  std::mt19937_64 random(3);
  double worst = 0.0;
  for (int k = 0; k < 3000; ++k) {
    const double scale = k % 3 == 0 ? 1.0 : (k % 3 == 1 ? 1e-290 : 1e290);
    const double y = scale * drawn({-3, 3}, random);
    const double x = scale * drawn({-3, 3}, random);
    const Wide exact = std::atan2(Wide(y), Wide(x));
    const Wide error = std::abs(atan2(y, x) - exact) / ulp(static_cast<double>(exact));
    worst = std::max(worst, static_cast<double>(error));
  }
  CHECK(worst < 0.95);
  // Far from each other, both far from 1.
  CHECK(atan2(0x1p-480, 0x1p501) == 0x1p-981);
  CHECK(atan2(0x1p-573, 0x1p501) == 0x1p-1074);
  CHECK(atan2(0x1p-40, 0x1.8p1023) == std::atan2(0x1p-40, 0x1.8p1023));
}

TEST_CASE("sine and cosine next to the multiples of a right angle", "[elementary]") {
  for (int n = 1; n < 650; ++n) {
    const double x = n * 0.5 * std::numbers::pi;
    const SinCos both = sincos(x);
    for (const auto& [ours, exact] :
         {std::pair(both.sin, std::sin(Wide(x))), std::pair(both.cos, std::cos(Wide(x)))}) {
      CHECK(std::abs(ours - exact) <= 0.9 * ulp(static_cast<double>(exact)));
    }
    CHECK(sin(x) == both.sin);
    CHECK(cos(x) == both.cos);
  }
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

TEST_CASE("elementary functions of zeros, infinities and what is not a number", "[elementary]") {
  for (const double x : {0.0, -0.0, kInfinity, -kInfinity, kNaN}) {
    CAPTURE(x);
    CHECK(same(sin(x), std::sin(x)));
    CHECK(same(cos(x), std::cos(x)));
    CHECK(same(tan(x), std::tan(x)));
    CHECK(same(atan(x), std::atan(x)));
    CHECK(same(cbrt(x), std::cbrt(x)));
    CHECK(same(exp(x), std::exp(x)));
    CHECK(same(expm1(x), std::expm1(x)));
    CHECK(same(log(x), std::log(x)));
    CHECK(same(log1p(x), std::log1p(x)));
    CHECK(same(std::isinf(x) ? erfc(x) : 0.0, std::isinf(x) ? std::erfc(x) : 0.0));
    for (const double y : {0.0, -0.0, kInfinity, -kInfinity, kNaN, 1.0, -1.0}) {
      CAPTURE(y);
      CHECK(same(atan2(y, x), std::atan2(y, x)));
      if (x >= 0.0 && !std::signbit(x)) CHECK(same(pow(x, y), std::pow(x, y)));
    }
  }
  CHECK(exp(1000.0) == kInfinity);
  CHECK(exp(-1000.0) == 0.0);
  CHECK(exp(-745.0) == 5e-324);
  CHECK(pow(10.0, 400.0) == kInfinity);
  CHECK(pow(10.0, -400.0) == 0.0);
  CHECK(std::isnan(pow(-2.0, 0.5)));
  CHECK(pow(5e-324, 0.5) == Approx(std::sqrt(5e-324)).epsilon(1e-15));
  CHECK(erfc(30.0) == 0.0);
  CHECK(erfc(-30.0) == 2.0);
  CHECK(normal_score(0.0) == -kInfinity);
  CHECK(normal_score(1.0) == kInfinity);
  CHECK(normal_score(0.5) == 0.0);
  CHECK(std::isnan(normal_score(-0.1)));
  CHECK(std::isnan(normal_score(kNaN)));
  for (const int n : {-1022, -30, 0, 1, 1023}) CHECK(power_of_two(n) == std::ldexp(1.0, n));
}

/// 64-bit FNV-1a of doubles.
class Bits {
 public:
  void add(double x) {
    for (std::uint64_t bits = std::bit_cast<std::uint64_t>(x), k = 0; k < 8; ++k, bits >>= 8U) {
      hash_ = (hash_ ^ (bits & 0xffU)) * 0x100000001b3U;
    }
  }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

TEST_CASE("elementary functions give these bits on every machine", "[elementary]") {
  Bits bits;
  for (int k = -500; k <= 500; ++k) {
    const double x = k * (1.0 / 64.0) + k * 0x1p-40;
    const double size = std::abs(x) + 0x1p-10;
    for (const double y : {sin(x), cos(x), tan(x), atan(x), atan2(x, 0.7), cbrt(x), exp(x),
                           expm1(x), log(size), log1p(size), pow(size, 0.2), pow(size, -2.7),
                           erfc(x), normal_score(size / 16.0), sin(x * 0x1p30), cos(x * 0x1p900)}) {
      bits.add(y);
    }
  }
  CHECK(bits.hash() == 0x9acfe790ddaac270U);
}

}  // namespace
}  // namespace graspmap::elementary
