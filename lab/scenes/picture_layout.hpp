#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "grasp/base/pictures/shapes.hpp"
#include "lab/scenes/scene_recording.hpp"

namespace graspmap {

inline constexpr const char* kFixedColor = "#8c8c8c";  ///< of what does not move
inline constexpr const char* kForceColor = "#b00020";

/// The colour "#rrggbb" of the k-th thing that moves: Okabe and Ito's, for colour-blind eyes.
const char* moving_color(std::size_t k);

/// "#rrggbb" mixed with white: `share` of it, from 0 to 1. For GIFs, which have no transparency.
std::string mixed_with_white(const std::string& color, double share);

/// A box that grows with the points put into it.
struct GrowingBox {
  GrowingBox();

  Box box;

  void add(const Vec2& point);
  void add(const GrowingBox& other);
  [[nodiscard]] bool is_empty() const { return box.min.x() > box.max.x(); }
  [[nodiscard]] Vec2 size() const { return box.max - box.min; }
};

/// Fixed bodies belong to the picture when what moves would not be lost in it.
bool is_near(const GrowingBox& moving, const GrowingBox& fixed);

/// The box with some room about it, grown to a height of 0.4 to 1.25 of its width.
Box window_about(const GrowingBox& content);

/// The motion of a scene of any kind in one picture: an overlay of moments, or a few moments side
/// by side. A layer is what a gnuplot `plot` command lists between commas.
struct MotionPicture {
  std::string name;   ///< of the figure
  std::string title;  ///< any text
  std::string subtitle;
  Box window;  ///< mm
  bool overlaid = true;
  std::string axes;                              ///< commands for the axes of an overlay
  std::string data;                              ///< the data blocks that the layers draw
  std::vector<double> times_s;                   ///< by moment
  std::vector<std::string> behind;               ///< layers of an overlay that are drawn once
  std::vector<std::vector<std::string>> layers;  ///< by moment
};

/// Points on a line of a picture, mm.
using DrawnLine = std::vector<Vec2>;

/// gnuplot data: lines separated by blank lines; one undefined point when all are empty.
std::string lines_data(const std::vector<DrawnLine>& lines, bool is_closed);

/// The data block $WHAT_ID.
std::string data_block(const std::string& what, const std::string& id, const std::string& data);

/// Whether a picture of so many moving things is an overlay, how many moments it has, and how much
/// paler than the last of `count` a moment is, from 0 to 1.
bool is_overlaid(std::size_t moving);
std::size_t moments_shown(bool overlaid);
double paleness(std::size_t moment, std::size_t count);

/// The gnuplot script that draws it.
std::string motion_script(const MotionPicture& picture);

/// At most `count` of ascending times, the first and that of index `last` among them, at about
/// equal distances: their indices.
std::vector<std::size_t> strobe_moments(const std::vector<double>& times_s, std::size_t last,
                                        std::size_t count);

/// The same for a recording, until the moment from which on nothing differs from its end:
/// `differ(a, b)` compares two snapshots.
template <typename Snapshot, typename Differ>
std::vector<std::size_t> strobe_moments(const SceneRecording<Snapshot>& recording,
                                        std::size_t count, Differ differ) {
  const auto& samples = recording.samples;
  std::size_t last = samples.size() - 1;
  while (last > 0 && !differ(samples[last - 1].shown, samples.back().shown)) --last;
  std::vector<double> times_s;
  for (const auto& sample : samples) times_s.push_back(sample.shown.time_s);
  return strobe_moments(times_s, last, count);
}

/// "10 moments from 0 to 2 s, earlier ones paler", of an overlay.
std::string moments_text(const std::vector<double>& times_s);

/// The alpha of a colour as two hexadecimal digits, of something that is `least` transparent (0 to
/// 1) when it is not pale.
std::string alpha_text(double least, double pale);

inline constexpr const char* kAnimationOutput = "motion.gif";

/// The frames of an animation among `count` samples, ascending, the first and last among them, at
/// most 150.
std::vector<std::size_t> animation_frames(std::size_t count);

/// The gnuplot script of an animated GIF of a scene of any kind: title, a window with what moves,
/// the time, and scales of lengths and forces.
class AnimationScript {
 public:
  /// `times_s` by frame; a force of `force_scale_n` is an arrow of a sixth of the window's width.
  AnimationScript(const std::string& title, const Box& window, std::vector<double> times_s,
                  double force_scale_n);

