#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// About how wide a line of text is in DejaVu Sans, which is wider than most fonts, in pixels.
double text_width_px(std::string_view utf8, double font_size_px);

/// A text in lines of at most `width_px`, broken at blanks; words that are too long and what does
/// not fit into `most_lines` >= 1 lines end with "…".
std::vector<std::string> wrapped(std::string_view utf8, double font_size_px, double width_px,
                                 std::size_t most_lines);

/// `wrapped` with lines of about equal length, as many of them.
std::vector<std::string> balanced(std::string_view utf8, double font_size_px, double width_px,
                                  std::size_t most_lines);

}  // namespace graspmap
