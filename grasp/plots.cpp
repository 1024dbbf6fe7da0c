#include "grasp/plots.hpp"

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

}  // namespace

void make_figures(const std::filesystem::path& run_dir, const SuccessMap& map,
                  const SweetSpot& sweet_spot, const std::string& title, double plateau_probability,
                  const std::string& gnuplot) {
  const FigureInput input{map, sweet_spot, plateau_probability, title};
  draw_figures(run_dir / kFiguresFolder, all_figures(input), gnuplot);
}

}  // namespace graspmap
