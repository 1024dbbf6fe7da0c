#include "grasp/show/report/packed_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace graspmap {
namespace {

constexpr double kLargestWord = 65534.0;
constexpr std::uint16_t kUnknown = 65535;

char low_byte(std::uint16_t word) { return static_cast<char>(word & 0xFFU); }
char high_byte(std::uint16_t word) { return static_cast<char>(word >> 8U); }

}  // namespace

void PackedRange::include(double number) {
  if (!std::isfinite(number)) return;
  const bool empty = low > high;
  low = empty ? number : std::min(low, number);
  high = empty ? number : std::max(high, number);
}

double PackedRange::step() const { return low < high ? (high - low) / kLargestWord : 0.0; }

std::uint16_t PackedRange::pack(double number) const {
  if (!std::isfinite(number)) return kUnknown;
  if (!(low < high)) return 0;
  const double place = std::clamp((number - low) / (high - low), 0.0, 1.0);
  return static_cast<std::uint16_t>(std::lround(place * kLargestWord));
}

void append_word(std::string& bytes, std::uint16_t word) {
  bytes += low_byte(word);
  bytes += high_byte(word);
}

void append_fraction(std::string& bytes, double fraction) {
  constexpr double kLargest = 32767.0;
  const auto whole =
      static_cast<std::int16_t>(std::lround(kLargest * std::clamp(fraction, -1.0, 1.0)));
  append_word(bytes, static_cast<std::uint16_t>(whole));
}

void append_double(std::string& bytes, double number) {
  const auto word = std::bit_cast<std::uint64_t>(number);
  for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(word >> (8 * byte) & 0xFFU);
}

void append_planes(std::string& bytes, std::span<const std::uint16_t> words) {
  for (const std::uint16_t word : words) bytes += high_byte(word);
  for (const std::uint16_t word : words) bytes += low_byte(word);
}

}  // namespace graspmap
