#include "bench/compare/machine.hpp"

#include <fmt/format.h>

#include <fstream>

#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap::bench {

std::string machine_name() {
  std::string processor = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    processor = line.substr(colon + 2);
    break;
  }
  return fmt::format("{}, {} cores", processor, thread_count(0));
}

}  // namespace graspmap::bench
