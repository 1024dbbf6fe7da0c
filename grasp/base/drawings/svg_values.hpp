#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/drawings/sketch.hpp"

namespace graspmap {

inline constexpr double kSvgPixelMm = 25.4 / 96.0;

/// Takes numbers and letters from an attribute of an SVG file.
class SvgScanner {
 public:
  explicit SvgScanner(std::string_view text) : text_(text) {}

  /// Blanks, and one comma among them.
  void skip();
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }
  /// The next character without taking it; '\0' at the end.
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }
  char take() { return text_[at_++]; }
  /// Takes a word if it stands next.
  bool take(std::string_view word);
  /// The next number, finite; nothing where no number stands. Blanks and a comma before it are
  /// skipped.
  std::optional<double> number();
  /// The next 0 or 1, which need not be apart from what follows.
  std::optional<bool> flag();
  /// What follows, up to a character.
  std::string_view until(char end);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// All numbers of a text, which may have one of these units; nothing when it has anything else.
std::optional<std::vector<double>> svg_numbers(std::string_view text,
                                               std::initializer_list<std::string_view> units = {});

/// A length in mm, of a pixel of 1/96 inch without a unit; nothing for another text, or a
/// percentage.
std::optional<double> svg_length_mm(std::string_view text);

/// The value of `transform`, as an attribute or in a style; nothing for another text.
std::optional<Affine> svg_transform(std::string_view text);

/// The value of a property in `style`: "none" of "fill:red; display:none" for display; "" when it
/// is not there.
std::string_view svg_style(std::string_view style, std::string_view property);

/// Draws path data, the attribute d of a path. Returns what is wrong with it, "" when nothing is.
std::string draw_svg_path(std::string_view data, Pen& pen);

}  // namespace graspmap
