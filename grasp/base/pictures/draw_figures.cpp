#include "grasp/base/pictures/draw_figures.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/work_folder.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// The folder in which the figures are made. It lies beside the folder that they are for, so that
/// the scripts find ../FILE and the finished files need only a new name.
fs::path staging_folder(const fs::path& folder) {
  return folder.parent_path() / (folder.filename().string() + ".partial");
}

/// A picture cut short by a full disk does not end as it should, and gnuplot may not say so.
void check_complete(const fs::path& picture, const std::string& ending) {
  std::ifstream file(picture, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  constexpr std::size_t kTail = 32;
  const std::string tail = bytes.substr(bytes.size() > kTail ? bytes.size() - kTail : 0);
  if (tail.find(ending) == std::string::npos) {
    throw IoError(fmt::format("{}: gnuplot did not write it completely; is the disk full?",
                              picture.filename().string()));
  }
}

void draw(const Figure& figure, const fs::path& folder, const std::string& gnuplot) {
  const fs::path script = folder / (figure.name + ".gp");
  write_file_atomically(script, figure.script);
  if (figure.data) write_file_atomically(folder / (figure.name + ".csv"), *figure.data);
  run_gnuplot(script, gnuplot);
  check_complete(folder / (figure.name + ".png"), "IEND");
  check_complete(folder / (figure.name + ".svg"), "</svg>");
}

/// The path with the folder's own name last, also for "figures/" and ".".
fs::path named(const fs::path& folder) {
  const bool is_dots = folder.filename() == "." || folder.filename() == "..";
  const fs::path path = (is_dots ? fs::absolute(folder) : folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

void draw_figures(const fs::path& folder, const std::vector<Figure>& figures,
                  const std::string& gnuplot) {
  const WorkFolder staging(staging_folder(named(folder)));
  for (const Figure& figure : figures) draw(figure, staging.path(), gnuplot);
  staging.move_files_to(folder);
}

}  // namespace graspmap
