#include "grasp/scenes/scene_motion_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/figures/script_parts.hpp"
#include "grasp/gnuplot.hpp"

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

std::size_t count_moving_bodies(const PlanarScene& scene) {
  return static_cast<std::size_t>(
      std::count_if(scene.bodies.begin(), scene.bodies.end(),
                    [](const PlanarBody& body) { return body.moves_freely(); }));
}

/// Whether a body's place or mark differs visibly between two states.
bool differ(const PlanarScene& scene, const PlanarState& a, const PlanarState& b, double least_mm) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (!scene.bodies[k].moves_freely()) continue;
    const Vec3 change = b.poses[k] - a.poses[k];
    if (change.head<2>().norm() > least_mm || std::abs(change[2]) > 0.05) return true;
  }
  return false;
}

/// The names of data blocks and their content, in the order of painting.
class MotionScript {
 public:
  MotionScript(const SceneFile& file, const SceneResult& result)
      : file_(file), recording_(result.recording), window_(scene_window_mm(file, recording_)) {
    overlaid_ = count_moving_bodies(file.scene) <= kMostOverlaid;
    moments_ = strobe_samples(file, recording_, overlaid_ ? kOverlaid : kPanels);
  }

  std::string text(const std::string& name) {
    std::string data;
    for (std::size_t m = 0; m < moments_.size(); ++m) data += moment_data(m);
    return script_start(name, purpose(), gnuplot_string(file_.title), gnuplot_string(subtitle()),
                        canvas()) +
           kPictures +
           "\nset datafile separator whitespace\nunset datafile columnheaders\nunset key\n"
           "set border 31 lc rgb '#999999'\nset tics out nomirror textcolor rgb 'black'\nset size "
           "ratio -1\n" +
           fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", window_.min.x(), window_.max.x(),
                       window_.min.y(), window_.max.y()) +
           data + for_each_picture(overlaid_ ? overlay() : panels());
  }

 private:
  [[nodiscard]] const PlanarState& state(std::size_t moment) const {
    return recording_.samples[moments_[moment]].state;
  }

  [[nodiscard]] std::string purpose() const {
    return overlaid_ ? "The bodies at equal times in one picture, earlier ones paler."
                     : "The bodies at a few moments.";
  }

  [[nodiscard]] std::string subtitle() const {
    if (!overlaid_) {
      return fmt::format("each picture is {} mm wide; a line on each body shows how it turns",
                         grouped(std::llround((window_.max - window_.min).x())));
    }
    if (moments_.size() == 1) return fmt::format("at {:.4g} s", state(0).time_s);
    return fmt::format("{} moments from 0 to {:.4g} s, earlier ones paler", moments_.size(),
                       state(moments_.size() - 1).time_s);
  }

  /// The height of the window over its width.
  [[nodiscard]] double proportion() const {
    const Vec2 size = window_.max - window_.min;
    return size.y() / size.x();
  }

  [[nodiscard]] int panel_height_px() const {
    return static_cast<int>(kPanelWidth_px * proportion());
  }

  [[nodiscard]] Canvas canvas() const {
    if (!overlaid_) {
      return {2 * kPanelWidth_px + 3 * kBetween_px,
              kPanelHead_px + 2 * (kPanelTitle_px + panel_height_px()) + kBetween_px};
    }
    constexpr int kSides = 140;
    constexpr int kHead = 200;
    return {static_cast<int>(kOverlayWidth_px) + kSides,
            static_cast<int>(kOverlayWidth_px * proportion()) + kHead};
  }

  static std::string data_name(std::size_t moment, std::size_t block, const char* what) {
    return fmt::format("${}_{}_{}", what, moment, block);
  }

  [[nodiscard]] bool moves(std::size_t block) const {
    const PlanarBody& first =
        file_.scene.bodies[static_cast<std::size_t>(file_.blocks[block].bodies.front())];
    return first.moves_freely();
  }

  [[nodiscard]] std::string moment_data(std::size_t moment) const {
    std::string data;
    for (std::size_t block = 0; block < file_.blocks.size(); ++block) {
      data += data_name(moment, block, "outlines") + " << EOD\n" +
              outlines_data(file_, block, state(moment), window_) + "EOD\n";
      data += data_name(moment, block, "marks") + " << EOD\n" +
              marks_data(file_, block, state(moment), window_) + "EOD\n";
    }
    return data;
  }

  /// The layers of one moment of one block; `paleness` from 0 to 1.
  [[nodiscard]] std::string layers(std::size_t moment, std::size_t block, double paleness) const {
    const std::string rgb = block_color(file_, block).substr(1);
    const auto alpha = [&](double least) {
      return static_cast<int>(std::lround(255.0 * (least + (0.97 - least) * paleness)));
    };
    const std::string outlines = data_name(moment, block, "outlines");
    std::string text = fmt::format(
        "{0} using 1:2 with filledcurves closed fc rgb '#{1:02x}{3}', \\\n"
        "       {0} using 1:2 with lines lw 1.5 lc rgb '#{2:02x}{3}'",
        outlines, alpha(0.55), alpha(0.0), rgb);
    if (moves(block)) {
      text += fmt::format(", \\\n       {} using 1:2 with lines lw 1.5 lc rgb '#{:02x}{}'",
                          data_name(moment, block, "marks"), alpha(0.0), rgb);
    }
    return text;
  }

  static std::string plot_of(const std::vector<std::string>& layers) {
    std::string text = "  plot ";
    for (std::size_t k = 0; k < layers.size(); ++k) {
      text += (k > 0 ? ", \\\n       " : "") + layers[k];
    }
    return text + "\n";
  }

  /// Fixed bodies once, then the others from the first moment to the last, and their paths.
  [[nodiscard]] std::string overlay() const {
    std::vector<std::string> list;
    for (std::size_t block = 0; block < file_.blocks.size(); ++block) {
      if (!moves(block)) list.push_back(layers(0, block, 0.0));
    }
    const auto last = static_cast<double>(moments_.size() - 1);
    for (std::size_t m = 0; m < moments_.size(); ++m) {
      const double paleness = last > 0 ? 0.85 * (1.0 - static_cast<double>(m) / last) : 0.0;
      for (std::size_t block = 0; block < file_.blocks.size(); ++block) {
        if (moves(block)) list.push_back(layers(m, block, paleness));
      }
    }
    return "  set title name.\"\\n\".subtitle noenhanced\n  set xlabel 'x (mm)'\n"
           "  set ylabel 'y (mm)'\n" +
           plot_of(list);
  }

  [[nodiscard]] std::string panels() const {
    const Canvas size = canvas();
    const auto x = [&](int px) { return static_cast<double>(px) / size.width; };
    const auto y = [&](int px) { return 1.0 - static_cast<double>(px) / size.height; };
    std::string commands =
        "  set multiplot\n  unset tics\n"
        "  set label 1 name.\"\\n\".subtitle at screen 0.5, screen 1 - 30. / canvas_height "
        "center noenhanced\n";
    for (std::size_t m = 0; m < moments_.size(); ++m) {
      const int left = kBetween_px + (m % 2 == 0 ? 0 : kPanelWidth_px + kBetween_px);
      const int above = m < 2 ? 0 : kPanelTitle_px + panel_height_px();
      const int top = kPanelHead_px + kPanelTitle_px + above;
      commands += fmt::format(
          "  set lmargin at screen {}\n  set rmargin at screen {}\n  set tmargin at screen {}\n"
          "  set bmargin at screen {}\n  set title '{:.4g} s' offset 0, -0.5\n",
          x(left), x(left + kPanelWidth_px), y(top), y(top + panel_height_px()), state(m).time_s);
      commands += panel(m) + "  unset label 1\n";
    }
    return commands + "  unset multiplot\n";
  }

  [[nodiscard]] std::string panel(std::size_t moment) const {
    std::vector<std::string> list;
    for (std::size_t block = 0; block < file_.blocks.size(); ++block) {
      list.push_back(layers(moment, block, 0.0));
    }
    return plot_of(list);
  }

  const SceneFile& file_;
  const SceneRecording& recording_;
  Box window_;
  bool overlaid_ = true;
  std::vector<std::size_t> moments_;
};

}  // namespace

std::vector<std::size_t> strobe_samples(const SceneFile& file, const SceneRecording& recording,
                                        std::size_t count) {
  const auto& samples = recording.samples;
  const Box window = scene_window_mm(file, recording);
  const double least_mm = 0.01 * (window.max - window.min).norm();
  std::size_t last = samples.size() - 1;
  while (last > 0 && !differ(file.scene, samples[last - 1].state, samples.back().state, least_mm)) {
    --last;
  }
  std::vector<std::size_t> moments;
  for (std::size_t k = 0; k < count; ++k) {
    const double time_s =
        samples[last].state.time_s * static_cast<double>(k) / static_cast<double>(count - 1);
    const auto later = std::lower_bound(
        samples.begin(), samples.end(), time_s - 1e-9 * samples[last].state.time_s,
        [](const SceneSample& sample, double time) { return sample.state.time_s < time; });
    const auto index = std::min(static_cast<std::size_t>(later - samples.begin()), last);
    if (moments.empty() || index > moments.back()) moments.push_back(index);
  }
  return moments;
}

Figure scene_motion_figure(const SceneFile& file, const SceneResult& result,
                           const std::string& name) {
  return {name, MotionScript(file, result).text(name), std::nullopt};
}

}  // namespace graspmap
