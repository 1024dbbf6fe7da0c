#pragma once

#include <memory>

#include "lab/planar/stepper.hpp"
#include "sim/closing/stepper_kind.hpp"

namespace graspmap {

/// The time-stepper of planar scenes of a kind.
std::unique_ptr<PlanarStepper> make_stepper(StepperKind kind, const StepperSettings& settings);

}  // namespace graspmap
