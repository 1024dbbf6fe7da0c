#include "grasp/base/drawings/svg_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "geometry/elementary/elementary.hpp"
#include "geometry/types.hpp"
#include "grasp/base/io/number.hpp"

namespace graspmap {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

std::string_view without_blanks(std::string_view text) { return trimmed(text, kBlanks); }

Affine skew(double x_rad, double y_rad) {
  Affine skewed;
  skewed.linear << 1.0, elementary::tan(x_rad), elementary::tan(y_rad), 1.0;
  return skewed;
}

std::optional<Affine> transform_of(std::string_view name, const std::vector<double>& n) {
  const auto degrees = [&](std::size_t k) { return n[k] * kDegree_rad; };
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
  if (name == "translateX" && n.size() == 1) return Affine::translation({n[0], 0.0});
  if (name == "translateY" && n.size() == 1) return Affine::translation({0.0, n[0]});
  if (name == "scaleX" && n.size() == 1) return Affine::scaling(n[0], 1.0);
  if (name == "scaleY" && n.size() == 1) return Affine::scaling(1.0, n[0]);
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
  const auto [end, error] = read_number(rest.data(), rest.data() + rest.size(), value);
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

bool SvgScanner::take(std::string_view word) {
  const bool is_next = text_.substr(at_).starts_with(word);
  if (is_next) at_ += word.size();
  return is_next;
}

std::optional<std::vector<double>> svg_numbers(std::string_view text,
                                               std::initializer_list<std::string_view> units) {
  SvgScanner scanner(text);
  std::vector<double> numbers;
  scanner.skip();
  while (!scanner.at_end()) {
    const auto number = scanner.number();
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    for (const std::string_view unit : units) {
      if (scanner.take(unit)) break;
    }
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
    const auto numbers = svg_numbers(scanner.until(')'), {"px", "deg"});
    const auto next = numbers ? transform_of(name, *numbers) : std::nullopt;
    if (!next) return std::nullopt;
    all = all * *next;
  }
  return all;
}

std::string_view svg_style(std::string_view style, std::string_view property) {
  SvgScanner scanner(style);
  std::string_view last;
  while (!scanner.at_end()) {
    const std::string_view entry = scanner.until(';');
    const std::size_t colon = entry.find(':');
    if (colon == std::string_view::npos) continue;
    if (without_blanks(entry.substr(0, colon)) != property) continue;
    const std::string_view value = entry.substr(colon + 1);
    last = without_blanks(value.substr(0, value.find('!')));  // !important
  }
  return last;
}

namespace {

/// What is missing in path data.
struct PathError {
  std::string text;
};

/// An arc by its ends, as SVG 2 has it in appendix B.2.4, with radii made large enough.
struct EndpointArc {
  Vec2 from;
  Vec2 to;
  Vec2 radii;
  double turn_rad;
  bool is_large;
  bool is_sweep;
};

EllipseArc by_centre(const EndpointArc& arc) {
  const Rotation2 turn(arc.turn_rad);
  const Vec2 half = turn.inverse_times(0.5 * (arc.from - arc.to));
  Vec2 radii = arc.radii;
  const double reach = half.cwiseQuotient(radii).norm();
  if (reach > 1.0) radii *= reach;
  // On the unit circle: the centre lies across the middle of the chord.
  const Vec2 unit = half.cwiseQuotient(radii);
  const double square = unit.squaredNorm();
  const double across = std::sqrt(std::max(0.0, (1.0 - square) / square));
  const double side = arc.is_large == arc.is_sweep ? -1.0 : 1.0;
  const Vec2 centre = side * across * Vec2(unit.y(), -unit.x());
  const Vec2 first = unit - centre;
  const Vec2 last = -unit - centre;
  double sweep = elementary::atan2(cross(first, last), first.dot(last));
  if (arc.is_sweep && sweep < 0.0) sweep += 2.0 * M_PI;
  if (!arc.is_sweep && sweep > 0.0) sweep -= 2.0 * M_PI;
  return {0.5 * (arc.from + arc.to) + turn * Vec2(centre.cwiseProduct(radii)),
          turn * Vec2(radii.x(), 0), turn * Vec2(0, radii.y()),
          elementary::atan2(first.y(), first.x()), sweep};
}

class PathReader {
 public:
  PathReader(std::string_view data, Pen& pen) : scanner_(data), pen_(pen) {}

  void read() {
    char command = 0;
    for (scanner_.skip(); !scanner_.at_end(); scanner_.skip()) {
      if (std::isalpha(static_cast<unsigned char>(scanner_.peek())) != 0) {
        command = scanner_.take();
        if (!has_begun_ && command != 'M' && command != 'm') fail("path data begins with M");
      } else if (command == 'M' || command == 'm') {
        command = command == 'M' ? 'L' : 'l';  // further points of a moveto
      } else if (command == 0 || command == 'Z' || command == 'z') {
        fail(fmt::format("{} where a command must be", in_quotes(std::string(1, scanner_.peek()))));
      }
      step(command);
      last_ = static_cast<char>(std::toupper(command));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& text) const {
    throw PathError{
        fmt::format("{} at character {}", text, std::max<std::size_t>(scanner_.position(), 1))};
  }

  double number() {
    const auto value = scanner_.number();
    if (!value) fail("a number is missing");
    return *value;
  }
  bool flag() {
    const auto value = scanner_.flag();
    if (!value) fail("a flag 0 or 1 is missing");
    return *value;
  }
  Vec2 point(bool is_relative) {
    const double x = number();
    const double y = number();
    return is_relative ? Vec2(at_ + Vec2(x, y)) : Vec2(x, y);
  }

  void step(char command) {
    const bool relative = std::islower(static_cast<unsigned char>(command)) != 0;
    switch (std::toupper(command)) {
      case 'M':
        begin_ = at_ = point(relative);
        has_begun_ = true;
        return;
      case 'L':
        return line_to(point(relative));
      case 'H':
        return line_to({number() + (relative ? at_.x() : 0.0), at_.y()});
      case 'V':
        return line_to({at_.x(), number() + (relative ? at_.y() : 0.0)});
      case 'C': {
        const Vec2 first = point(relative);
        return cubic(first, relative);
      }
      case 'S':
        return cubic(last_ == 'C' || last_ == 'S' ? Vec2(2.0 * at_ - control_) : at_, relative);
      case 'Q': {
        const Vec2 control = point(relative);
        return quadratic(control, point(relative));
      }
      case 'T': {
        const Vec2 control = last_ == 'Q' || last_ == 'T' ? Vec2(2.0 * at_ - control_) : at_;
        return quadratic(control, point(relative));
      }
      case 'A':
        return arc(relative);
      case 'Z':
        return line_to(begin_);
      default:
        fail(fmt::format("{} is no command of a path", in_quotes(std::string(1, command))));
    }
  }

  void line_to(const Vec2& to) {
    if (to != at_) pen_.segment(at_, to);
    at_ = to;
  }

  void cubic(const Vec2& first, bool relative) {
    const Vec2 second = point(relative);
    const Vec2 to = point(relative);
    bezier({at_, first, second, to});
    control_ = second;
    at_ = to;
  }

  void quadratic(const Vec2& control, const Vec2& to) {
    bezier({at_, control, to});
    control_ = control;
    at_ = to;
  }

  void bezier(const std::vector<Vec2>& points) {
    if (std::all_of(points.begin(), points.end(), [&](const Vec2& p) { return p == at_; })) return;
    const std::size_t order = points.size();
    Nurbs curve{static_cast<int>(order) - 1, std::vector<double>(2 * order, 0.0), points, {}};
    std::fill(curve.knots.begin() + static_cast<std::ptrdiff_t>(order), curve.knots.end(), 1.0);
    pen_.spline(curve);
  }

  void arc(bool relative) {
    const double rx = std::abs(number());
    const double ry = std::abs(number());
    const double turn = number() * M_PI / 180.0;
    const bool is_large = flag();
    const bool is_sweep = flag();
    const Vec2 to = point(relative);
    const Vec2 from = at_;
    if (from == to) return;
    if (rx == 0.0 || ry == 0.0) return line_to(to);
    pen_.ellipse(by_centre({from, to, {rx, ry}, turn, is_large, is_sweep}));
    at_ = to;
  }

  SvgScanner scanner_;
  Pen& pen_;
  Vec2 at_{0, 0};
  Vec2 begin_{0, 0};
  Vec2 control_{0, 0};  ///< the last one, of the curve before
  char last_ = 0;       ///< the command before, as a capital
  bool has_begun_ = false;
};

}  // namespace

std::string draw_svg_path(std::string_view data, Pen& pen) {
  try {
    PathReader(data, pen).read();
  } catch (const PathError& error) {
    return error.text;
  }
  return "";
}

}  // namespace graspmap
