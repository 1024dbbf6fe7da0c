#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grasp/base/pictures/heat_panels.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// Placements are seen from the part: each map of them shows it, and where the fingers open.

/// What a map shows besides its cells.
struct ShownGrasp {
  double theta_rad = 0.0;            ///< of the part
  std::optional<Vec2> fingers_mm{};  ///< the placement of the open fingers, if they are drawn
  std::string where = "the sweet spot";
};

/// A grasp at the sweet spot; a part alone without one, or in another slice.
ShownGrasp grasp_at(const SweetSpot& spot, int slice, const Axis& theta_rad);

/// Draws part and fingers to scale, and widens what the panel's axes show until both are seen, to
/// by 1.5 times the map's longer side at most. Fingers that lie beyond are not named in the legend.
void draw_grasp(const Scenario& scenario, const ShownGrasp& grasp, HeatPanel& panel);
/// The same in each panel of a figure.
void draw_grasp(const Scenario& scenario, const ShownGrasp& grasp, std::vector<HeatPanel>& panels);

/// Lets the axes of all panels show the same: of more than six panels the map and half its
/// longer side around it at most. One entry of the legend says what is drawn in all.
void share_window(std::vector<HeatPanel>& panels);

}  // namespace graspmap
