#pragma once

#include <memory>

#include "lab/planar/stepper.hpp"

namespace graspmap {

/// The geometrically implicit step as the full mixed nonlinear complementarity problem of
/// Chakraborty et al. 2014, see FullMncp, with the active index k1 of intersections against
/// intersections (section 7 there) chosen within the step: the surface with the largest
/// f_i(a2) / |grad f_i| at the predicted pose, and another one where the solution refutes it.
///
/// Solved by Newton's method on the natural map with full steps (`solve_full_newton`), inside the
/// active-set method (`FullActiveSet`), from a guess of the impulses by Gauss-Seidel sweeps, else
/// from the predicted pose, else from the start's, else along growing steps from h = 0, then with
/// more iterations; then by the methods that descend on a merit; then, for few contacts, for every
/// combination of open, sticking and sliding ones. Nothing is taken over from the step before.
///
/// Status: kSolved when the scaled residual is within the tolerance (within 100 times it, when no
/// try gets lower: `residual` says), functions and pairs that were left out hold, and no rigid pair
/// overlaps by more than 5e-10 of the largest body's radius. Else the last try's, kStalled where
/// that had found a solution that is refuted. A contact of `PlanarStep` is one of two convex
/// pieces: of edges along each other its points are the equivalent contact point, where p_n
/// balances the moments. Where impulses are not unique the shortest change of them is taken in each
/// iteration; friction may leave the motion undetermined too (a jaw that slides past a part held by
/// the table). A layer's deflection is forgotten when its pair is out of reach.
std::unique_ptr<PlanarStepper> make_implicit_full(const StepperSettings& settings);

}  // namespace graspmap
