#include "lab/scenes/motion_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"

namespace graspmap {
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

}  // namespace graspmap
