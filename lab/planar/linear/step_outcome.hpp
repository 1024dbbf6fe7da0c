#pragma once

#include "lab/planar/linear/linear_step.hpp"

namespace graspmap {

/// Writes what a solved linear step means: the state h later, the contacts there with the impulses
/// of `solution`, the deflections of the soft ones (all others relax freely), the impulses of pins
/// and tables. Statuses, residuals and counts are left alone.
void set_outcome(const PlanarScene& scene, const PlanarState& start, double h,
                 const LinearStep& linear, const StepSolution& solution, PlanarStep& step);

}  // namespace graspmap
