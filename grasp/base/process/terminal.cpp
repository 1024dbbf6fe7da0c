#include "grasp/base/process/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>

namespace graspmap {

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::kNone;
  return ::isatty(STDERR_FILENO) ? ProgressStyle::kBar : ProgressStyle::kLines;
}

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void overwrite_line(std::ostream& out, const std::string& line, bool last) {
  // Back to the line's start, the new text, the rest of the old one erased.
  out << '\r' << line << "\x1b[K" << (last ? "\n" : "") << std::flush;
}

std::string clock_text(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

}  // namespace graspmap
