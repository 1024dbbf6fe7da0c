#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"

namespace graspmap {

/// Draws figures into `folder`: of each its script NAME.gp, its pictures NAME.png and NAME.svg and,
/// where it has data, NAME.csv. They are made in a folder FOLDER.partial beside it, so the folder
/// that `folder` lies in must be there, and scripts may read ../FILE. Nothing is put into `folder`
/// until all figures are complete; other files in it are left alone. `gnuplot` is a program on the
/// PATH or a path. The same figures give the same files, byte for byte. Throws IoError when gnuplot
/// is missing or fails, or when a file cannot be written.
void draw_figures(const std::filesystem::path& folder, const std::vector<Figure>& figures,
                  const std::string& gnuplot = "gnuplot");

}  // namespace graspmap
