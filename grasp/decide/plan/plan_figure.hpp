#pragma once

#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/plan/placement_plan.hpp"

namespace graspmap {

/// The success map and, for a given error, the map of the expected success over the nominal
/// placement, both with what the plan found: the placements with the ellipses that hold 95 % of
/// the error, and the largest errors for a required probability. Of a map with a third axis it
/// shows the slice of the best placement. plan_map.gp draws plan_map.png and plan_map.svg from
/// plan_map.csv.
Figure plan_figure(const PlacementPlan& plan, const SuccessField& field);

}  // namespace graspmap
