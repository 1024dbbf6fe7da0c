#pragma once

#include <Eigen/Core>

#include "lab/spatial/step_contact.hpp"

namespace graspmap {

/// Sets the multipliers that are not zero and the kind of patch of a contact, whose points and
/// impulse are known, from a solution of the step: z its unknowns, R the bodies' axes at
/// the end. A patch is a point, line or surface as the functions with multipliers leave none, one
/// or two directions in which both bodies are flat (Xie and Chakraborty 2020 count the facets).
void set_patch(const StepContact& contact, const Eigen::VectorXd& z, const SpatialScales& scales,
               const Mat3& R_a, const Mat3& R_b, SpatialContact& read);

}  // namespace graspmap
