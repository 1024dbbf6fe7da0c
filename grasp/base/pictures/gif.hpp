#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// Where each frame of an animated GIF has its delay: the index of the first of two bytes
/// (hundredths of a second, the low byte first). Throws IoError when the bytes are no complete GIF.
std::vector<std::size_t> gif_delays(std::string_view gif);

/// Shows the last frame of an animated GIF, which has one at least, for `hold_s`. Throws IoError
/// when the bytes are no complete GIF.
void hold_last_frame(std::string& gif, double hold_s);

}  // namespace graspmap
