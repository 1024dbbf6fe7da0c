#include "grasp/sweep/results/plots.hpp"

#include <vector>

#include "grasp/base/pictures/draw_figures.hpp"
#include "grasp/sweep/figures/run_figures.hpp"

namespace graspmap {
namespace {

/// The success map shows all angles, the others that of the sweet spot, or the middle one without a
/// sweet spot.
std::vector<Figure> all_figures(const FigureInput& input) {
  const SweetSpot& spot = input.sweet_spot;
  const SuccessMap slice =
      input.map.slice(spot.found ? spot.cell_theta : input.map.theta_rad.cells / 2);
  const FigureInput one_angle{slice, spot, input.plateau_probability, input.title};
  std::vector<Figure> figures{success_map_figure(input), histogram_figure(one_angle),
                              outcomes_figure(one_angle)};
  if (auto half = half_histogram_figure(one_angle)) figures.push_back(std::move(*half));
  if (auto trials = trials_figure(one_angle)) figures.push_back(std::move(*trials));
  return figures;
}

}  // namespace

void make_figures(const std::filesystem::path& run_dir, const SuccessMap& map,
                  const SweetSpot& sweet_spot, const std::string& title, double plateau_probability,
                  const std::string& gnuplot) {
  draw_figures(run_dir / kFiguresFolder, all_figures({map, sweet_spot, plateau_probability, title}),
               gnuplot);
}

}  // namespace graspmap
