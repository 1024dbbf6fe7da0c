#include "lab/scenes/picture_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"

namespace graspmap {

const char* moving_color(std::size_t k) {
  constexpr std::array<const char*, 7> kColours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                   "#d55e00", "#56b4e9", "#f0e442"};
  return kColours[k % kColours.size()];
}

std::string mixed_with_white(const std::string& color, double share) {
  std::string text = "#";
  for (const std::size_t at : {1U, 3U, 5U}) {
    const int part = std::stoi(color.substr(at, 2), nullptr, 16);
    text += fmt::format("{:02x}", static_cast<int>(std::lround(255.0 + share * (part - 255))));
  }
  return text;
}

GrowingBox::GrowingBox()
    : box{Vec2::Constant(std::numeric_limits<double>::infinity()),
          Vec2::Constant(-std::numeric_limits<double>::infinity())} {}

void GrowingBox::add(const Vec2& point) {
  box.min = box.min.cwiseMin(point);
  box.max = box.max.cwiseMax(point);
}

void GrowingBox::add(const GrowingBox& other) {
  add(other.box.min);
  add(other.box.max);
}

bool is_near(const GrowingBox& moving, const GrowingBox& fixed) {
  constexpr double kMost = 3.0;
  GrowingBox both = moving;
  both.add(fixed);
  return both.size().maxCoeff() <= kMost * moving.size().maxCoeff();
}

Box window_about(const GrowingBox& content) {
  const Vec2 room = Vec2::Constant(0.06 * content.size().maxCoeff());
  const Box box{content.box.min - room, content.box.max + room};
  const Vec2 size = box.max - box.min;
  const Vec2 least(size.y() / 1.25, 0.4 * size.x());
  const Vec2 more = 0.5 * (least - size).cwiseMax(0.0);
  return {box.min - more, box.max + more};
}

namespace {

constexpr std::size_t kMostOverlaid = 4;  ///< bodies that an overlay shows clearly
constexpr std::size_t kOverlaid = 10;     ///< moments of an overlay
constexpr std::size_t kPanels = 4;
constexpr double kOverlayWidth_px = 1100.0;
constexpr int kPanelWidth_px = 580;
constexpr int kPanelTitle_px = 45;  ///< above each panel
constexpr int kPanelHead_px = 100;  ///< above all of them
constexpr int kBetween_px = 30;

/// The height of a window over its width.
double proportion(const Box& window) {
  const Vec2 size = window.max - window.min;
  return size.y() / size.x();
}

int panel_height_px(const Box& window) {
  return static_cast<int>(kPanelWidth_px * proportion(window));
}

Canvas motion_canvas(const MotionPicture& picture) {
  if (!picture.overlaid) {
    return {2 * kPanelWidth_px + 3 * kBetween_px,
            kPanelHead_px + 2 * (kPanelTitle_px + panel_height_px(picture.window)) + kBetween_px};
  }
  constexpr int kSides = 140;
  constexpr int kHead = 200;
  return {static_cast<int>(kOverlayWidth_px) + kSides,
          static_cast<int>(kOverlayWidth_px * proportion(picture.window)) + kHead};
}

std::string plot_of_layers(const std::vector<std::string>& layers) {
  std::string text = "  plot ";
  for (std::size_t k = 0; k < layers.size(); ++k) {
    text += (k > 0 ? ", \\\n       " : "") + layers[k];
  }
  return text + "\n";
}

/// What does not move once, then the others from the first moment to the last.
std::string overlay(const MotionPicture& picture) {
  std::vector<std::string> list = picture.behind;
  for (const auto& layers : picture.layers) list.insert(list.end(), layers.begin(), layers.end());
  return "  set title name.\"\\n\".subtitle noenhanced\n" + picture.axes + plot_of_layers(list);
}

std::string panels(const MotionPicture& picture) {
  const Canvas size = motion_canvas(picture);
  const auto x = [&](int px) { return static_cast<double>(px) / size.width; };
  const auto y = [&](int px) { return 1.0 - static_cast<double>(px) / size.height; };
  const int height_px = panel_height_px(picture.window);
  std::string commands =
      "  set multiplot\n  unset tics\n"
      "  set label 1 name.\"\\n\".subtitle at screen 0.5, screen 1 - 30. / canvas_height "
      "center noenhanced\n";
  for (std::size_t m = 0; m < picture.layers.size(); ++m) {
    const int left = kBetween_px + (m % 2 == 0 ? 0 : kPanelWidth_px + kBetween_px);
    const int above = m < 2 ? 0 : kPanelTitle_px + height_px;
    const int top = kPanelHead_px + kPanelTitle_px + above;
    commands += fmt::format(
        "  set lmargin at screen {}\n  set rmargin at screen {}\n  set tmargin at screen {}\n"
        "  set bmargin at screen {}\n  set title '{:.4g} s' offset 0, -0.5\n",
        x(left), x(left + kPanelWidth_px), y(top), y(top + height_px), picture.times_s[m]);
    commands += plot_of_layers(picture.layers[m]) + "  unset label 1\n";
  }
  return commands + "  unset multiplot\n";
}

}  // namespace

