#pragma once

#include <memory>

#include "sim/closing/stepper_kind.hpp"
#include "sim/planar/stepper.hpp"

namespace graspmap {

/// The time-stepper of planar scenes of a kind.
std::unique_ptr<PlanarStepper> make_stepper(StepperKind kind, const StepperSettings& settings);

}  // namespace graspmap
