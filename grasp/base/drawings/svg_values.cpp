#include "grasp/base/drawings/svg_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "geometry/elementary/elementary.hpp"

namespace graspmap {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

constexpr double kRadiansPerSvgDegree = M_PI / 180.0;

Affine skew(double x_rad, double y_rad) {
  Affine skewed;
  skewed.linear << 1.0, elementary::tan(x_rad), elementary::tan(y_rad), 1.0;
  return skewed;
}

std::optional<Affine> transform_of(std::string_view name, const std::vector<double>& n) {
  const auto degrees = [&](std::size_t k) { return n[k] * kRadiansPerSvgDegree; };
  if (name == "matrix" && n.size() == 6) {
    Affine matrix;
    matrix.linear << n[0], n[2], n[1], n[3];
    matrix.shift = Vec2(n[4], n[5]);
    return matrix;
  }
  if (name == "translate" && (n.size() == 1 || n.size() == 2)) {
    return Affine::translation({n[0], n.size() == 2 ? n[1] : 0.0});
  }
  if (name == "scale" && (n.size() == 1 || n.size() == 2)) {
    return Affine::scaling(n[0], n.size() == 2 ? n[1] : n[0]);
  }
  if (name == "rotate" && n.size() == 1) return Affine::rotation(degrees(0));
  if (name == "rotate" && n.size() == 3) {
    const Vec2 about(n[1], n[2]);
    return Affine::translation(about) * Affine::rotation(degrees(0)) * Affine::translation(-about);
  }
  if (name == "skewX" && n.size() == 1) return skew(degrees(0), 0.0);
  if (name == "skewY" && n.size() == 1) return skew(0.0, degrees(0));
  return std::nullopt;
}

}  // namespace

void SvgScanner::skip() {
  bool comma = false;
  while (!at_end() && (is_blank(peek()) || (peek() == ',' && !comma))) {
    comma |= peek() == ',';
    ++at_;
  }
}

std::optional<double> SvgScanner::number() {
  skip();
  std::string_view rest = text_.substr(at_);
  const bool has_plus = rest.starts_with('+');
  if (has_plus) rest.remove_prefix(1);
  // No "inf", no "nan", no "+-1".
  const std::size_t digit = !has_plus && rest.starts_with('-') ? 1 : 0;
  if (digit >= rest.size() || (rest[digit] != '.' && (rest[digit] < '0' || rest[digit] > '9'))) {
    return std::nullopt;
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc()) return std::nullopt;
  at_ = static_cast<std::size_t>(end - text_.data());
  return value;
}

std::optional<bool> SvgScanner::flag() {
  skip();
  if (peek() != '0' && peek() != '1') return std::nullopt;
  return take() == '1';
}

std::string_view SvgScanner::until(char end) {
  const std::size_t found = std::min(text_.find(end, at_), text_.size());
  const std::string_view word = text_.substr(at_, found - at_);
  at_ = std::min(found + 1, text_.size());
  return word;
}

std::optional<std::vector<double>> svg_numbers(std::string_view text) {
  SvgScanner scanner(text);
  std::vector<double> numbers;
  scanner.skip();
  while (!scanner.at_end()) {
    const auto number = scanner.number();
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    scanner.skip();
  }
  return numbers;
}

std::optional<double> svg_length_mm(std::string_view text) {
  struct Unit {
    std::string_view name;
    double mm;
  };
  constexpr std::array kUnits = {Unit{"", kSvgPixelMm},   Unit{"px", kSvgPixelMm}, Unit{"mm", 1.0},
                                 Unit{"cm", 10.0},        Unit{"in", 25.4},        Unit{"Q", 0.25},
                                 Unit{"pt", 25.4 / 72.0}, Unit{"pc", 25.4 / 6.0}};
  SvgScanner scanner(text);
  const auto number = scanner.number();
  if (!number) return std::nullopt;
  const std::string_view unit = without_blanks(text.substr(scanner.position()));
  for (const Unit& known : kUnits) {
    if (unit == known.name) return *number * known.mm;
  }
  return std::nullopt;
}

std::optional<Affine> svg_transform(std::string_view text) {
  SvgScanner scanner(text);
  Affine all;
  for (scanner.skip(); !scanner.at_end(); scanner.skip()) {
    const std::string_view name = without_blanks(scanner.until('('));
    if (scanner.at_end()) return std::nullopt;
    const auto numbers = svg_numbers(scanner.until(')'));
    const auto next = numbers ? transform_of(name, *numbers) : std::nullopt;
    if (!next) return std::nullopt;
    all = all * *next;
  }
  return all;
}

std::string_view svg_style(std::string_view style, std::string_view property) {
  SvgScanner scanner(style);
  while (!scanner.at_end()) {
    const std::string_view entry = scanner.until(';');
    const std::size_t colon = entry.find(':');
    if (colon == std::string_view::npos) continue;
    if (without_blanks(entry.substr(0, colon)) == property) {
      return without_blanks(entry.substr(colon + 1));
    }
  }
  return {};
}

}  // namespace graspmap
