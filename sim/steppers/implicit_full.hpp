#pragma once

#include <memory>

#include "sim/planar/stepper.hpp"

namespace graspmap {

/// The geometrically implicit step as the full mixed nonlinear complementarity problem of
/// 000_14f00f4ae61b7d54.txt, see FullMncp, with the active index k1 of intersections against
/// intersections (section 7 there) chosen within the step: the surface with the largest
/// f_i(a2) / |grad f_i| at the predicted pose, and another one where the solution refutes it.
///
/// Solved by the semismooth Newton method on the natural map, else on the Fischer-Burmeister
/// function, from the predicted pose, else from the start's, else along growing steps. A step is
/// solved (kSolved) when the scaled residual is within the tolerance, functions and pairs that were
/// left out hold, and no rigid pair overlaps. Else the status is that of the last try.
std::unique_ptr<PlanarStepper> make_implicit_full(const StepperSettings& settings);

}  // namespace graspmap
