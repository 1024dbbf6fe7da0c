#pragma once

#include <string>
#include <vector>

#include "grasp/base/pictures/label_placer.hpp"
#include "lab/scenes/scene_recording.hpp"

namespace graspmap {

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

}  // namespace graspmap