std::string lines_data(const std::vector<DrawnLine>& lines, bool is_closed) {
  const auto text = [](const Vec2& p) { return fmt::format("{:.6g} {:.6g}\n", p.x(), p.y()); };
  std::string data;
  for (const DrawnLine& line : lines) {
    if (line.empty()) continue;
    for (const Vec2& point : line) data += text(point);
    data += (is_closed ? text(line.front()) : "") + "\n";
  }
  return data.empty() ? "NaN NaN\n" : data;
}

std::string data_block(const std::string& what, const std::string& id, const std::string& data) {
  return fmt::format("${}_{} << EOD\n{}EOD\n", what, id, data);
}

bool is_overlaid(std::size_t moving) { return moving <= kMostOverlaid; }

std::size_t moments_shown(bool overlaid) { return overlaid ? kOverlaid : kPanels; }

double paleness(std::size_t moment, std::size_t count) {
  const auto last = static_cast<double>(count - 1);
  return last > 0 ? 0.85 * (1.0 - static_cast<double>(moment) / last) : 0.0;
}

std::string motion_script(const MotionPicture& picture) {
  const Box& window = picture.window;
  const char* purpose = picture.overlaid
                            ? "The bodies at equal times in one picture, earlier ones paler."
                            : "The bodies at a few moments.";
  return script_start(picture.name, purpose, gnuplot_string(picture.title),
                      gnuplot_string(picture.subtitle), motion_canvas(picture)) +
         kPictures +
         "\nset datafile separator whitespace\nunset datafile columnheaders\nunset key\n"
         "set border 31 lc rgb '#999999'\nset tics out nomirror textcolor rgb 'black'\nset size "
         "ratio -1\n" +
         fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", window.min.x(), window.max.x(),
                     window.min.y(), window.max.y()) +
         picture.data + for_each_picture(picture.overlaid ? overlay(picture) : panels(picture));
}

std::vector<std::size_t> strobe_moments(const std::vector<double>& times_s, std::size_t last,
                                        std::size_t count) {
  std::vector<std::size_t> moments;
  for (std::size_t k = 0; k < count; ++k) {
    const double time_s = times_s[last] * static_cast<double>(k) / static_cast<double>(count - 1);
    const auto later =
        std::lower_bound(times_s.begin(), times_s.end(), time_s - 1e-9 * times_s[last]);
    const auto index = std::min(static_cast<std::size_t>(later - times_s.begin()), last);
    if (moments.empty() || index > moments.back()) moments.push_back(index);
  }
  return moments;
}

std::string moments_text(const std::vector<double>& times_s) {
  if (times_s.size() == 1) return fmt::format("at {:.4g} s", times_s.front());
  return fmt::format("{} moments from 0 to {:.4g} s, earlier ones paler", times_s.size(),
                     times_s.back());
}

std::string alpha_text(double least, double pale) {
  return fmt::format("{:02x}",
                     static_cast<int>(std::lround(255.0 * (least + (0.97 - least) * pale))));
}

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
