#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"

namespace graspmap {

/// What is asked about the widths of the distributions at a placement.
struct WidthQuestion {
  AimAndRobot aim;
  double required = 0.95;  ///< probability of success
  double confidence = 0.95;
  std::int64_t trials = 4000;  ///< grasps for each width
};

/// How wide a distribution may be, at the most.
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
  SampleCounts today;  ///< with all widths as they are
  Interval interval;   ///< of that
  std::vector<InputWidthLimit> inputs;
};

/// The largest widths at which a grasp still succeeds as often as required. Widths are an eighth of
/// an octave (9 %) apart, from a sixteenth to four times today's; success is taken to fall with the
/// width. All widths are compared on one sample. `show` gets the share of the work that is done;
/// it may be empty.
WidthLimits width_limits(const std::vector<ToleranceInput>& inputs, const WidthQuestion& question,
                         const SimulateWidths& simulate,
                         const std::function<void(double)>& show = {});

/// One row: a tolerance with two widths, as multiples of today's.
struct WidthRow {
  std::string name;
  double first = 0.0;
  std::string first_text;  ///< the width as it is read
  double second = 0.0;
  std::string second_text;
};

/// A figure of widths: a pair of bars for each tolerance, and a line at today's width.
struct WidthFigureInput {
  std::string name;      ///< of its files
  std::string title;     ///< any text
  std::string subtitle;  ///< any text
  std::string first_title;
  std::string second_title;
  std::vector<WidthRow> rows;
};

Figure width_figure(const WidthFigureInput& input);

/// For a person: a table of the inputs.
std::string width_limits_text(const WidthLimits& limits);
/// The fields of an object in a JSON document.
Object width_limits_fields(const WidthLimits& limits);
/// A row for each input.
Table width_limits_table(const WidthLimits& limits);
/// `name`.gp draws `name`.png and `name`.svg.
Figure width_limits_figure(const WidthLimits& limits, const std::string& name,
                           const std::string& title);

/// "half_width" or "sigma", as files call what a width is.
const char* name(WidthMeasure measure);

/// The fields of a placement in an object of a JSON document.
Object aim_fields(const AimAndRobot& aim);

/// A placement as it is printed: "(0, -10) mm"; with an angle when the sweep has several.
std::string aim_text(const AimAndRobot& aim);

}  // namespace graspmap
