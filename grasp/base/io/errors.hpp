#pragma once

#include <stdexcept>

namespace graspmap {

/// Wrong input by a person. `what()` is the one line that the user sees:
/// "FILE:LINE: KEY: what is wrong; what is allowed". Thrown only where text is read, caught in
/// main. Exit code 2.
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The machine could not do what was asked (disk full, folder not writable). Exit code 1.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace graspmap
