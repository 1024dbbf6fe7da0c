#pragma once

#include <string>

namespace graspmap {

/// The bytes of the animated GIF that a gnuplot script draws into the file `output` of its folder,
/// with the last frame held for `hold_s`. The script runs in a temporary folder. `gnuplot` is a
/// program on the PATH or a path. Throws IoError when gnuplot is missing or fails.
std::string drawn_gif(const std::string& script, const std::string& output, double hold_s,
                      const std::string& gnuplot = "gnuplot");

}  // namespace graspmap
