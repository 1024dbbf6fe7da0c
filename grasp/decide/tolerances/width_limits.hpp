#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "grasp/decide/tolerances/tolerance_inputs.hpp"
#include "grasp/decide/tolerances/width_sample.hpp"

namespace graspmap {

/// What is asked about the widths of the laws at a placement.
struct WidthQuestion {
  AimAndRobot aim;
  double required = 0.95;  ///< probability of success
  double confidence = 0.95;
  std::int64_t trials = 4000;  ///< grasps for each width
};

/// How wide a law may be, at the most.
enum class WidthState {
  kNever,      ///< not even exact
  kExactOnly,  ///< exact, but not at a sixteenth of today's width
  kLimited,    ///< up to a width
  kAny         ///< as wide as was looked at: four times today's width
};

/// A word for a state, as files have it: "never", "exact_only", "limited", "any".
const char* name(WidthState state);

struct WidthLimit {
  WidthState state = WidthState::kNever;
  double factor = 0.0;  ///< of today's width: the largest that does; kAny: the largest looked at
};

/// The limits of one input, all others as they are.
struct InputWidthLimit {
  ToleranceInput input;
  WidthLimit estimate;    ///< the estimate reaches what is required
  WidthLimit confidence;  ///< the lower end of its interval does
};

struct WidthLimits {
  WidthQuestion question;
  SuccessCount today;  ///< with all widths as they are
  Interval interval;   ///< of that
  std::vector<InputWidthLimit> inputs;
};

/// The largest widths at which a grasp still succeeds as often as required. Widths are an eighth of
/// an octave (9 %) apart, from a sixteenth to four times today's; success is taken to fall with the
/// width. All widths are compared on one sample. `show` is told the share of the work that is done;
/// it may be empty.
WidthLimits width_limits(const std::vector<ToleranceInput>& inputs, const WidthQuestion& question,
                         const SimulateWidths& simulate,
                         const std::function<void(double)>& show = {});

}  // namespace graspmap
