#pragma once

#include <filesystem>
#include <string>

#include "grasp/show/story/trial_story.hpp"

namespace graspmap {

/// Makes the content of a file that shows a trial. `title` is any text. Throws IoError.
using TrialDrawing = std::string (*)(const TrialStory& story, const std::string& title);

/// How a trial is drawn into a file of this name: .svg a strip of pictures, .gif an animation, .png
/// its end, .csv the trajectory as a table. nullptr for other names.
TrialDrawing drawing_for(const std::filesystem::path& file);

/// A trial as a strip of pictures of its key moments, as SVG. All show the same rectangle of G at
/// the same scale, with part, jaws, contacts and forces; the arrows have one scale. `title` is any
/// text. The same story gives the same picture, byte for byte.
std::string trial_strip(const TrialStory& story, const std::string& title);

/// The line below the title: outcome, placement, friction.
std::string trial_subtitle(const TrialRow& row);

/// A trial as an animated GIF: what `trial_strip` shows, all the time, slowed down by a factor that
/// the picture names; the end is held. At most 150 frames, 25 per second. `title` is any text.
/// `gnuplot` is a program on the PATH or a path. Returns the file's bytes. Throws IoError when
/// gnuplot is missing or fails.
std::string trial_animation(const TrialStory& story, const std::string& title,
                            const std::string& gnuplot = "gnuplot");

/// The animation's last frame as PNG: the path of the part's centre, and how it is held at the end.
/// Otherwise as `trial_animation`.
std::string trial_picture(const TrialStory& story, const std::string& title);

/// The gnuplot script that draws the animation, into trial.gif.
std::string trial_animation_script(const TrialStory& story, const std::string& title);

}  // namespace graspmap
