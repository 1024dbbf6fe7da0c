#pragma once

#include <cstdint>
#include <span>
#include <string>

/// Numbers in two bytes, for data that a page shows.

namespace graspmap {

/// The range of numbers that are packed; empty (low > high) before the first.
struct PackedRange {
  double low = 1.0;
  double high = 0.0;

  /// Grows to hold a number, unless it is not finite.
  void include(double number);
  /// What two neighbouring packed numbers differ by, at most: numbers are off by half of it.
  [[nodiscard]] double step() const;
  /// 0 to 65534, the nearest to low + (high - low) q / 65534; 65535 for what is not finite.
  [[nodiscard]] std::uint16_t pack(double number) const;
};

/// Appends a number as two bytes, the lower first.
void append_word(std::string& bytes, std::uint16_t word);
/// The same for a number from -1 to 1 as a signed number of 16 bits: round(32767 x).
void append_fraction(std::string& bytes, double fraction);
/// Appends an IEEE double, little-endian.
void append_double(std::string& bytes, double number);
/// Appends words as two planes: all upper bytes, then all lower ones, which compresses better.
void append_planes(std::string& bytes, std::span<const std::uint16_t> words);

}  // namespace graspmap
