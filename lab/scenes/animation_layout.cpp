#include "lab/scenes/animation_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/drawn_gif.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/base/pictures/text_layout.hpp"
#include "lab/scenes/scene_colors.hpp"

namespace graspmap {
namespace {

constexpr int kFramesPerSecond = 25;
constexpr std::size_t kMostFrames = 150;
constexpr double kHeld_s = 2.0;
constexpr double kWidth_px = 640.0;
constexpr double kMargin_px = 15.0;
constexpr double kHead_px = 34.0;
constexpr double kFoot_px = 34.0;
constexpr double kFont_px = 13.0;

/// "0.2", "50", "20,000".
std::string amount_text(double amount) {
  return amount >= 1000.0 ? grouped(std::llround(amount)) : fmt::format("{:.4g}", amount);
}

}  // namespace

std::vector<std::size_t> animation_frames(std::size_t count) {
  const std::size_t frames = std::min(count, kMostFrames);
  std::vector<std::size_t> samples;
  for (std::size_t k = 0; k + 1 < frames; ++k) samples.push_back(k * (count - 1) / (frames - 1));
  samples.push_back(count - 1);
  return samples;
}

AnimationScript::AnimationScript(const std::string& title, const Box& window,
                                 std::vector<double> times_s, double force_scale_n)
    : window_(window), times_s_(std::move(times_s)), force_scale_n_(force_scale_n) {
  px_per_mm_ = (kWidth_px - 2.0 * kMargin_px) / (window_.max - window_.min).x();
  height_px_ = std::round(px_per_mm_ * (window_.max - window_.min).y() + kHead_px + kFoot_px);
  const auto lines = wrapped(title, 16.0, kWidth_px - 2.0 * kMargin_px, 1);
  script_ += fmt::format(
      "set encoding utf8\n"
      "set terminal gif animate optimize delay {} loop 0 size {:.0f},{:.0f} font 'DejaVu "
      "Sans,10' background '#ffffff'\nset output '{}'\n"
      "set lmargin at screen {}\nset rmargin at screen {}\n"
      "set bmargin at screen {}\nset tmargin at screen {}\n"
      "set xrange [{}:{}]\nset yrange [{}:{}]\nset border 31 lc rgb '#999999'\nunset tics\n"
      "unset key\nset label 1 {} at screen {},{} noenhanced font 'DejaVu Sans:Bold,12'\n",
      100 / kFramesPerSecond, kWidth_px, height_px_, kAnimationOutput, from_left(kMargin_px),
      from_left(kWidth_px - kMargin_px), from_top(height_px_ - kFoot_px), from_top(kHead_px),
      window_.min.x(), window_.max.x(), window_.min.y(), window_.max.y(),
      gnuplot_string(lines.empty() ? "" : lines.front()), from_left(kMargin_px),
      from_top(0.5 * kHead_px));
  write_legend();
}

double AnimationScript::from_left(double px) const { return px / kWidth_px; }
double AnimationScript::from_top(double px) const { return 1.0 - px / height_px_; }
double AnimationScript::px_per_n() const { return kWidth_px / 6.0 / force_scale_n_; }

/// How many seconds of the scene pass in one of the animation.
std::string AnimationScript::speed_text() const {
  if (times_s_.size() == 1) return "";
  const double shown_s = static_cast<double>(times_s_.size() - 1) / kFramesPerSecond;
  const double speed = times_s_.back() / shown_s;
  if (std::abs(speed - 1.0) < 0.03) return "(in real time)";
  return speed < 1.0 ? fmt::format("({:.2g} times slower)", 1.0 / speed)
                     : fmt::format("({:.2g} times faster)", speed);
}

/// The scale of lengths and of forces, below the window; with that all colours are in the first
/// frame, as the later ones have no others.
void AnimationScript::write_legend() {
  const double y = from_top(height_px_ - 0.5 * kFoot_px);
  const double length_mm = round_below(85.0 / px_per_mm_);
  const double force_n = round_below(60.0 / px_per_n());
  double x = 330.0;
  const auto scale = [&](int tag, double px, const std::string& text, const char* look) {
    script_ += fmt::format("set arrow {} from screen {},{} to screen {},{} {}\n", tag, from_left(x),
                           y, from_left(x + px), y, look);
    script_ += fmt::format("set label {} {} at screen {},{} noenhanced\n", tag + 1,
                           gnuplot_string(text), from_left(x + px + 7.0), y);
    x += px + 30.0 + text_width_px(text, kFont_px);
  };
  scale(2, length_mm * px_per_mm_, amount_text(length_mm) + " mm", "heads size screen 0.006,90");
  scale(4, force_n * px_per_n(), amount_text(force_n) + " N",
        fmt::format("lw 2 lc rgb '{}' head filled size screen 0.015,20", kForceColor).c_str());
}

/// The longest arrow is a third of the window.
std::string AnimationScript::arrow(const Vec2& at_mm, const Vec2& force_n) const {
  const double most_px = kWidth_px / 3.0;
  const double px = std::min(force_n.norm() * px_per_n(), most_px);
  const Vec2 arrow = px / px_per_mm_ * force_n.normalized();
  const Vec2 tail = at_mm - arrow;
  return fmt::format("{:.6g} {:.6g} {:.6g} {:.6g}\n", tail.x(), tail.y(), arrow.x(), arrow.y());
}

void AnimationScript::add_frame(const std::string& data, const std::string& layers,
                                const std::string& arrows) {
  script_ += data + "$forces << EOD\n" + (arrows.empty() ? "NaN NaN NaN NaN\n" : arrows) + "EOD\n";
  script_ +=
      fmt::format("set label 10 {} at screen {},{} noenhanced\n",
                  gnuplot_string(fmt::format("{:.3f} s   {}", times_s_[frame_], speed_text())),
                  from_left(kMargin_px), from_top(height_px_ - 0.5 * kFoot_px));
  script_ += fmt::format(
      "plot {}$forces using 1:2:3:4 with vectors lw 2 lc rgb '{}' head filled size screen "
      "0.015,20\n",
      layers, kForceColor);
  ++frame_;
}

std::string drawn_animation(const std::string& script, const std::string& gnuplot) {
  return drawn_gif(script, kAnimationOutput, kHeld_s, gnuplot);
}

}  // namespace graspmap
