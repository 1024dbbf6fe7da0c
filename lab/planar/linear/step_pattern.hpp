#pragma once

#include "lab/planar/linear/linear_step.hpp"

namespace graspmap {

/// Solves a linear step (with its geometric terms) within the pattern of `solution`: contacts
/// without an impulse stay open, those with one stay closed and stick or slide as they do there.
/// What is left is a linear system; where impulses are not unique, the change of least norm. This
/// is the step of Newton's method where Lemke's method ends in a ray, as it may when forces turn
/// fast with the configuration. The impulses found may have the wrong sign: the residual decides.
/// False for steps with friction on tables, and when the result is not finite.
bool solve_in_pattern(const LinearStep& step, StepSolution& solution);

}  // namespace graspmap
