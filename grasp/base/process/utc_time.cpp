#include "grasp/base/process/utc_time.hpp"

#include <fmt/chrono.h>

#include <ctime>

namespace graspmap {

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace graspmap
