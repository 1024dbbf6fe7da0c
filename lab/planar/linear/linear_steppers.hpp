#pragma once

#include <memory>

#include "lab/planar/stepper.hpp"

namespace graspmap {

/// The LCP stepper of Stewart and Trinkle 2000, eq. (13)-(20): one linear step with the geometry at
/// q^l + h v^l, and again with the contacts that it left out and that overlap at its end
/// (section 4). The gaps of the linearisation do not become negative; those of curved shapes do,
/// by O(h^2). What one step's linearisation got wrong the next one corrects at once, with impulses
/// that may be far too large (section 3.4): chains of pins that swing fast need small steps.
std::unique_ptr<PlanarStepper> make_stewart_trinkle(const StepperSettings& settings);

/// The modification of section 3.3: n^T v >= 0 for the contacts that touch or overlap at
/// q^l + h v^l (or have a gap of at most active_gap_mm there), without a position term. Overlaps
/// are not corrected.
std::unique_ptr<PlanarStepper> make_anitescu_potra(const StepperSettings& settings);

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
