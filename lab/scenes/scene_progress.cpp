#include "lab/scenes/scene_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

constexpr double kBarInterval_s = 0.2;
constexpr double kLineInterval_s = 10.0;
constexpr std::size_t kBarCells = 12;

}  // namespace

std::string scene_progress_bar(double time_s, double duration_s, double steps_per_s,
                               double elapsed_s, std::size_t width) {
  const double done = duration_s > 0.0 ? std::clamp(time_s / duration_s, 0.0, 1.0) : 1.0;
  const auto cells = static_cast<std::size_t>(done * static_cast<double>(kBarCells));
  std::string line = fmt::format("[{:-<{}}] {:3.0f} %  {:.4g} of {:.4g} s", std::string(cells, '#'),
                                 kBarCells, std::floor(100.0 * done), time_s, duration_s);
  if (steps_per_s > 0.0) line += fmt::format("  {:.0f} steps/s", steps_per_s);
  if (done > 0.0 && done < 1.0) {
    line += fmt::format("  {} left", clock_text(elapsed_s * (1.0 - done) / done));
  }
  return line.substr(0, width);
}

double SceneProgress::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void SceneProgress::step_done(double time_s) {
  ++steps_;
  time_s_ = time_s;
  if (style_ == ProgressStyle::kNone) return;
  const double elapsed = elapsed_s();
  const double interval = style_ == ProgressStyle::kBar ? kBarInterval_s : kLineInterval_s;
  if (elapsed < shown_s_ + interval) return;
  show(elapsed, false);
}

void SceneProgress::finish() {
  if (any_shown_) show(elapsed_s(), true);
}

void SceneProgress::show(double elapsed, bool last) {
  any_shown_ = true;
  shown_s_ = elapsed;
  const bool bar = style_ == ProgressStyle::kBar;
  const std::string line = scene_progress_bar(
      time_s_, duration_s_, static_cast<double>(steps_) / std::max(elapsed, 1e-9), elapsed,
      bar ? terminal_width() - 1 : std::string::npos);
  if (bar) {
    // Back to the line's start, the new text, the rest of the old one erased.
    out_ << '\r' << line << "\x1b[K" << (last ? "\n" : "");
    out_.flush();
  } else {
    out_ << line << std::endl;
  }
}

}  // namespace graspmap
