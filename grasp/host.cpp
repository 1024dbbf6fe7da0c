#include "grasp/host.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <array>
#include <chrono>

namespace graspmap {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == 0) return "?";
  return name.data();
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace graspmap
