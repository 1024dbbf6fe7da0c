#pragma once

#include <functional>
#include <string>
#include <vector>

namespace graspmap {

inline constexpr int kExitIo = 1;         ///< the machine could not do it
inline constexpr int kExitBadInput = 2;   ///< a person should change something
inline constexpr int kExitInternal = 70;  ///< our bug

/// Runs a program's command line and returns its exit code. The one place where errors end: each
/// kind of error is one line on standard error and has its exit code.
int guarded_main(const std::vector<std::string>& args,
                 const std::function<int(const std::vector<std::string>&)>& run);

}  // namespace graspmap
