#pragma once

#include <vector>

#include "lab/planar/stepper.hpp"

namespace graspmap {

/// The contacts that a step may close: with active_gap_mm >= 0 those of a gap up to that at `at`
/// (Hart and Anitescu 2003, eq. (2.13)), else those within the reach of a step at its start.
std::vector<ContactKey> candidate_contacts(const PlanarScene& scene, const PlanarState& start,
                                           const PlanarState& at, double h,
                                           const StepperSettings& settings);

/// The gap up to which contacts count as closed: those at rest are to rounding only.
double closed_gap_mm(const PlanarScene& scene, const PlanarState& start, double h);

/// Appends the contacts that overlap by more than `slack_mm` at the end of a step and are not among
/// `keys` (Stewart and Trinkle 2000, section 4). False when there are none.
bool add_overlapping(const PlanarScene& scene, const PlanarState& end, double slack_mm,
                     std::vector<ContactKey>& keys);

}  // namespace graspmap
