#include "grasp/commands/analysis_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "grasp/figures/draw_figures.hpp"
#include "grasp/io/atomic_file.hpp"
#include "grasp/process/orderly_end.hpp"
#include "grasp/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

void write_files(const fs::path& folder, const std::vector<AnalysisFile>& files) {
  std::vector<StagedFile> staged;
  staged.reserve(files.size());
  for (const AnalysisFile& file : files) staged.emplace_back(folder / file.name, file.text);
  for (StagedFile& file : staged) file.commit();
}

std::string names(const std::vector<AnalysisFile>& files) {
  std::vector<std::string> list;
  for (const AnalysisFile& file : files) list.push_back(file.name);
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string names(const std::vector<Figure>& figures) {
  std::vector<std::string> list;
  for (const Figure& figure : figures) list.push_back(figure.name + ".png");
  return fmt::format("{}", fmt::join(list, ", "));
}

/// A failure is a warning: the results are safe already.
void draw(const fs::path& folder, const std::vector<Figure>& figures) {
  std::cout.flush();
  try {
    draw_figures(folder, figures);
    std::cout << fmt::format("Figures: {}\n", names(figures));
  } catch (const IoError& error) {
    std::cerr << fmt::format(
        "graspmap: warning: no figures: {}. The results are complete; the same command draws "
        "them later.\n",
        error.what());
  }
}

}  // namespace

void save_analysis(const fs::path& folder, const std::vector<AnalysisFile>& files,
                   const std::vector<Figure>& figures, bool plots) {
  {
    const Unbroken moment;
    create_folder(folder);
    write_files(folder, files);
  }
  std::cout << fmt::format("\nFiles in {}: {}\n", folder.string(), names(files));
  if (plots && !figures.empty()) draw(folder, figures);
}

}  // namespace graspmap
