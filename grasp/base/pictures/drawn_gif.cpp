#include "grasp/base/pictures/drawn_gif.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/work_folder.hpp"
#include "grasp/base/pictures/gif.hpp"

namespace graspmap {
namespace fs = std::filesystem;

std::string drawn_gif(const std::string& script, const std::string& output, double hold_s,
                      const std::string& gnuplot) {
  const WorkFolder folder = WorkFolder::with_own_name();
  const fs::path file = folder.path() / fs::path(output).replace_extension(".gp");
  write_file_atomically(file, script);
  run_gnuplot(file, gnuplot);
  std::ifstream stream(folder.path() / output, std::ios::binary);
  std::string gif{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  hold_last_frame(gif, hold_s);
  return gif;
}

}  // namespace graspmap
