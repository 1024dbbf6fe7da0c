#pragma once

#include <string>

namespace graspmap {

/// A text as one word of a shell command, quoted where it must be.
std::string shell_word(const std::string& text);

}  // namespace graspmap
