#include "grasp/figures/drawn_gif.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "grasp/figures/gif.hpp"
#include "grasp/io/atomic_file.hpp"
#include "grasp/io/gnuplot.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// A folder for gnuplot to work in, removed in the end.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "graspmap-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw IoError(fmt::format("{}: {}", name, std::strerror(errno)));
    }
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::string drawn_gif(const std::string& script, const std::string& output, double hold_s,
                      const std::string& gnuplot) {
  const WorkFolder folder;
  const fs::path file = folder.path() / fs::path(output).replace_extension(".gp");
  write_file_atomically(file, script);
  run_gnuplot(file, gnuplot);
  std::ifstream stream(folder.path() / output, std::ios::binary);
  std::string gif{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  hold_last_frame(gif, hold_s);
  return gif;
}

}  // namespace graspmap
