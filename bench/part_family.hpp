#pragma once

#include <string>

namespace graspmap::bench {

/// Parts of any number of pieces: the lock piece with more of them.
enum class PartFamily {
  kInside,  ///< small discs within its disc, which no jaw comes near: the same trials to the bit
  kRim      ///< a serration of fine teeth round the rest of its rim, which jaws touch
};

/// "inside", "rim".
const char* name(PartFamily family);

/// configs/lock_piece_quick.toml with as many pieces more as make `pieces` of them, as the text of
/// a configuration; its own seven for fewer.
std::string family_config(PartFamily family, int pieces);

}  // namespace graspmap::bench
