#include "grasp/decide/tolerances/width_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/pictures/figure.hpp"

namespace graspmap {
namespace {

constexpr int kStepsPerOctave = 8;
constexpr int kNarrowestStep = -4 * kStepsPerOctave;
constexpr int kWidestStep = 2 * kStepsPerOctave;

double factor_of_step(int step) { return std::exp2(static_cast<double>(step) / kStepsPerOctave); }

}  // namespace

const char* name(WidthState state) {
  constexpr std::array kNames = {"never", "exact_only", "limited", "any"};
  return kNames[static_cast<std::size_t>(state)];
}

WidthLimits width_limits(const std::vector<ToleranceInput>& inputs, const WidthQuestion& question,
                         const SimulateWidths& simulate, const std::function<void(double)>& show) {
  const double z = two_sided_z(question.confidence);
  WidthSample sample(simulate, question.trials);
  WidthLimits limits;
  limits.question = question;
  limits.today = sample.count(std::vector<double>(inputs.size(), 1.0));
  limits.interval = limits.today.interval(z);
  const double sure = share_for_confidence(question.required, question.trials, z);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (show) show(static_cast<double>(k) / static_cast<double>(inputs.size()));
    std::vector<double> factors(inputs.size(), 1.0);
    const auto largest = [&](double share) -> WidthLimit {
      const auto reaches = [&](double factor) {
        factors[k] = factor;
        return sample.reaches(factors, share);
      };
      int low = 0;
      int high = kWidestStep;
      if (reaches(factor_of_step(high))) return {WidthState::kAny, factor_of_step(high)};
      if (!reaches(1.0)) {
        low = kNarrowestStep;
        high = 0;
        if (!reaches(factor_of_step(low))) {
          return {reaches(0.0) ? WidthState::kExactOnly : WidthState::kNever, 0.0};
        }
      }
      while (high - low > 1) {
        const int middle = (high + low) / 2;
        (reaches(factor_of_step(middle)) ? low : high) = middle;
      }
      return {WidthState::kLimited, factor_of_step(low)};
    };
    const WidthLimit estimate = largest(question.required);
    limits.inputs.push_back({inputs[k], estimate, largest(sure)});
  }
  if (show) show(1.0);
  return limits;
}

namespace {

constexpr int kWidthRowPixels = 90;
constexpr int kLetterPixels = 14;
constexpr std::size_t kMostLetters = 45;

constexpr const char* kWidthAxes = R"gp(
data = figure.'.csv'
set lmargin at screen name_pixels / canvas_width
set rmargin at screen 1 - text_pixels / canvas_width
set tmargin at screen 1 - 110. / canvas_height
set bmargin at screen 175. / canvas_height
set xrange [0:widest]
set yrange [-rows + 0.5:0.5]
set xtics out nomirror
set ytics out nomirror scale 0 noenhanced
set grid xtics lc rgb '#d0d0d0' lt 1
set border 3
set key at screen 0.5, screen 45. / canvas_height center center noenhanced
set label 1 name."\n".subtitle at screen 0.5, screen 1 - 40. / canvas_height center noenhanced
set style textbox opaque noborder margins 0.3, 0.2  # no grid line through a width
set xlabel 'width, as a multiple of today''s'
set arrow 1 from 1, graph 0 to 1, graph 1 nohead lw 2 dt 2 lc rgb '#d62728' front
y(offset) = 1 - column('row') + offset
)gp";

constexpr const char* kWidthBars = R"gp(
  plot data using (0):(y(0.18)):(0):'first':(y(0.02)):(y(0.34)) \
           with boxxyerror lc rgb '#9ecae1' fs solid noborder title first_title, \
       data using (0):(y(-0.18)):(0):'second':(y(-0.34)):(y(-0.02)) \
           with boxxyerror lc rgb '#08519c' fs solid noborder title second_title, \
       data using 'first':(y(0.18)):'first_text' with labels left offset 0.5,0 boxed noenhanced notitle, \
       data using 'second':(y(-0.18)):'second_text' with labels left offset 0.5,0 boxed noenhanced notitle
)gp";

}  // namespace

