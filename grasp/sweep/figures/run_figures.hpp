#pragma once

#include <optional>
#include <string>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// What the figures of one run show.
struct FigureInput {
  const SuccessMap& map;
  SweetSpot sweet_spot;
  double plateau_probability = 0.95;  ///< the outline drawn in the success map
  std::string title;                  ///< any text
};

/// The heat map of success probability with the plateau's outline and the sweet spot. Of several
/// angles, a panel for each, with the sweet spot in its own. Of more than 25 angles every second,
/// third, ... is drawn, the sweet spot's among them.
Figure success_map_figure(const FigureInput& input);

/// The 3-D histogram, a bar on each cell, in the manner of Fig. 10 of Chakraborty et al. 2014.
Figure histogram_figure(const FigureInput& input);

/// The same for the cells with x >= 0, which shows the section at x = 0; nothing without such
/// cells.
std::optional<Figure> half_histogram_figure(const FigureInput& input);

/// One map for each outcome that occurs, of its share of all trials of a cell, for a map of one
/// cell of angles.
Figure outcomes_figure(const FigureInput& input);

/// The number of trials in each cell with the sweet spot; nothing when all have the same, or one
/// more than others.
std::optional<Figure> trials_figure(const FigureInput& input);

}  // namespace graspmap
