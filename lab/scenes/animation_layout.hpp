#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grasp/figures/label_placer.hpp"

namespace graspmap {

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

/// The GIF that such a script draws. Throws IoError when gnuplot is missing or fails.
std::string drawn_animation(const std::string& script, const std::string& gnuplot);

}  // namespace graspmap
