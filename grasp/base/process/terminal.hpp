#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace graspmap {

/// How progress is shown.
enum class ProgressStyle {
  kNone,
  kBar,   ///< one line of a terminal that overwrites itself
  kLines  ///< a plain line now and then, for a file or a pipe
};

/// The style for standard error: none when quiet, a bar on a terminal, else lines.
ProgressStyle progress_style(bool quiet);

/// The columns of the terminal at standard error.
std::size_t terminal_width();

/// Puts a line in place of the one before on a terminal; after the last one a new line begins.
void overwrite_line(std::ostream& out, const std::string& line, bool last);

/// "0:33", "12:05", "1:02:03".
std::string clock_text(double seconds);

}  // namespace graspmap
