#pragma once

#include <memory>

#include "lab/planar/stepper.hpp"

namespace graspmap {

/// The stabilised LCP stepper of Hart and Anitescu 2003, eq. (2.8)-(2.12): one linear step with the
/// geometry at q^l, for the contacts of a gap up to active_gap_mm there (2.13), by default those
/// that the step could close. Overlaps are O(h^2 |v|^2) and corrected in the next step.
std::unique_ptr<PlanarStepper> make_anitescu_hart(const StepperSettings& settings);

/// The same without stabilisation, Upsilon = Delta = 0: n^T v >= 0 at all those contacts, however
/// far apart; by default at those that touch or overlap.
std::unique_ptr<PlanarStepper> make_anitescu_hart_unstabilised(const StepperSettings& settings);

/// The optimisation variant (2.10), a convex program per step: the one for many bodies. The
/// residual is that of the program.
std::unique_ptr<PlanarStepper> make_anitescu_hart_convex(const StepperSettings& settings);

}  // namespace graspmap
