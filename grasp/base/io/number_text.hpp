#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace graspmap {

/// Numbers in sentences and tables. An interval is anything with `low` and `high`, as shares of 1.

/// 0.953 as "95.3 %".
inline std::string percent(double share, int digits = 1) {
  return fmt::format("{:.{}f} %", 100 * share, digits);
}

/// A share as a person gave it, such as a confidence: 0.95 as "95 %".
inline std::string given_percent(double share) { return fmt::format("{:.6g} %", 100 * share); }

/// The digits after the point of a percentage: a second one where its interval is that narrow.
template <typename Interval>
int percent_digits(const Interval& ends) {
  return ends.high - ends.low < 0.005 ? 2 : 1;
}

/// The same with a second digit where its interval is that narrow.
template <typename Interval>
std::string fine_percent(double share, const Interval& ends) {
  return percent(share, percent_digits(ends));
}

/// "97.7 to 98.5 %".
template <typename Interval>
std::string percent_range(const Interval& ends, int digits = 1) {
  return fmt::format("{:.{}f} to {:.{}f} %", 100 * ends.low, digits, 100 * ends.high, digits);
}

/// The same with a second digit where it is that narrow.
template <typename Interval>
std::string fine_percent_range(const Interval& ends) {
  return percent_range(ends, percent_digits(ends));
}

/// A difference in percentage points: "+3.2"; "0.0" without a sign; "none" for NaN.
inline std::string signed_points(double difference, int digits = 1) {
  if (std::isnan(difference)) return "none";
  const std::string text = fmt::format("{:+.{}f}", 100 * difference, digits);
  return text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

/// "+2.9 to +3.5".
template <typename Interval>
std::string signed_points_range(const Interval& ends, int digits = 1) {
  return signed_points(ends.low, digits) + " to " + signed_points(ends.high, digits);
}

/// "1 trial", "3 trials".
template <typename Integer>
std::string counted(Integer count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

/// A placement x (mm), y (mm), theta (rad): "(0, -10) mm", "(0, -10) mm, 0.1 rad".
inline std::string placement_text(const std::array<double, 3>& at, bool with_angle) {
  const std::string text = fmt::format("({:.6g}, {:.6g}) mm", at[0], at[1]);
  return with_angle ? text + fmt::format(", {:.4g} rad", at[2]) : text;
}

}  // namespace graspmap
