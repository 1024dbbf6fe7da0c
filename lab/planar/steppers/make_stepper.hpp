#pragma once

#include <cstdint>
#include <memory>

#include "lab/planar/stepper.hpp"

namespace graspmap {

/// The time-stepper of planar scenes of a kind.
std::unique_ptr<PlanarStepper> make_stepper(StepperKind kind, const StepperSettings& settings);

/// How the steppers whose geometry is that at the end of the step linearise it.
enum class EndGeometry : std::uint8_t {
  kFrozen,  ///< W at the last iterate: a fixed-point iteration
  kNewton   ///< W follows nu: Josephy and Newton's method
};

/// Solves a step with normals, arms and gaps at q^(l+1) = q^l + h nu^(l+1) by a sequence of linear
/// steps from q^l + h v^l. Its residual is that of the nonlinear equations, without what rounding
/// of the poses leaves of gaps; kIterationLimit when it does not fall below the tolerance, or the
/// status of a linear step that failed. Table friction is polyhedral.
///
/// kNewton: where the linear step ends in a ray, Newton's step within the pattern of the frozen
/// one's solution is tried; where the iteration fails, the fixed-point iteration; where that fails
/// with an impulse on a superellipse that has flats, the full problem (make_implicit_full), except
/// in scenes with table friction or soft layers. `iterations` counts all of them. Scenes with a law
/// that has `layers` are solved by the full problem from the start.
std::unique_ptr<PlanarStepper> make_end_geometry_stepper(EndGeometry linearisation,
                                                         const StepperSettings& settings);

}  // namespace graspmap
