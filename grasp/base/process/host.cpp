#include "grasp/base/process/host.hpp"

#include <unistd.h>

#include <array>

namespace graspmap {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == 0) return "?";
  return name.data();
}

}  // namespace graspmap
