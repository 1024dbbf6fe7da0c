#include "grasp/base/io/work_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include <cerrno>
#include <cstring>
#include <utility>

#include "grasp/base/io/errors.hpp"

namespace graspmap {
namespace fs = std::filesystem;

WorkFolder::WorkFolder(TemporaryPath temporary) : temporary_(std::move(temporary)) {}

WorkFolder::WorkFolder(fs::path path) : temporary_(std::move(path)) {
  const Unbroken moment;
  std::error_code error;
  fs::remove_all(this->path(), error);
  fs::create_directory(this->path(), error);
  if (error) throw IoError(fmt::format("{}: {}", this->path().string(), error.message()));
}

WorkFolder WorkFolder::with_own_name() {
  const Unbroken moment;
  std::string name = (fs::temp_directory_path() / "graspmap-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw IoError(fmt::format("{}: {}", name, std::strerror(errno)));
  }
  return WorkFolder(TemporaryPath(name));
}

void WorkFolder::move_files_to(const fs::path& folder) const {
  const Unbroken moment;
  std::error_code error;
  fs::create_directory(folder, error);
  for (const fs::directory_entry& file : fs::directory_iterator(path())) {
    if (!error) fs::rename(file.path(), folder / file.path().filename(), error);
  }
  if (error) throw IoError(fmt::format("{}: {}", folder.string(), error.message()));
  note_written();
}

}  // namespace graspmap
