#pragma once

#include "lab/validation/spatial_run.hpp"

namespace graspmap {

/// Adds the rows of Xie and Chakraborty 2020, section V: given the velocities at a step's end, the
/// equations of motion and the plane of contact determine the contact's impulses and the equivalent
/// contact point (eq. (20)-(28)), where p_n > 0. They are solved for the steps of a run in which
/// the body has one contact with a fixed half-space that carries 1 per cent of its weight or more,
/// and compared with what the time-stepper found together with the motion. `run` says which.
void add_contact_uniqueness(const std::string& run, const SpatialSceneFile& file,
                            const SpatialRun& seen, ExampleReport& report);

}  // namespace graspmap
