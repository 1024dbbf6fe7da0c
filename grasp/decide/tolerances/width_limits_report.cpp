#include "grasp/decide/tolerances/width_limits_report.hpp"

#include <fmt/format.h>

#include "grasp/base/io/text_table.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/decide/tolerances/width_figure.hpp"

namespace graspmap {
namespace {

std::string limit_cell(const ToleranceInput& input, const WidthLimit& limit) {
  switch (limit.state) {
    case WidthState::kNever:
      return "not even when exact";
    case WidthState::kExactOnly:
      return "only when exact";
    case WidthState::kLimited:
      return fmt::format("{} ({:.2g} times)", width_text(input, limit.factor * input.width),
                         limit.factor);
    case WidthState::kAny:
      return fmt::format("any up to {} ({:.2g} times)",
                         width_text(input, limit.factor * input.width), limit.factor);
  }
  return "";
}

void write_limit(JsonWriter& json, const char* key, const InputWidthLimit& one,
                 const WidthLimit& limit) {
  json.object(key, [&] {
    json.field("state", name(limit.state));
    json.field("factor", limit.factor);
    json.field("width", limit.factor * one.input.width);
  });
}

std::string bar_text(const ToleranceInput& input, const WidthLimit& limit) {
  if (limit.state == WidthState::kNever) return "not even when exact";
  if (limit.state == WidthState::kExactOnly) return "only when exact";
  return width_text(input, limit.factor * input.width) +
         (limit.state == WidthState::kAny ? " or more" : "");
}

}  // namespace

const char* name(WidthMeasure measure) {
  return measure == WidthMeasure::kHalfWidth ? "half_width" : "sigma";
}

std::string aim_text(const AimAndRobot& aim) {
  const auto& [x, y, theta] = aim.at;
  if (aim.fixed_angle) return fmt::format("({:.6g}, {:.6g}) mm", x, y);
  return fmt::format("({:.6g}, {:.6g}) mm, {:.4g} rad", x, y, theta);
}

std::string percent_text(double probability, const Interval& interval) {
  return fmt::format("{:.{}f} %", 100 * probability, interval.high - interval.low < 0.005 ? 2 : 1);
}

std::string ends_text(const Interval& interval) {
  const int digits = interval.high - interval.low < 0.005 ? 2 : 1;
  return fmt::format("{:.{}f} to {:.{}f} %", 100 * interval.low, digits, 100 * interval.high,
                     digits);
}

std::string width_limits_text(const WidthLimits& limits) {
  const WidthQuestion& question = limits.question;
  TextTable table({"largest tolerance", "today", "by the estimate",
                   fmt::format("at {:.6g} % confidence", 100 * question.confidence)});
  for (const InputWidthLimit& one : limits.inputs) {
    table.add({one.input.key, width_text(one.input, one.input.width),
               limit_cell(one.input, one.estimate), limit_cell(one.input, one.confidence)});
  }
  return fmt::format(
             "How wide each tolerance may be for {:.6g} % success at {}{},\nthe others as they are "
             "today; {} new grasps for each width. As it is today {} succeed\n({:.6g} % interval "
             "{}).\n\n",
             100 * question.required, aim_text(question.aim),
             question.aim.sigma == std::array<double, 3>{} ? ", without a positioning error"
                                                           : ", with this positioning error",
             grouped(question.trials), percent_text(limits.today.share(), limits.interval),
             100 * question.confidence, ends_text(limits.interval)) +
         table.text() + "± is the half width of a uniform law, σ a standard deviation.\n";
}

void write_width_limits(JsonWriter& json, const WidthLimits& limits) {
  const WidthQuestion& question = limits.question;
  json.field("x_mm", question.aim.at[0]);
  json.field("y_mm", question.aim.at[1]);
  if (!question.aim.fixed_angle) json.field("theta_rad", question.aim.at[2]);
  json.field("trials", question.trials);
  json.field("success_probability", limits.today.share());
  json.interval("interval", limits.interval);
  json.objects("inputs", limits.inputs, [&](const InputWidthLimit& one) {
    json.field("key", one.input.key);
    json.field("measure", name(one.input.measure));
    json.field("width", one.input.width);
    write_limit(json, "estimate", one, one.estimate);
    write_limit(json, "confidence", one, one.confidence);
  });
}

std::string width_limits_csv(const WidthLimits& limits) {
  std::string csv =
      "tolerance,measure,unit,today_width,estimate,estimate_width,confidence,confidence_width\n";
  for (const InputWidthLimit& one : limits.inputs) {
    const double width = one.input.width;
    csv += fmt::format("{},{},{},{},{},{},{},{}\n", one.input.key, name(one.input.measure),
                       unit_of_key(one.input.key), width, name(one.estimate.state),
                       one.estimate.factor * width, name(one.confidence.state),
                       one.confidence.factor * width);
  }
  return csv;
}

Figure width_limits_figure(const WidthLimits& limits, const std::string& name,
                           const std::string& title) {
  const WidthQuestion& question = limits.question;
  WidthFigureInput figure;
  figure.name = name;
  figure.title = title;
  figure.subtitle =
      fmt::format("largest widths for {:.6g} % success at {}; today {}", 100 * question.required,
                  aim_text(question.aim), percent_text(limits.today.share(), limits.interval));
  figure.first_title = "by the estimate";
  figure.second_title = fmt::format("at {:.6g} % confidence", 100 * question.confidence);
  for (const InputWidthLimit& one : limits.inputs) {
    figure.rows.push_back({one.input.key, one.estimate.factor, bar_text(one.input, one.estimate),
                           one.confidence.factor, bar_text(one.input, one.confidence)});
  }
  return width_figure(figure);
}

}  // namespace graspmap
