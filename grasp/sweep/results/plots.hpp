#pragma once

#include <filesystem>
#include <string>

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// The folder of the figures in the folder of a run.
inline constexpr const char* kFiguresFolder = "figures";

/// Draws the figures of a run into RUN_DIR/figures/: success_map, histogram_3d, histogram_3d_half
/// (the cells with x >= 0, where there are any), outcomes, and trials (where cells have different
/// numbers of them, as in adaptive runs), each as PNG and SVG, with the gnuplot script that draws
/// them (`gnuplot success_map.gp` in that folder) and, as CSV, what it draws: the values of the
/// cells or the histograms' faces. Of a map of several angles, the success map has a panel for
/// each, and the others show the sweet spot's.
///
/// `title` is any text. The success map outlines the cells with success probability >=
/// `plateau_probability`. `gnuplot` is a program on the PATH or a path. The same input gives the
/// same files, byte for byte. Nothing is put into the folder until all figures are complete; other
/// files in it are left alone. Throws IoError when gnuplot is missing or fails, or when a file
/// cannot be written.
void make_figures(const std::filesystem::path& run_dir, const SuccessMap& map,
                  const SweetSpot& sweet_spot, const std::string& title,
                  double plateau_probability = 0.95, const std::string& gnuplot = "gnuplot");

}  // namespace graspmap
