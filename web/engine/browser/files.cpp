#include "web/engine/browser/files.hpp"

#include <cerrno>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {

std::map<std::string, std::string>& browser_files() {
  static std::map<std::string, std::string> files;
  return files;
}

std::optional<std::string> file_bytes(const std::filesystem::path& file) {
  const auto found = browser_files().find(file.string());
  if (found != browser_files().end()) return found->second;
  errno = ENOENT;
  return std::nullopt;
}

std::string example_hint(const std::filesystem::path& /*path*/) { return ""; }

}  // namespace graspmap
