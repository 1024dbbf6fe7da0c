#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/decide/lab_plan/lab_plan.hpp"
#include "grasp/sweep/figures/grasp_drawing.hpp"
#include "grasp/sweep/figures/map_figures.hpp"

namespace graspmap {
namespace {

std::string placement_words(const LabAnswer& answer) {
  const std::string where = answer.choice == PlacementChoice::kSpread
                                ? "spread over the map"
                                : "four in five where a trial is most informative, the rest spread";
  return fmt::format("{} placements, {}", answer.placements(), where);
}

/// What a test of the goal says when it is reached.
std::string reached_words(const LabGoal& goal) {
  if (std::holds_alternative<DetectGoal>(goal)) return "compare found a difference";
  if (std::holds_alternative<AgreeGoal>(goal)) return "compare said \"agrees\"";
  return "the interval was so narrow";
}

std::string checked_text(const LabPlan& plan) {
  const LabPower& checked = plan.answer.checked();
  const LabRequest& request = plan.question.request;
  const Interval interval = wilson_interval(checked.reached, checked.experiments);
  std::string text =
      fmt::format("Checked by simulation: of {} experiments {}, in {}\n{} (95 % interval {}).\n",
                  grouped(checked.experiments),
                  std::holds_alternative<DetectGoal>(request.goal) ? "with this change"
                                                                   : "as the model has them",
                  percent(checked.power()), reached_words(request.goal), percent_range(interval));
  if (std::holds_alternative<LearnGoal>(request.goal)) {
    text += fmt::format(
        "The median interval is {:.4g} wide; {} of the intervals held the true value.\n",
        sample_quantile(checked.widths, 0.5),
        percent(static_cast<double>(checked.covered) / static_cast<double>(checked.experiments)));
  }
  return text;
}

/// What a given number of trials can show.
std::string scope_text(const LabPlan& plan) {
  const LabScope& scope = *plan.answer.scope;
  TextTable table({"what may differ", "unit", "known to within", "found with 80 %"});
  for (const ChangeScope& change : scope.changes) {
    const double scale = change.change == Change::kLevel ? 100 : 1;
    table.add(
        {name(change.change), unit(change.change),
         fmt::format("±{:.3g}", scale * change.half_width),
         std::isnan(change.found_80) ? "-" : fmt::format("±{:.3g}", scale * change.found_80)});
  }
  return fmt::format(
      "Agreement within {:.1f} points is shown with a power of {} at {} confidence.\n\n"
      "{}Known to within: half the interval. Found: a difference of this size is found with 80 % "
      "probability.\nMedians of {} simulated experiments, as the model has them.\n",
      std::ceil(1000 * scope.within) / 10, given_percent(plan.question.request.power),
      given_percent(plan.question.request.confidence), table.text(), scope.experiments);
}

std::string left_out_text(const LabPlan& plan) {
  if (plan.pilot.cells_left_out == 0) return "";
  return fmt::format(
      "Left out: {} of the map's {} cells, where the open fingers would overlap the part.\n",
      plan.pilot.cells_left_out, plan.cells);
}

std::string other_text(const LabPlan& plan) {
  if (!plan.other) return "";
  const char* choice = name(plan.other->choice);
  if (!plan.other->search.found) {
    return fmt::format("With --placements {}, {} trials would not be enough.\n", choice,
                       grouped(kMostLabTrials));
  }
  return fmt::format("With --placements {} it would take {} trials.\n", choice,
                     grouped(plan.other->search.trials));
}

std::string session_text(const LabPlan& plan) {
  const int sessions = plan.question.sessions;
  if (sessions == 0) {
    return "Friction is taken to vary from trial to trial; for pairs of surfaces whose friction\n"
           "stays the same, say how many you have: --sessions K.\n";
  }
  return fmt::format("{}: friction is the same within each, another in the next.\n",
                     counted(sessions, "session"));
}

}  // namespace

std::string lab_plan_sentence(const LabPlan& plan) {
  const LabRequest& request = plan.question.request;
  if (plan.answer.scope) return grouped(plan.answer.search.trials) + " trials";
  return fmt::format("{} trials {} with a power of {} at {} confidence",
                     grouped(plan.answer.search.trials), words(request.goal),
                     given_percent(request.power), given_percent(request.confidence));
}

std::string unreachable_text(const LabPlan& plan) {
  const LabPower& most = plan.answer.checked();
  std::string text =
      fmt::format("{} trials are not enough {}: the power is {} there, {} was asked for",
                  grouped(most.trials), words(plan.question.request.goal), percent(most.power()),
                  given_percent(plan.question.request.power));
  if (plan.question.sessions > 0) {
    return text + fmt::format("; with friction constant in each of {}, take more sessions",
                              counted(plan.question.sessions, "session"));
  }
  return text + "; ask for a larger difference, or take another range of placements";
}

std::string lab_plan_text(const LabPlan& plan) {
  std::string text = lab_plan_sentence(plan) + ":\n";
  text += placement_words(plan.answer) + ".\n" + left_out_text(plan);
  text += plan.answer.scope ? scope_text(plan) : checked_text(plan) + other_text(plan);
  text += session_text(plan);
  return text;
}

namespace {

Object goal_fields(const LabGoal& goal) {
  if (const auto* detect = std::get_if<DetectGoal>(&goal)) {
    return {{"kind", "detect"},
            {"change", key(detect->change.difference)},
            {"amount", detect->change.amount}};
  }
  if (const auto* agree = std::get_if<AgreeGoal>(&goal)) {
    return {{"kind", "agree_within"}, {"within", agree->within}};
  }
  if (const auto* given = std::get_if<TrialsGoal>(&goal)) {
    return {{"kind", "trials"}, {"trials", given->trials}};
  }
  const auto& learn = std::get<LearnGoal>(goal);
  return {{"kind", "learn"}, {"parameter", key(learn.change)}, {"width", learn.width}};
}

Object power_fields(const LabPower& power) {
  return {{"trials", power.trials},
          {"experiments", power.experiments, "simulated"},
          {"reached", power.reached},
          {"power", power.power()},
          {"interval_95", wilson_interval(power.reached, power.experiments)}};
}

Object scope_fields(const LabScope& scope) {
  const auto change_fields = [](const ChangeScope& change) {
    return Object{{"change", key(change.change)},
                  {"half_width", change.half_width, "of its interval, the median"},
                  {"found_80", change.found_80, "the size found with 80 %; absent: none is"}};
  };
  return {{"agree_within", scope.within, "a probability, with the power asked for"},
          {"changes", list_of(scope.changes, change_fields), "each as if it were the only one"},
          {"experiments", scope.experiments, "simulated"}};
}

Object answer_fields(const LabAnswer& answer) {
  if (answer.scope) {
    return {{"placements", name(answer.choice)},
            {"trials", answer.search.trials},
            {"shows", scope_fields(*answer.scope), "of --trials: what they can show"}};
  }
  return {{"placements", name(answer.choice)},
          {"enough", answer.search.found, "false: 5,000 trials are not"},
          {"trials", answer.search.trials},
          {"checked", power_fields(answer.checked()), "at that number"},
          {"search", list_of(answer.search.steps, power_fields), "each step"}};
}

}  // namespace

Object lab_plan_fields(const LabPlan& plan) {
  const LabQuestion& question = plan.question;
  return {
      {"run", plan.name},
      {"goal", goal_fields(question.request.goal), "by kind: detect, agree_within, learn, trials"},
      {"power", question.request.power},
      {"confidence", question.request.confidence},
      {"sessions", question.sessions, "0: friction varies from trial to trial"},
      {"trials_per_placement", question.trials_per_placement},
      {"seed", question.seed},
      {"cells_left_out", plan.pilot.cells_left_out,
       "of the map: the open fingers would overlap the part"},
      {"plan", answer_fields(plan.answer)},
      {"other", maybe(plan.other, answer_fields), "if placements can be chosen in two ways"}};
}

namespace {

constexpr int kCurvePoints = 120;
constexpr double kCurveTo = 1.6;  ///< of the largest number of trials

const char* const kPowerStyle = R"gp(
data = figure.'.csv'
set lmargin at screen 130. / canvas_width
set rmargin at screen 1 - 50. / canvas_width
set tmargin at screen 1 - 120. / canvas_height
set bmargin at screen 170. / canvas_height
set border 3
set grid lc rgb '#d0d0d0' lt 1
set yrange [0:1.02]
set xtics out nomirror
set ytics 0.1 out nomirror
set xlabel 'trials of an experiment'
set ylabel 'power'
set key at screen 0.5, screen 45. / canvas_height center center horizontal noenhanced
set label 1 name."\n".subtitle at screen 0.5, screen 1 - 40. / canvas_height center noenhanced
of(choice, kind) = strcol('choice') eq choice && strcol('kind') eq kind
)gp";

/// The power of a choice's placements at a number of trials, from the simulated experiments near
/// it.
std::string curve_rows(const LabAnswer& answer, double confidence, double most) {
  std::string rows;
  const auto found = static_cast<double>(answer.search.trials);
  const PowerLine line = power_line(answer.search.steps, found, confidence);
  for (int k = 1; k <= kCurvePoints; ++k) {
    const double trials = most * k / kCurvePoints;
    const double power = line.power(trials);
    rows += fmt::format("{},curve,{:.6g},{:.6g},{:.6g},{:.6g}\n", name(answer.choice), trials,
                        power, power, power);
  }
  return rows;
}

std::string point_rows(const LabAnswer& answer) {
  std::string rows;
  for (const LabPower& step : answer.search.steps) {
    const Interval interval = wilson_interval(step.reached, step.experiments);
    rows += fmt::format("{},simulated,{},{:.6g},{:.6g},{:.6g}\n", name(answer.choice), step.trials,
                        step.power(), interval.low, interval.high);
  }
  return rows;
}

std::string series(const char* choice, const char* colour, bool curve) {
  std::string plot;
  if (curve) {
    plot = fmt::format(
        "data using (of('{0}', 'curve') ? column('trials') : NaN):'power' with lines lw 3 "
        "lc rgb '{1}' title 'placements {0}', \\\n       ",
        choice, colour);
  }
  return plot + fmt::format(
                    "data using (of('{0}', 'simulated') ? column('trials') : "
                    "NaN):'power':'low':'high' with yerrorbars pt 7 ps point_size(picture, 1.4) "
                    "lw 2 lc rgb '{1}' {2}",
                    choice, colour,
                    curve ? "notitle" : fmt::format("title 'placements {}'", choice));
}

Figure power_figure(const LabPlan& plan) {
  const LabRequest& request = plan.question.request;
  const bool learn = std::holds_alternative<LearnGoal>(request.goal);
  auto largest = static_cast<double>(plan.answer.search.trials);
  if (plan.other && plan.other->search.found) {
    largest = std::max(largest, static_cast<double>(plan.other->search.trials));
  }
  const double most = kCurveTo * largest;
  std::string csv = "choice,kind,trials,power,low,high\n";
  for (const LabAnswer* answer : {&plan.answer, plan.other ? &*plan.other : nullptr}) {
    if (answer == nullptr) continue;
    if (!learn) csv += curve_rows(*answer, request.confidence, most);
    csv += point_rows(*answer);
  }
  std::string plot = "  plot " + series(name(plan.answer.choice), "#08519c", !learn);
  if (plan.other) plot += ", \\\n       " + series(name(plan.other->choice), "#e6550d", !learn);
  const std::string script =
      script_start("lab_power", "The power against the number of trials.",
                   gnuplot_string("How many trials " + words(request.goal)),
                   gnuplot_string(plan.title + "; points: simulated experiments, 95 % intervals"),
                   Canvas{1200, 900}) +
      kPictures + kPowerStyle + fmt::format("set xrange [0:{:.6g}]\n", most) +
      fmt::format("set arrow 1 from 0,{0} to {1},{0} nohead dt 2 lw 2 lc rgb '#666666'\n",
                  request.power, most) +
      for_each_picture(plot + "\n");
  return {"lab_power", script, csv};
}

/// The placements of the run sheet, of all angles.
std::vector<HeatMark> placement_marks(const LabAnswer& answer) {
  std::vector<HeatMark> marks;
  for (std::size_t k = 0; k < answer.placements(); ++k) {
    const IntendedPlacement& at = answer.design.places[k];
    marks.push_back({HeatMark::Kind::kPoint, at.x_mm, at.y_mm, 0, 0, 0, "",
                     k == 0 ? "placements of the run sheet" : ""});
  }
  return marks;
}

/// The mean of the pilot's values in each cell of x and y, over all angles.
HeatPanel pilot_panel(const Pilot& pilot, const std::vector<double>& values, const CellGrid& map,
                      std::string title) {
  const auto cells = static_cast<std::size_t>(map.x_mm.cells * map.y_mm.cells);
  std::vector<double> sums(cells, 0.0);
  std::vector<double> counts(cells, 0.0);
  for (std::size_t k = 0; k < pilot.places.size(); ++k) {
    const std::size_t cell = map.index(map.x_mm.nearest_cell(pilot.places[k].x_mm),
                                       map.y_mm.nearest_cell(pilot.places[k].y_mm));
    sums[cell] += values[k];
    counts[cell] += 1;
  }
  return slice_panel(map, 0, std::move(title), [&](std::size_t cell) {
    return counts[cell] > 0 ? sums[cell] / counts[cell] : std::numeric_limits<double>::quiet_NaN();
  });
}

/// A coarser grid, so that each cell has some of the pilot's placements.
Axis coarser(const Axis& axis) {
  constexpr int kMostCells = 16;
  return {axis.min, axis.max, std::min(axis.cells, kMostCells)};
}

Figure placements_figure(const LabPlan& plan, const SweepConfig& config) {
  const CellGrid map{coarser(config.placement.x_mm), coarser(config.placement.y_mm)};
  HeatPanelsInput input;
  input.name = "lab_placements";
  input.title = plan.title + ": where to try";
  input.subtitle = words(plan.question.request.goal);
  input.colours = {HeatScale::kProbability, "probability of success", std::nullopt};
  input.nan_label = "not looked at";
  input.panels.push_back(
      pilot_panel(plan.pilot, plan.pilot.model, map, "success in the model, and the placements"));
  input.panels.back().marks = placement_marks(plan.answer);
  if (has_informative_placements(plan.question.request.goal)) {
    input.panels.push_back(
        pilot_panel(plan.pilot, plan.pilot.information, map, "what a trial tells of the change"));
    input.panels.back().colours =
        HeatColours{HeatScale::kFromZero, "information of a trial", std::nullopt};
  }
  draw_grasp(config.scenario, {config.placement.theta_rad.cell_center(0)}, input.panels);
  return heat_panels_figure(input);
}

}  // namespace

std::vector<Figure> lab_plan_figures(const LabPlan& plan, const SweepConfig& config) {
  if (plan.answer.scope) return {placements_figure(plan, config)};
  return {power_figure(plan), placements_figure(plan, config)};
}

}  // namespace graspmap
