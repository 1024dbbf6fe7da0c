#include "grasp/show/report/packed_numbers.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("packed numbers are off by half a step at most, and what is not finite is marked") {
  PackedRange range;
  for (const double number : {3.0, -17.5, kNaN, 8.25, std::numeric_limits<double>::infinity()}) {
    range.include(number);
  }
  CHECK(range.low == -17.5);
  CHECK(range.high == 8.25);
  CHECK(range.pack(-17.5) == 0);
  CHECK(range.pack(8.25) == 65534);
  CHECK(range.pack(kNaN) == 65535);
  CHECK(range.pack(100.0) == 65534);
  for (double number = -17.5; number < 8.25; number += 0.0123) {
    const double read = range.low + range.step() * range.pack(number);
    CHECK(std::abs(read - number) <= 0.5001 * range.step());
  }
}

TEST_CASE("packed numbers: one value, or none") {
  PackedRange range;
  CHECK(range.step() == 0.0);
  CHECK(range.pack(kNaN) == 65535);
  range.include(2.0);
  CHECK(range.pack(2.0) == 0);
  CHECK(range.step() == 0.0);
}

TEST_CASE("words are written with the lower byte first, planes with the upper bytes first") {
  std::string bytes;
  append_word(bytes, 0x1234);
  append_fraction(bytes, 1.0);
  append_fraction(bytes, -1.0);
  append_fraction(bytes, -0.5);
  CHECK(bytes == std::string("\x34\x12\xff\x7f\x01\x80\x00\xc0", 8));
  bytes.clear();
  append_planes(bytes, std::array<std::uint16_t, 2>{0x1234, 0x5678});
  CHECK(bytes == "\x12\x56\x34\x78");
  bytes.clear();
  append_double(bytes, 1.0);
  CHECK(bytes == std::string("\0\0\0\0\0\0\xf0\x3f", 8));
}

}  // namespace
}  // namespace graspmap
