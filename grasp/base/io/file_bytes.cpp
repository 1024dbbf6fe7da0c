#include <cerrno>
#include <fstream>
#include <sstream>

#include "grasp/base/io/errors.hpp"

// By itself: the engine in a browser has files of its own (web/engine/browser).
namespace graspmap {

std::optional<std::string> file_bytes(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) return std::nullopt;
  return text.str();
}

}  // namespace graspmap
