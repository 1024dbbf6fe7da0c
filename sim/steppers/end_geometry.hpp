#pragma once

#include <cstdint>
#include <memory>

#include "sim/planar/stepper.hpp"

namespace graspmap {

/// How the steppers whose geometry is that at the end of the step linearise it.
enum class EndGeometry : std::uint8_t {
  kFrozen,  ///< W at the last iterate: a fixed-point iteration
  kNewton   ///< W follows nu: Josephy and Newton's method
};

/// Solves a step with normals, arms and gaps at q^(l+1) = q^l + h nu^(l+1) by a sequence of linear
/// steps from q^l + h v^l. Its residual is that of the nonlinear equations; kIterationLimit when it
/// does not fall below the tolerance (or below what rounding of the poses leaves of it, for small
/// steps from rest and almost flat boundaries), or the status of a linear step that failed. Where
/// Newton's iteration fails the fixed-point iteration is tried. Table friction is polyhedral.
std::unique_ptr<PlanarStepper> make_end_geometry_stepper(EndGeometry linearisation,
                                                         const StepperSettings& settings);

}  // namespace graspmap
