#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/figures/figure.hpp"

namespace graspmap {

/// A file that an analysis leaves behind: its name in the folder and its text.
struct AnalysisFile {
  std::string name;
  std::string text;
};

/// Writes the files of an analysis into a folder, which is made if need be, and draws its figures
/// there when `plots` is true; says where they are. All files are complete under temporary names
/// before the first gets its name. A failure of gnuplot is a warning. Throws IoError.
void save_analysis(const std::filesystem::path& folder, const std::vector<AnalysisFile>& files,
                   const std::vector<Figure>& figures, bool plots);

}  // namespace graspmap
