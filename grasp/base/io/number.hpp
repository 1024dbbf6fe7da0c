#pragma once

#include <charconv>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// Reads the number with which a text begins, as std::from_chars, which not every standard library
/// has for doubles.
std::from_chars_result read_number(const char* begin, const char* end, double& value);

/// The finite number that a text is, blanks around it allowed; nothing for anything else ("1.5mm",
/// "nan", "inf", "1e999", "").
std::optional<double> parse_number(std::string_view text);

/// The whole number that a text is, blanks around it allowed; nothing for anything else.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// A text without the spaces, tabs and carriage returns around it, or other blanks.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r");

/// The parts of a text between separators: one of an empty text.
std::vector<std::string> split_at(std::string_view text, char separator);

inline constexpr double kMetresPerMillimetre = 1e-3;
inline constexpr double kMillisecondsPerSecond = 1e3;
inline constexpr double kDegree_rad = std::numbers::pi / 180.0;
inline constexpr double kWholeTurn_rad = 2.0 * std::numbers::pi;

}  // namespace graspmap
