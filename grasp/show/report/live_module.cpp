#include "grasp/show/report/live_module.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "grasp/base/io/errors.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

constexpr const char* kWasm = "graspmap_live.wasm";

/// Where the module may lie, the most likely first.
std::vector<fs::path> folders() {
  std::vector<fs::path> list;
#ifdef GRASPMAP_LIVE_FOLDER
  list.emplace_back(GRASPMAP_LIVE_FOLDER);
#endif
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) list.push_back(program.parent_path().parent_path() / "share" / "graspmap");
  return list;
}

std::string read_bytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  if (!stream || !bytes) throw IoError(file.string() + ": cannot be read");
  return bytes.str();
}

}  // namespace

std::optional<std::string> find_live_module() {
  for (const fs::path& folder : folders()) {
    std::error_code error;
    if (fs::exists(folder / kWasm, error)) return read_bytes(folder / kWasm);
  }
  return std::nullopt;
}

}  // namespace graspmap
