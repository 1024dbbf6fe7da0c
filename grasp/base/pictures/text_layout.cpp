#include "grasp/base/pictures/text_layout.hpp"

#include <algorithm>
#include <sstream>

namespace graspmap {
namespace {

constexpr std::string_view kEllipsis = "…";

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// In units of the font's size; the middle of each class of letters, rounded up.
double character_width(char c) {
  constexpr std::string_view kNarrow = "ijl.,:;'|!I ";
  constexpr std::string_view kSlim = "frt()-/[]\"";
  constexpr std::string_view kWide = "mwMWQGDHNOU@%_&<>=+";
  if (kNarrow.find(c) != std::string_view::npos) return 0.32;
  if (kSlim.find(c) != std::string_view::npos) return 0.42;
  if (kWide.find(c) != std::string_view::npos) return 0.88;
  return static_cast<unsigned char>(c) < 0x80 ? 0.65 : 0.95;
}

/// The text without its last character.
void drop_last(std::string& text) {
  while (!text.empty() && !starts_character(text.back())) text.pop_back();
  if (!text.empty()) text.pop_back();
}

/// The text, shortened until it fits with an ellipsis behind it.
std::string shortened(std::string text, double font_size_px, double width_px) {
  const double ellipsis = text_width_px(kEllipsis, font_size_px);
  while (!text.empty() && text_width_px(text, font_size_px) + ellipsis > width_px) drop_last(text);
  return text.append(kEllipsis);
}

bool is_cut(const std::string& line) { return line.ends_with(kEllipsis); }

}  // namespace

double text_width_px(std::string_view utf8, double font_size_px) {
  double width = 0.0;
  for (const char c : utf8) {
    if (starts_character(c)) width += character_width(c);
  }
  return width * font_size_px;
}

std::vector<std::string> wrapped(std::string_view utf8, double font_size_px, double width_px,
                                 std::size_t most_lines) {
  const auto fits = [&](const std::string& text) {
    return text_width_px(text, font_size_px) <= width_px;
  };
  std::vector<std::string> lines;
  std::istringstream words{std::string(utf8)};
  for (std::string word; words >> word;) {
    if (!fits(word)) word = shortened(word, font_size_px, width_px);
    if (!lines.empty() && fits(lines.back() + " " + word)) {
      lines.back() += " " + word;
    } else if (lines.size() < most_lines) {
      lines.push_back(word);
    } else {
      lines.back() = shortened(lines.back(), font_size_px, width_px);
      break;
    }
  }
  return lines;
}

std::vector<std::string> balanced(std::string_view utf8, double font_size_px, double width_px,
                                  std::size_t most_lines) {
  const std::vector<std::string> widest = wrapped(utf8, font_size_px, width_px, most_lines);
  std::vector<std::string> lines = widest;
  // Narrower as long as there are no more lines, and no word is cut.
  for (double width = 0.97 * width_px; width > 0.3 * width_px; width *= 0.97) {
    std::vector<std::string> narrower = wrapped(utf8, font_size_px, width, most_lines + 1);
    const bool is_same =
        narrower.size() == widest.size() && std::none_of(narrower.begin(), narrower.end(), is_cut);
    if (!is_same) break;
    lines = std::move(narrower);
  }
  return lines;
}

}  // namespace graspmap