Figure width_figure(const WidthFigureInput& input) {
  std::string csv = "row,tolerance,first,first_text,second,second_text\n";
  std::string ticks;
  double widest = 1.2;
  std::size_t letters = 16;
  std::size_t text_letters = 12;
  int number = 0;
  for (const WidthRow& row : input.rows) {
    ticks += fmt::format("{}{} {}", number > 0 ? ", " : "", gnuplot_string(row.name), -number);
    csv += fmt::format("{},", ++number);
    append_csv_field(csv, row.name);
    csv += fmt::format(",{},", row.first);
    append_csv_field(csv, row.first_text);
    csv += fmt::format(",{},", row.second);
    append_csv_field(csv, row.second_text);
    csv += "\n";
    letters = std::min(std::max(letters, row.name.size()), kMostLetters);
    text_letters = std::max({text_letters, row.first_text.size(), row.second_text.size()});
    widest = std::max({widest, row.first, row.second});
  }
  const Canvas canvas{1200, 285 + kWidthRowPixels * number};
  const std::string script =
      script_start(input.name, "Widths of tolerances, as multiples of today's.",
                   gnuplot_string(input.title), gnuplot_string(input.subtitle), canvas) +
      kPictures +
      fmt::format(
          "first_title = {}\nsecond_title = {}\nset ytics ({})\nrows = {}\nwidest = {}\n"
          "name_pixels = {}.\ntext_pixels = {}.\n",
          gnuplot_string(input.first_title), gnuplot_string(input.second_title), ticks, number,
          widest, kLetterPixels * static_cast<int>(letters) + 30,
          kLetterPixels * static_cast<int>(text_letters) + 30) +
      kWidthAxes + for_each_picture(kWidthBars);
  return {input.name, script, csv};
}

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

Object limit_fields(const ToleranceInput& input, const WidthLimit& limit) {
  return {{"state", name(limit.state), "limited; any width searched; exact_only; never"},
          {"factor", limit.factor, "of today's width"},
          {"width", limit.factor * input.width}};
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

std::string aim_text(const AimAndRobot& aim) { return placement_text(aim.at, !aim.fixed_angle); }

std::string width_limits_text(const WidthLimits& limits) {
  const WidthQuestion& question = limits.question;
  TextTable table({"largest tolerance", "today", "by the estimate",
                   fmt::format("at {} confidence", given_percent(question.confidence))});
  for (const InputWidthLimit& one : limits.inputs) {
    table.add({one.input.key, width_text(one.input, one.input.width),
               limit_cell(one.input, one.estimate), limit_cell(one.input, one.confidence)});
  }
  return fmt::format(
             "How wide each tolerance may be for {} success at {}{},\nthe others as they are "
             "today; {} new grasps for each width. As it is today {} succeed\n({} interval "
             "{}).\n\n",
             given_percent(question.required), aim_text(question.aim),
             question.aim.error == std::array<Distribution, 3>{} ? ", without a positioning error"
                                                                 : ", with this positioning error",
             grouped(question.trials), fine_percent(limits.today.share(), limits.interval),
             given_percent(question.confidence), fine_percent_range(limits.interval)) +
         table.text() + "± is the half width of a uniform distribution, σ a standard deviation.\n";
}

Object aim_fields(const AimAndRobot& aim) {
  return {{"x_mm", aim.at[0]},
          {"y_mm", aim.at[1]},
          {"theta_rad", value_if(!aim.fixed_angle, aim.at[2]), "for a sweep over angles"}};
}

Object width_limits_fields(const WidthLimits& limits) {
  const auto input_fields = [](const InputWidthLimit& one) {
    return Object{
        {"key", one.input.key},
        {"measure", name(one.input.measure), "half_width of a uniform distribution, else sigma"},
        {"width", one.input.width, "today's"},
        {"estimate", limit_fields(one.input, one.estimate)},
        {"confidence", limit_fields(one.input, one.confidence)}};
  };
  return {aim_fields(limits.question.aim),
          {"trials", limits.question.trials, "new grasps for each width"},
          {"success_probability", limits.today.share(), "today's"},
          {"interval", limits.interval},
          {"inputs", list_of(limits.inputs, input_fields)}};
}

Table width_limits_table(const WidthLimits& limits) {
  return table_of<InputWidthLimit>(limits.inputs, [](const InputWidthLimit& one) {
    const double width = one.input.width;
    return Object{{"tolerance", one.input.key},
                  {"measure", name(one.input.measure)},
                  {"unit", one.input.unit},
                  {"today_width", width},
                  {"estimate", name(one.estimate.state)},
                  {"estimate_width", one.estimate.factor * width},
                  {"confidence", name(one.confidence.state)},
                  {"confidence_width", one.confidence.factor * width}};
  });
}

Figure width_limits_figure(const WidthLimits& limits, const std::string& name,
                           const std::string& title) {
  const WidthQuestion& question = limits.question;
  WidthFigureInput figure;
  figure.name = name;
  figure.title = title;
  figure.subtitle =
      fmt::format("largest widths for {} success at {}; today {}", given_percent(question.required),
                  aim_text(question.aim), fine_percent(limits.today.share(), limits.interval));
  figure.first_title = "by the estimate";
  figure.second_title = fmt::format("at {} confidence", given_percent(question.confidence));
  for (const InputWidthLimit& one : limits.inputs) {
    figure.rows.push_back({one.input.key, one.estimate.factor, bar_text(one.input, one.estimate),
                           one.confidence.factor, bar_text(one.input, one.confidence)});
  }
  return width_figure(figure);
}

}  // namespace graspmap
