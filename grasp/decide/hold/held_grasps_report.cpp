#include <fmt/format.h>

#include <cctype>
#include <limits>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/decide/hold/held_grasps.hpp"
#include "grasp/sweep/figures/map_figures.hpp"

namespace graspmap {
namespace {

std::string probability_text(const HeldGrasps& held, const ExpectedSuccess& p) {
  return fmt::format("{} ({} interval {})", fine_percent(p.probability, p.interval),
                     given_percent(held.question.confidence), fine_percent_range(p.interval));
}

std::string place_text(const HeldGrasps& held) {
  const PlacementVector& at = *held.asked.placement;
  const std::string place = placement_text(at, held.grid.theta_rad.cells > 1 || at[2] != 0.0);
  return held.asked.error_words.empty()
             ? fmt::format("in the cell of the placement {}", place)
             : fmt::format("at {} with a positioning error of {}", place, held.asked.error_words);
}

std::string factor_words(double factor) {
  return factor == 1.0 ? "" : fmt::format(" with safety factor {:.4g}", factor);
}

/// Which closing force is needed.
std::string force_text(const HeldGrasps& held) {
  const HoldQuestion& question = held.question;
  const std::string required = given_percent(question.required);
  if (!held.force_n) {
    // What any force holds, were all that lies beyond the map held.
    const double outside = held.closes.outside_share;
    if (held.closes.probability * (1.0 - held.shifts) + outside >= question.required) {
      return fmt::format(
          "The map is too small to tell whether a closing force holds {} of them: {} of the error\n"
          "lies beyond it and counts as no success.\n",
          required, percent(outside));
    }
    const bool closing = held.closes.probability < question.required;
    return fmt::format(
        "No closing force holds {} of them{}.\n", required,
        closing ? fmt::format(": the closing alone succeeds in {}",
                              fine_percent(held.closes.probability, held.closes.interval))
                : "");
  }
  std::string text = fmt::format("For {} a jaw must press with {:.4g} N ({:.4g} N in this run)",
                                 required, *held.force_n, held.closing_force_n);
  text += held.sure_force_n
              ? fmt::format("; with {:.4g} N\nthe lower end of the interval is there, too.\n",
                            *held.sure_force_n)
              : fmt::format(
                    ";\nhow sure that is, more trials must show: no force brings the lower "
                    "end of the interval there.\n");
  if (held.force_is_uncertain) {
    text +=
        "The closing force is uncertain: these are nominal ones, whose distribution is scaled with "
        "them.\n";
  }
  if (!held.check) return text;
  return text + fmt::format("Simulated again with {:.4g} N, {} trials there give {}.\n",
                            held.check->at.force_n, held.check->trials,
                            probability_text(held, held.check->at.lifted));
}

std::string placement_answer(const HeldGrasps& held) {
  if (!held.asked.placement) {
    return "The run has no placement to answer for: give one, --placement X,Y.\n";
  }
  std::string text = fmt::format(
      "{}, the part is held{}\nin {},\n{}.\nThe closing succeeds in {}.\n",
      manoeuvre_words(held.rule), factor_words(held.question.factor),
      probability_text(held, held.lifted), place_text(held), probability_text(held, held.closes));
  text[0] = static_cast<char>(std::toupper(text[0]));
  if (held.asked.error.worlds > 1) {
    text += "The intervals hold what is unknown but the same in each grasp, too.\n";
  }
  if (held.closes.probability > 0.0) {
    text += "Safety factors of the closings that succeed there:";
    for (std::size_t q = 0; q < kHoldQuantiles.size(); ++q) {
      text += fmt::format("{} {:.3g} ({})", q == 0 ? "" : ",", held.quantiles[q],
                          given_percent(kHoldQuantiles[q]));
    }
    text += ".\n";
    if (held.shifts > 0.0) {
      text += fmt::format(
          "{} of them have a safety factor of 0: {}only the table or an obstacle keeps them in "
          "this pose.\n",
          percent(held.shifts),
          held.gives_way ? "independent jaws give way to a load along x, or\n" : "");
    }
  }
  return text + force_text(held);
}

/// The share of a cell's trials that are counted; NaN without trials.
double share(const HeldCell& cell, std::int64_t count) {
  return cell.trials > 0 ? share_of(count, cell.trials) : std::numeric_limits<double>::quiet_NaN();
}

/// All cells count alike, whatever their trials.
std::string map_text(const HeldGrasps& held) {
  double close = 0.0;
  double lifted = 0.0;
  int cells = 0;
  for (const HeldCell& cell : held.cells) {
    if (cell.trials == 0) continue;
    close += share_of(cell.close, cell.trials);
    lifted += share_of(cell.lifted, cell.trials);
    ++cells;
  }
  if (cells == 0) return "";
  return fmt::format(
             "\nOver the map {} of the closings succeed, and in {} the part is held, too.\n",
             percent(close / cells), percent(lifted / cells)) +
         (held.unknown == 0
              ? ""
              : fmt::format("The hold factors of {} could not be found: they count as failed.\n",
                            counted(held.unknown, "trial")));
}

Object expected_fields(const ExpectedSuccess& p) {
  return {{"value", p.probability}, {"interval", p.interval}};
}

Object force_fields(const AtForce& at) {
  return {{"force_n", at.force_n, "of each jaw"},
          {"lifted", expected_fields(at.lifted), "probability of being held and lifted"}};
}

}  // namespace

std::string hold_text(const HeldGrasps& held) { return placement_answer(held) + map_text(held); }

Object hold_fields(const HeldGrasps& held) {
  Object fields{{"name", held.name},
                {"manoeuvre", manoeuvre_words(held.rule)},
                {"factor", held.question.factor, "safety factor asked for"},
                {"required_probability", held.question.required},
                {"confidence", held.question.confidence},
                {"trials", held.trials},
                {"unknown_factors", held.unknown, "trials that count as failed"},
                {"closing_force_n", held.closing_force_n, "of the run"}};
  if (!held.asked.placement) return fields;
  Object quantiles;
  for (std::size_t q = 0; q < kHoldQuantiles.size(); ++q) {
    quantiles.add({fmt::format("{}", kHoldQuantiles[q]), held.quantiles[q]});
  }
  const PlacementVector& at = *held.asked.placement;
  fields.add(
      {"placement", Object{{"x_mm", at[0]},
                           {"y_mm", at[1]},
                           {"theta_rad", at[2]},
                           {"error", held.asked.error_words, "in words; empty: exact, the cell"}}});
  fields.add({"closes", expected_fields(held.closes), "probability that the closing succeeds"});
  fields.add({"lifted", expected_fields(held.lifted), "that it does and the part is held"});
  fields.add({"factor_quantiles", quantiles, "of the closings that succeed"});
  fields.add({"shifts", held.shifts, "share of these with factor 0: lifted, the part moves"});
  fields.add(
      {"force_n", held.force_n, "closing force that the probability needs; left out: none does"});
  fields.add({"sure_force_n", held.sure_force_n, "the same of the lower end of its interval"});
  fields.add({"check",
              maybe(held.check,
                    [](const ForceCheck& check) {
                      return Object{force_fields(check.at), {"trials", check.trials}};
                    }),
              "the trials there simulated again with force_n"});
  fields.add({"curve", list_of(held.curve, force_fields), "by closing force"});
  return fields;
}

Table hold_table(const HeldGrasps& held) {
  return table_of<std::size_t>(row_numbers(held.cells.size()), [&](std::size_t c) {
    const HeldCell& cell = held.cells[c];
    return Object{cell_fields(held.grid, c),
                  {"trials", cell.trials, "that did not fail"},
                  {"close", cell.close, "closings that succeed"},
                  {"lifted", cell.lifted, "of these, held with the safety factor"},
                  {"lifted_probability", share(cell, cell.lifted)},
                  {"factor_05", cell.factor_05, "5 % quantile of the factors of `close`"},
                  {"factor_50", cell.factor_50, "their median"}};
  });
}

std::vector<ResultFile> hold_files(const HeldGrasps& held) {
  return {{"hold.json", hold_fields(held)}, {"hold.csv", hold_table(held)}};
}

namespace {

Figure hold_map_figure(const HeldGrasps& held) {
  const Axis& theta = held.grid.theta_rad;
  const std::optional<int> asked =
      held.asked.placement ? theta.cell_at((*held.asked.placement)[2]) : std::nullopt;
  const int slice = asked.value_or(theta.cells / 2);
  const auto shares = [&](std::int64_t HeldCell::*count) {
    return [&held, count](std::size_t c) { return share(held.cells[c], held.cells[c].*count); };
  };
  HeatPanelsInput input;
  input.name = "hold_map";
  input.title = held.title + ": held and lifted";
  if (theta.cells > 1) input.title += " at " + angle_label(theta.cell_center(slice));
  input.subtitle = manoeuvre_words(held.rule) + factor_words(held.question.factor);
  input.colours = {HeatScale::kProbability, "probability", {}};
  input.nan_label = "no closing that succeeds";
  input.panels = {slice_panel(held.grid, slice, "the closing succeeds", shares(&HeldCell::close)),
                  slice_panel(held.grid, slice, "and the part is held", shares(&HeldCell::lifted)),
                  slice_panel(held.grid, slice, "safety factor that 95 % of them reach",
                              [&](std::size_t c) { return held.cells[c].factor_05; })};
  constexpr double kShownFactor = 4.0;
  input.panels[2].colours = HeatColours{HeatScale::kFromZero, "safety factor (to 4)", kShownFactor};
  input.panels[2].border = held.question.factor;
  input.border_label = fmt::format("safety factor {:.4g}", held.question.factor);
  if (held.asked.placement) {
    HeatMark mark;
    mark.x_mm = (*held.asked.placement)[0];
    mark.y_mm = (*held.asked.placement)[1];
    mark.legend = "the placement";
    for (HeatPanel& panel : input.panels) panel.marks.push_back(mark);
  }
  input.columns = 3;
  return heat_panels_figure(input);
}

constexpr const char* kForceStyle = R"(
set datafile separator ','
set logscale x 2
set yrange [0:1.02]
set xtics out nomirror
set ytics out nomirror
set grid lc rgb '#d0d0d0' lt 1
set border 3
set key bottom right noenhanced
set xlabel 'closing force of a jaw (N)'
set ylabel 'probability of being held and lifted'
set title name."\n".subtitle noenhanced
)";

Figure hold_force_figure(const HeldGrasps& held) {
  constexpr Canvas kCanvas{1300, 800};
  const AtForce& first = held.curve.front();
  const AtForce& last = held.curve.back();
  std::string arrows = fmt::format(
      "set arrow 1 from {0:.6g}, graph 0 to {0:.6g}, graph 1 nohead dt 2 lc rgb '#777777'\n"
      "set label 1 'this run' at {0:.6g}, graph 0.04 offset 0.5,0\n",
      held.closing_force_n);
  if (held.force_n && *held.force_n >= first.force_n && *held.force_n <= last.force_n) {
    arrows += fmt::format(
        "set arrow 2 from {0:.6g}, graph 0 to {0:.6g}, graph 1 nohead lc rgb '#d55e00'\n"
        "set label 2 '{0:.4g} N: {1}' at {0:.6g}, graph 0.12 offset 0.5,0\n",
        *held.force_n, given_percent(held.question.required));
  }
  std::string ticks;
  for (double force = first.force_n; force <= last.force_n * 1.001; force *= 2.0) {
    ticks += fmt::format("{}{:.6g}", ticks.empty() ? "" : ", ", force);
  }
  const std::string script =
      script_start("hold_force", "How often the part is held and lifted, by closing force.",
                   gnuplot_string(held.title + ": held and lifted"),
                   lines_expression(balanced(manoeuvre_words(held.rule) +
                                                 factor_words(held.question.factor) + ", " +
                                                 place_text(held),
                                             kFontPx, kCanvas.width - 100.0, 2)),
                   kCanvas) +
      kPictures + kForceStyle +
      fmt::format("set xrange [{:.6g}:{:.6g}]\nset xtics ({})\n", first.force_n, last.force_n,
                  ticks) +
      arrows +
      for_each_picture(fmt::format(
          "  plot figure.'.csv' using 1:3:4 with filledcurves lc rgb '#c6dbef' title '{} "
          "interval', '' using 1:2 with lines lw 3 lc rgb '#08519c' title 'as the part lies in "
          "this "
          "run'\n",
          given_percent(held.question.confidence)));
  return {"hold_force", script, csv_text(table_of<AtForce>(held.curve, force_fields))};
}

}  // namespace

std::vector<Figure> hold_figures(const HeldGrasps& held) {
  std::vector<Figure> figures{hold_map_figure(held)};
  if (!held.curve.empty()) figures.push_back(hold_force_figure(held));
  return figures;
}

}  // namespace graspmap
