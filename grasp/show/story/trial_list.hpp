#pragma once

#include <string>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// A table of trials for a person, with a head: index, outcome, worst residual and gap, steps,
/// placement and friction.
std::string trial_list_text(const std::vector<TrialRow>& rows);

}  // namespace graspmap