  /// The data and the arrow of a force (N, in the picture's plane) that ends at a point.
  [[nodiscard]] std::string arrow(const Vec2& at_mm, const Vec2& force_n) const;

  /// The next frame: data blocks, the layers that draw them ("$a using 1:2 with lines, ..."), and
  /// lines of `arrow`.
  void add_frame(const std::string& data, const std::string& layers, const std::string& arrows);

  /// The script, after the last frame.
  [[nodiscard]] std::string text() const { return script_ + "unset output\n"; }

 private:
  [[nodiscard]] double from_left(double px) const;
  [[nodiscard]] double from_top(double px) const;
  [[nodiscard]] double px_per_n() const;
  [[nodiscard]] std::string speed_text() const;
  void write_legend();

  Box window_;
  std::vector<double> times_s_;
  double force_scale_n_;
  double px_per_mm_ = 1.0;
  double height_px_ = 0.0;
  std::size_t frame_ = 0;
  std::string script_;
};

/// The force of a contact on its body that moves, in the picture's plane.
struct DrawnForce {
  Vec2 at_mm{0, 0};
  Vec2 force_n{0, 0};
  double size_n = 0.0;  ///< in space, before it was flattened
};

/// What a frame draws besides forces, see `add_frame`.
struct FrameParts {
  std::string data;
  std::string layers;
};

/// The script of a recording. Forces are compared with `weight_n`, that of all that moves; without
/// gravity with the largest force. `forces_of(snapshot)` are the `DrawnForce`s, and
/// `parts_of(snapshot, is_first_frame)` the `FrameParts`.
template <typename Snapshot, typename Forces, typename Parts>
std::string animation_script(const std::string& title, const Box& window, double weight_n,
                             const SceneRecording<Snapshot>& recording, Forces forces_of,
                             Parts parts_of) {
  const auto& samples = recording.samples;
  double scale_n = weight_n;
  if (weight_n == 0.0) {
    for (const auto& sample : samples) {
      for (const DrawnForce& force : forces_of(sample.shown)) {
        scale_n = std::max(scale_n, force.size_n);
      }
    }
  }
  const std::vector<std::size_t> frames = animation_frames(samples.size());
  std::vector<double> times_s;
  for (const std::size_t frame : frames) times_s.push_back(samples[frame].shown.time_s);
  AnimationScript script(title, window, times_s, scale_n > 0.0 ? scale_n : 1.0);
  for (const std::size_t frame : frames) {
    const Snapshot& at = samples[frame].shown;
    std::string arrows;
    for (const DrawnForce& force : forces_of(at)) {
      arrows += script.arrow(force.at_mm, force.force_n);
    }
    const FrameParts parts = parts_of(at, frame == 0);
    script.add_frame(parts.data, parts.layers, arrows);
  }
  return script.text();
}

/// The GIF that such a script draws. Throws IoError when gnuplot is missing or fails.
std::string drawn_animation(const std::string& script, const std::string& gnuplot);

/// A simulation as an animated GIF: at most 150 frames, 25 per second, at a speed that the picture
/// names; the end is held. Throws IoError when gnuplot is missing or fails.
template <typename File, typename Result>
std::string scene_animation(const File& file, const Result& result,
                            const std::string& gnuplot = "gnuplot") {
  return drawn_animation(scene_animation_script(file, result), gnuplot);
}

}  // namespace graspmap
