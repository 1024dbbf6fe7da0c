#include "grasp/base/process/environment.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <system_error>
#include <vector>

namespace graspmap {

namespace fs = std::filesystem;

std::optional<fs::path> examples_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  // PREFIX/bin/graspmap, or REPOSITORY/build/PRESET/grasp/graspmap.
  const fs::path folder = program.parent_path();
  const fs::path repository = folder.parent_path().parent_path().parent_path();
  for (const fs::path& examples :
       {folder.parent_path() / "share" / "graspmap" / "configs", repository / "configs"}) {
    if (fs::is_regular_file(examples / "lock_piece.toml", error)) return examples;
  }
  return std::nullopt;
}

std::string example_hint(const fs::path& path) {
  const std::optional<fs::path> folder = examples_folder();
  std::error_code error;
  if (!folder || path.filename().empty() || fs::exists(path, error)) return "";
  fs::path name = path.filename();
  if (!name.has_extension()) name += ".toml";
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(*folder, error)) {
    if (entry.path().filename() == name) found.push_back(entry.path());
  }
  const auto least = std::min_element(found.begin(), found.end());
  return least == found.end() ? "" : "; an example of this name is " + least->string();
}

fs::path example_path(const fs::path& name) {
  std::error_code error;
  fs::path here = fs::path("configs") / name;
  if (fs::exists(here, error)) return here;
  const std::optional<fs::path> folder = examples_folder();
  return folder ? *folder / name : here;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == 0) return "?";
  return name.data();
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace graspmap
