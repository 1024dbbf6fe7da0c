#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/sweep/config/success_rule.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/hold/hold.hpp"

namespace graspmap {

/// True when all conditions of an alternative hold at the end of a simulation that leaves P at
/// `pose` in G. One that names nothing for the left and the right finger needs a part that is held:
/// both fingers must touch it, whatever they touch. `hold_factor`: of [hold], where the rule asks
/// for it.
bool holds(const SuccessAlternative& rule, const SimulationResult& result, const Pose2& pose,
           double hold_factor = kMostHoldFactor);

/// Whether an alternative asks for the hold factor.
bool asks_for_hold(const std::vector<SuccessAlternative>& success);

/// A condition of the success rule that does not hold, and what there is in its place.
struct UnmetCondition {
  std::string key;     ///< of [[success]]: "left", "theta_rad"; or "held": both jaws touch the part
  std::string wanted;  ///< "tooth_1", "-0.01 to 0.01"
  std::string found;   ///< "tooth_3, tooth_4", "0.21"
  std::optional<double> value = {};  ///< that a window does not contain, with the key's unit
};

/// Why a finished simulation is no success: what does not hold of the alternative that lacks the
/// fewest conditions, the first of these; nothing when one holds.
std::vector<UnmetCondition> unmet_conditions(const std::vector<SuccessAlternative>& success,
                                             const Part& part, const SimulationResult& result,
                                             const Pose2& pose,
                                             double hold_factor = kMostHoldFactor);

/// Whether the condition with this key asks what is touched.
bool is_touch(std::string_view key);

/// "left touches tooth_3, wanted tooth_1", "theta_rad is 0.21, wanted -0.01 to 0.01".
std::string unmet_sentence(const UnmetCondition& condition);

/// The names of features of a part; an empty text without any.
std::string feature_names(const Part& part, const std::vector<int>& features,
                          const char* separator = ", ");
/// The same, but "nothing" without any.
std::string touched_text(const Part& part, const std::vector<int>& features);

}  // namespace graspmap
