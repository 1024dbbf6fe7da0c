#include "lab/scenes/scene_motion_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/pictures/script_parts.hpp"
#include "lab/scenes/motion_layout.hpp"

namespace graspmap {
namespace {

std::size_t count_moving_bodies(const PlanarScene& scene) {
  return static_cast<std::size_t>(
      std::count_if(scene.bodies.begin(), scene.bodies.end(),
                    [](const PlanarBody& body) { return body.moves_freely(); }));
}

/// Whether a body's place or mark differs visibly between two states.
bool differ(const PlanarScene& scene, const PlanarSnapshot& a, const PlanarSnapshot& b,
            double least_mm) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (!scene.bodies[k].moves_freely()) continue;
    const Vec3 change = b.poses[k] - a.poses[k];
    if (change.head<2>().norm() > least_mm || std::abs(change[2]) > 0.05) return true;
  }
  return false;
}

bool moves(const SceneFile& file, std::size_t block) {
  return file.scene.bodies[static_cast<std::size_t>(file.blocks[block].bodies.front())]
      .moves_freely();
}

std::string data_name(std::size_t moment, std::size_t block, const char* what) {
  return fmt::format("${}_{}_{}", what, moment, block);
}

std::string moment_data(const SceneFile& file, std::size_t moment, const PlanarSnapshot& at,
                        const Box& window) {
  std::string data;
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    data += data_name(moment, block, "outlines") + " << EOD\n" +
            outlines_data(file, block, at, window) + "EOD\n";
    data += data_name(moment, block, "marks") + " << EOD\n" + marks_data(file, block, at, window) +
            "EOD\n";
  }
  return data;
}

/// The layers of one moment of one block; `pale` from 0 to 1.
std::string block_layers(const SceneFile& file, std::size_t moment, std::size_t block,
                         double pale) {
  const std::string rgb = block_color(file, block).substr(1);
  const std::string line = alpha_text(0.0, pale);
  std::string text = fmt::format(
      "{0} using 1:2 with filledcurves closed fc rgb '#{1}{3}', \\\n"
      "       {0} using 1:2 with lines lw 1.5 lc rgb '#{2}{3}'",
      data_name(moment, block, "outlines"), alpha_text(0.55, pale), line, rgb);
  if (moves(file, block)) {
    text += fmt::format(", \\\n       {} using 1:2 with lines lw 1.5 lc rgb '#{}{}'",
                        data_name(moment, block, "marks"), line, rgb);
  }
  return text;
}

std::string motion_subtitle(const MotionPicture& picture) {
  if (picture.overlaid) return moments_text(picture.times_s);
  return fmt::format("each picture is {} mm wide; a line on each body shows how it turns",
                     grouped(std::llround((picture.window.max - picture.window.min).x())));
}

/// Fixed bodies are drawn once in an overlay, in each of several panels.
void add_layers(const SceneFile& file, MotionPicture& picture) {
  const std::size_t count = picture.times_s.size();
  picture.layers.resize(count);
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    const bool is_behind = picture.overlaid && !moves(file, block);
    if (is_behind) picture.behind.push_back(block_layers(file, 0, block, 0.0));
    for (std::size_t m = 0; m < count && !is_behind; ++m) {
      const double pale = picture.overlaid ? paleness(m, count) : 0.0;
      picture.layers[m].push_back(block_layers(file, m, block, pale));
    }
  }
}

}  // namespace

std::vector<std::size_t> strobe_samples(const SceneFile& file, const PlanarRecording& recording,
                                        std::size_t count) {
  const Box window = scene_window_mm(file, recording);
  const double least_mm = 0.01 * (window.max - window.min).norm();
  return strobe_moments(recording, count, [&](const PlanarSnapshot& a, const PlanarSnapshot& b) {
    return differ(file.scene, a, b, least_mm);
  });
}

Figure scene_motion_figure(const SceneFile& file, const PlanarResult& result,
                           const std::string& name) {
  const PlanarRecording& recording = result.recording;
  MotionPicture picture;
  picture.name = name;
  picture.title = file.title;
  picture.window = scene_window_mm(file, recording);
  picture.overlaid = is_overlaid(count_moving_bodies(file.scene));
  picture.axes = "  set xlabel 'x (mm)'\n  set ylabel 'y (mm)'\n";
  for (const std::size_t k : strobe_samples(file, recording, moments_shown(picture.overlaid))) {
    const PlanarSnapshot& at = recording.samples[k].shown;
    picture.data += moment_data(file, picture.times_s.size(), at, picture.window);
    picture.times_s.push_back(at.time_s);
  }
  picture.subtitle = motion_subtitle(picture);
  add_layers(file, picture);
  return {name, motion_script(picture), std::nullopt};
}

}  // namespace graspmap
