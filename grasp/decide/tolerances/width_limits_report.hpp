#pragma once

#include <string>

#include "grasp/base/io/json.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"

namespace graspmap {

/// For a person: a table of the inputs.
std::string width_limits_text(const WidthLimits& limits);
/// The fields of an object in a JSON document.
void write_width_limits(JsonWriter& json, const WidthLimits& limits);
/// A row for each input.
std::string width_limits_csv(const WidthLimits& limits);
/// `name`.gp draws `name`.png and `name`.svg.
Figure width_limits_figure(const WidthLimits& limits, const std::string& name,
                           const std::string& title);

/// "half_width" or "sigma", as files call what a width is.
const char* name(WidthMeasure measure);

/// A placement as it is printed: "(0, -10) mm"; with an angle when the sweep has several.
std::string aim_text(const AimAndRobot& aim);

/// A measured probability in percent, with a second digit where its interval is that narrow.
std::string percent_text(double probability, const Interval& interval);
/// "97.7 to 98.5 %".
std::string ends_text(const Interval& interval);

}  // namespace graspmap
