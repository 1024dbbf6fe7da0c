#include "grasp/results/plots.hpp"

#include <vector>

#include "grasp/figures/draw_figures.hpp"
#include "grasp/figures/figure.hpp"

namespace graspmap {
namespace {

std::vector<Figure> all_figures(const FigureInput& input) {
  std::vector<Figure> figures{success_map_figure(input), histogram_figure(input),
                              outcomes_figure(input)};
  if (auto half = half_histogram_figure(input)) figures.push_back(std::move(*half));
  if (auto trials = trials_figure(input)) figures.push_back(std::move(*trials));
  return figures;
}

/// The figures of a map of several angles: the success map has a panel for each, the others show
/// the sweet spot's, or the middle one without a sweet spot.
std::vector<Figure> all_figures_of_angles(const FigureInput& input) {
  const SweetSpot& spot = input.sweet_spot;
  const int k = spot.found ? spot.cell_theta : input.map.theta_rad.cells / 2;
  const SuccessMap slice = input.map.slice(k);
  std::vector<Figure> figures =
      all_figures({slice, spot, input.plateau_probability, input.title, k});
  figures.front() = angle_maps_figure(input);
  return figures;
}

}  // namespace

void make_figures(const std::filesystem::path& run_dir, const SuccessMap& map,
                  const SweetSpot& sweet_spot, const std::string& title, double plateau_probability,
                  const std::string& gnuplot) {
  const FigureInput input{map, sweet_spot, plateau_probability, title};
  const bool one_angle = map.theta_rad.cells == 1;
  draw_figures(run_dir / kFiguresFolder,
               one_angle ? all_figures(input) : all_figures_of_angles(input), gnuplot);
}

}  // namespace graspmap
