#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"
#include "grasp/decide/reweight/new_run.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "grasp/sweep/figures/grasp_drawing.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string number_text(double value) { return fmt::format("{:.3f}", value); }

std::string interval_text(const Interval& interval) {
  return number_text(interval.low) + " to " + number_text(interval.high);
}

const char* word_of(std::size_t input) { return input == 0 ? "jaw" : "support"; }

/// "0.119 (0.103 to 0.135)".
std::string estimate_text(const Learned& l) {
  return fmt::format("{} ({})", number_text(l.mean), interval_text(l.interval));
}

/// A number of the distribution of a coefficient: "mean" of "friction.jaw".
const Learned& friction_number(const CalibrationReport& r, std::size_t input, const char* name) {
  return find_learned(r.calibration, r.data.ranges[input].key + "." + name);
}

/// "The jaw friction was between 0.051 (0.043 to 0.060) and ...".
std::string friction_sentence(const CalibrationReport& r, std::size_t input) {
  const FrictionRange& range = r.data.ranges[input];
  if (range.is_fixed()) {
    return fmt::format("The {} friction is fixed at {} in the run and was not sought.\n",
                       word_of(input), range.low);
  }
  const Learned& mean = friction_number(r, input, "mean");
  const bool is_uniform = r.calibration.family == FrictionFamily::kUniform;
  const Learned& spread = friction_number(r, input, is_uniform ? "width" : "sigma");
  if (mean.is_unknown() && spread.is_unknown()) {
    return fmt::format(
        "The experiment says little about the {} friction: its posterior is about as wide as the\n"
        "prior, {} to {}.\n",
        word_of(input), range.low, range.high);
  }
  if (!is_uniform) {
    return fmt::format("The {} friction was {} with a spread (sigma) of {}.\n", word_of(input),
                       estimate_text(mean), estimate_text(spread));
  }
  if (spread.interval.low <= 0) {
    return fmt::format(
        "The {} friction was {} on average, with a width (largest minus smallest) of at most {};\n"
        "it may have been constant.\n",
        word_of(input), estimate_text(mean), number_text(spread.interval.high));
  }
  return fmt::format("The {} friction was between {} and {}.\n", word_of(input),
                     estimate_text(friction_number(r, input, "min")),
                     estimate_text(friction_number(r, input, "max")));
}

/// Names of numbers, in a list.
std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
  }
  return text;
}

/// Whether a parameter is of the part, the robot or the support: no friction distribution.
bool is_nuisance(const Learned& l) { return l.is_parameter && !l.name.starts_with("friction."); }

/// What became known besides friction.
std::string nuisance_sentences(const CalibrationReport& r) {
  std::string text;
  std::vector<std::string> unknown;
  for (const Learned& l : r.calibration.learned) {
    if (!is_nuisance(l)) continue;
    if (l.is_unknown()) {
      unknown.push_back(l.name);
    } else {
      text += fmt::format("{} is {}.\n", l.name, estimate_text(l));
    }
  }
  if (!unknown.empty()) {
    text += fmt::format("The experiment says little about {}.\n", joined(unknown));
  }
  return text;
}

/// Pairs of parameters of which the data determine a combination, not each.
std::string trade_sentences(const CalibrationReport& r) {
  constexpr double kStrong = 0.7;
  std::vector<std::string> names;
  for (const Learned& l : r.calibration.learned) {
    if (l.is_parameter) names.push_back(l.name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t k = i + 1; k < names.size(); ++k) {
      const double correlation = r.calibration.correlations[i][k];
      if (std::abs(correlation) < kStrong) continue;
      text += fmt::format("{} and {} trade against each other (correlation {:.2f}).\n", names[i],
                          names[k], correlation);
    }
  }
  return text;
}

/// "more successes than predicted towards larger y".
std::string trend_text(const FitTrend& trend) {
  const char* more = trend.deviation > 0 ? "more" : "fewer";
  if (trend.name == "level") return fmt::format("{} successes than predicted overall", more);
  if (trend.name == "x" || trend.name == "y") {
    return fmt::format("more successes than predicted towards {} {}, fewer the other way",
                       trend.deviation > 0 ? "larger" : "smaller", trend.name);
  }
  const char* where = trend.name == "x y"   ? "in opposite corners of the map"
                      : trend.name == "x x" ? "at both ends of x"
                                            : "at both ends of y";
  return fmt::format("{} successes than predicted {}", more, where);
}

std::string misfit_text(const CalibrationReport& r) {
  const FitCheck& fit = r.calibration.fit;
  std::string text = fmt::format(
      "No {} distribution that was sought fits the experiment: even the likeliest ones miss its\n"
      "counts by more than chance (deviance {:.0f}, expected {:.0f}; p = {:.2g}). {:.0f} "
      "successes, {:.1f}\npredicted; most of all {} ({:.1f} standard deviations).\n",
      name(r.calibration.family), fit.deviance, fit.expected_deviance, fit.p_value(), fit.successes,
      fit.predicted_successes, trend_text(fit.largest_trend()),
      std::abs(fit.largest_trend().deviation));
  return text + "Do not rely on the numbers above.\n";
}

std::string fit_sentence(const CalibrationReport& r) {
  const FitCheck& fit = r.calibration.fit;
  if (is_misfit(r.calibration)) return misfit_text(r);
  return fmt::format(
      "The experiment does not contradict these distributions (deviance {:.0f}, expected {:.0f}; "
      "p = {:.2g}).\n",
      fit.deviance, fit.expected_deviance, fit.p_value());
}

bool is_least(const Learned& l) { return l.name.ends_with(".min"); }
bool is_largest(const Learned& l) { return l.name.ends_with(".max"); }

/// Whether the posterior of a number says something, and leans on the prior's bound. Where no
/// distribution fits, the least or largest value counts too: it leans, while the mean is off by
/// half the width.
bool is_cut_off(const CalibrationReport& r, const Learned& l) {
  if (l.is_unknown()) return false;
  if (l.is_parameter) return l.touches_low || l.touches_high;
  if (!is_misfit(r.calibration)) return false;  // a distribution may be as wide as what was sought
  return (is_least(l) && l.touches_low) || (is_largest(l) && l.touches_high);
}

/// What a coefficient must be sought in, where the posterior leans on a bound of what it was: that
/// and as much again beyond the bound. Nothing where it does not lean.
std::optional<Interval> wider_range(const CalibrationReport& r, std::size_t input) {
  const FrictionRange& range = r.data.ranges[input];
  bool low = false;
  bool high = false;
  for (const Learned& l : r.calibration.learned) {
    if (!l.name.starts_with(range.key + ".") || !is_cut_off(r, l)) continue;
    // Of a wide distribution both ends are beyond.
    const bool is_spread = l.is_parameter && !l.name.ends_with(".mean");
    low |= (l.touches_low && !is_largest(l)) || is_spread;
    high |= (l.touches_high && !is_least(l)) || is_spread;
  }
  if (!low && !high) return std::nullopt;
  constexpr double kMostFriction = 10;
  const double width = range.high - range.low;
  return Interval{low ? std::max(0.0, range.low - width) : range.low,
                  high ? std::min(kMostFriction, range.high + width) : range.high};
}

std::string coverage_notes(const CalibrationReport& r) {
  std::string text;
  for (const Learned& l : r.calibration.learned) {
    if (!is_cut_off(r, l)) continue;
    text += fmt::format("Note: {} touches the bound of the prior, {}: {}.\n", l.name,
                        l.touches_low && !is_largest(l) ? l.low : l.high,
                        is_nuisance(l) ? "such a value is beyond what calibrate seeks"
                                       : "seek it further, see below");
  }
  if (r.data.left_out > 0) {
    text += fmt::format(
        "Note: {} trials of the experiment are left out, in cells with fewer than {} stored "
        "trials;\n--simulate takes all.\n",
        r.data.left_out, kLeastStoredTrials);
  }
  if (r.calibration.source == PredictionSource::kStored && r.experiment.cells.empty()) {
    text +=
        "Note: single trials are counted in the run's cells and taken as spread over them;\n"
        "--simulate takes each at its own placement.\n";
  }
  return text;
}

std::string table_text(const CalibrationReport& r) {
  TextTable table(
      {"", "mean", given_percent(r.confidence) + " interval", "sd / prior sd", "learned"});
  for (const Learned& l : r.calibration.learned) {
    table.add({l.name, number_text(l.mean), interval_text(l.interval),
               fmt::format("{:.2f}", l.sd_ratio()),
               l.is_unknown()       ? "little"
               : l.sd_ratio() > 0.3 ? "something"
                                    : "much"});
  }
  return table.text();
}

std::string worth_text(const CalibrationReport& r) {
  const Calibration& c = r.calibration;
  const char* places = r.experiment.cells.empty() && c.source == PredictionSource::kSimulated
                           ? "placements"
                           : "cells";
  if (c.source == PredictionSource::kSimulated) {
    const auto planned =
        std::count_if(r.data.cells.begin(), r.data.cells.end(),
                      [](const CalibrationCell& cell) { return cell.experiment.trials == 0; });
    return fmt::format(
        "{} trials of the experiment at {} {}; {} simulated ones in {} rounds, worth {:.0f} at "
        "each\nunder these distributions; {:.0f} independent draws of the posterior.\n{}",
        r.data.experiment_trials, std::ssize(r.data.cells) - planned, places, c.simulated_trials,
        c.rounds, c.median_effective_trials, c.posterior.effective_draws,
        planned == 0 ? ""
                     : fmt::format("Predicted in map.csv: {} without a result.\n",
                                   counted(planned, "placement")));
  }
  return fmt::format(
      "{} trials of the experiment in {} cells; {} stored ones, worth {:.0f} in the median cell\n"
      "under these distributions; {:.0f} independent draws of the posterior.\n",
      r.data.experiment_trials, r.data.cells.size(), r.data.trials.size(),
      c.median_effective_trials, c.posterior.effective_draws);
}

/// A distribution as --set takes it.
std::string setting(const FrictionRange& range, const Distribution& distribution) {
  std::string value = fmt::format("{{ distribution = \"{}\"", distribution.word());
  distribution.each_number([&](std::string_view key, double number, NumberRole /*role*/) {
    // Bounds of a normal are the run's, to more digits than what was learned.
    const bool is_bound = distribution.sigma() && (key == "min" || key == "max");
    value += fmt::format(", {} = {:.{}g}", key, number, is_bound ? 6 : 4);
  });
  return range.key + "=" + value + " }";
}

/// What the posterior's draws of both coefficients reach, as far as they were sought.
std::array<std::optional<Interval>, 2> reach_of(const CalibrationReport& r) {
  std::array<std::optional<Interval>, 2> reach;
  for (std::size_t input = 0; input < 2; ++input) {
    reach[input] = reach_of_draws(r.data.ranges[input].key, [&](const std::string& name) {
      const auto& all = r.calibration.learned;
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const Learned& l) { return l.name == name; });
      return found == all.end() ? std::vector<double>() : found->draws;
    });
  }
  return reach;
}

/// A command on lines of its own, a new one for each --set and for --out.
std::string command_lines(std::string command) {
  const std::string next = " \\\n    ";
  for (const char* option : {" --set ", " --out "}) {
    for (std::size_t at = command.find(option); at != std::string::npos;
         at = command.find(option, at + next.size())) {
      command.replace(at, 1, next);
    }
  }
  return "  " + command + "\n";
}

std::string run_word(const CalibrationReport& r) { return shell_word(run_of(r.run).string()); }

/// What is to be done about distributions that do not fit, or lie where nothing was sought.
std::string mend_text(const CalibrationReport& r) {
  const std::array wider = {wider_range(r, 0), wider_range(r, 1)};
  const std::string experiment = shell_word(r.experiment.file);
  if (wider[0] || wider[1]) {
    std::vector<std::string> settings;
    for (std::size_t input = 0; input < 2; ++input) {
      const FrictionRange& range = r.data.ranges[input];
      if (range.is_fixed()) continue;
      settings.push_back(
          broad_setting(range.key, wider[input].value_or(Interval{range.low, range.high})));
    }
    return "The posterior leans on the bound of what was sought. Seek further:\n" +
           command_lines(new_run_command(r.run, settings, "broad")) +
           command_lines(fmt::format("graspmap calibrate {} {} --simulate{}",
                                     shell_word(new_run_folder(r.run, "broad").string()),
                                     experiment, r.options));
  }
  if (!is_misfit(r.calibration)) return "";
  const auto& learned = r.calibration.learned;
  if (std::any_of(learned.begin(), learned.end(), is_nuisance)) {
    return "Something else differs from the configuration.\n";
  }
  const bool in_sessions = !r.experiment.sessions.empty();
  const std::string causes = std::string("offset,size") + (in_sessions ? "" : ",noise") +
                             (support_radius_mm(r.config.scenario) > 0 ? ",e_r" : "");
  const std::string calibrate = fmt::format("graspmap calibrate {} {} --simulate{}{} --with ",
                                            run_word(r), experiment, r.range_options, r.options);
  std::string text = "Seek other causes:\n" + command_lines(calibrate + causes);
  if (in_sessions) return text;
  return text + "Or keep the intervals honest without a cause:\n" +
         command_lines(calibrate + "discrepancy");
}

/// Whether the run has trials wherever the posterior's draws reach.
bool covers_posterior(const CalibrationReport& r) {
  const auto reach = reach_of(r);
  const std::array<Distribution, 2> stored{r.config.mu_jaw, r.config.mu_support};
  for (std::size_t input = 0; input < 2; ++input) {
    if (!reach[input] || reach[input]->low == reach[input]->high) continue;
    const Distribution all = Uniform{reach[input]->low, reach[input]->high};
    if (!uncovered_text(stored[input], all).empty()) return false;
  }
  return true;
}

/// How to continue with distributions that fit: commands that run as they are printed.
std::string next_text(const CalibrationReport& r) {
  const std::vector<std::string> mean = mean_settings(r);
  std::string text;
  if (!mean.empty()) {
    text = "The map under the mean distribution:\n";
    std::string reweight = "graspmap reweight " + run_word(r);
    for (const std::string& distribution : mean) reweight += " --set " + shell_word(distribution);
    text += command_lines(r.can_reweight ? reweight : new_run_command(r.run, mean, "mean_law"));
  }
  const auto& learned = r.calibration.learned;
  const bool can_plan = std::any_of(learned.begin(), learned.end(), [](const Learned& l) {
    return l.name.starts_with("friction.") || l.name.starts_with("offset.") ||
           l.name.starts_with("noise.");
  });
  if (!can_plan) return text;
  text +=
      "Where to put the gripper, over the whole posterior (in place of 0: your robot's sigma):\n";
  std::string run = run_word(r);
  if (!covers_posterior(r)) {
    std::vector<std::string> settings;
    const auto reach = reach_of(r);
    for (std::size_t input = 0; input < 2; ++input) {
      if (reach[input]) settings.push_back(broad_setting(r.data.ranges[input].key, *reach[input]));
    }
    text += command_lines(new_run_command(r.run, settings, "calibrated"));
    run = shell_word(new_run_folder(r.run, "calibrated").string());
  }
  const std::filesystem::path folder =
      r.folder.empty() ? r.run.parent_path() / "calibrate" : r.folder;
  return text + command_lines(fmt::format("graspmap plan {} --after {} --position-sigma-mm 0", run,
                                          shell_word((folder / "calibrate.json").string())));
}

// ---- JSON ----

Object learned_fields(const Learned& l) {
  return {{"name", l.name},
          {"parameter", l.is_parameter},
          {"mean", l.mean},
          {"median", l.median},
          {"sd", l.sd},
          {"interval", l.interval},
          {"prior_range", Ends{l.low, l.high}},
          {"touches_prior_low", l.touches_low},
          {"touches_prior_high", l.touches_high},
          {"prior_sd", l.prior_sd},
          {"sd_ratio", l.sd_ratio(), "sd / prior_sd"}};
}

/// The mean distribution of each coefficient that was sought, as a configuration has it.
Object mean_distribution_fields(const CalibrationReport& r) {
  Object distributions;
  for (std::size_t input = 0; input < 2; ++input) {
    const Distribution& distribution = r.calibration.mean_distributions[input];
    if (distribution.is_fixed()) continue;
    Object fields{{"distribution", distribution.word()}};
    distribution.each_number([&](const char* key, double number, NumberRole /*role*/) {
      fields.add({key, number});
    });
    distributions.add({r.data.ranges[input].key, fields});
  }
  return distributions;
}

Object fit_fields(const FitCheck& fit, double log_evidence) {
  const auto trend_fields = [](const FitTrend& trend) {
    return Object{{"name", trend.name}, {"deviation", trend.deviation}};
  };
  return {{"deviance", fit.deviance},
          {"expected_deviance", fit.expected_deviance},
          {"p_value", fit.p_value()},
          {"deviance_p_value", fit.deviance_p_value},
          {"trend_p_value", fit.trend_p_value},
          {"successes", fit.successes},
          {"predicted_successes", fit.predicted_successes},
          {"trends", list_of(fit.trends, trend_fields), "in standard deviations"},
          {"log_evidence", log_evidence}};
}

/// The trials that predict.
Field source_field(const CalibrationReport& r) {
  const Calibration& c = r.calibration;
  const Field effective{"median_effective_trials_of_cells", c.median_effective_trials};
  if (c.source != PredictionSource::kStored) {
    return {"simulated", Object{{"trials", c.simulated_trials}, {"rounds", c.rounds}, effective}};
  }
  std::int64_t failed = 0;
  for (const CalibrationCell& cell : r.data.cells) failed += cell.stored_failed;
  return {"stored", Object{{"trials", r.data.trials.size()},
                           {"failed", failed},
                           effective,
                           {"bandwidths", Object{{"jaw_bins", c.kernel.jaw},
                                                 {"support_bins", c.kernel.support}}}}};
}

// ---- The map ----

/// Whether a cell of the experiment counts in a cell of the run: it holds its middle, or is a
/// placement in it.
bool belongs(const ExperimentCell& e, const CellGrid& grid, const CellIndex& at) {
  const double x = grid.x_mm.cell_center(at.x);
  const double y = grid.y_mm.cell_center(at.y);
  if (e.x_min_mm < e.x_max_mm) return e.holds(x, y);
  return grid.x_mm.cell_at(e.x_min_mm) == at.x && grid.y_mm.cell_at(e.y_min_mm) == at.y;
}

/// A panel on the run's grid: its cells have the mean of value(cell of the experiment) over the
/// trials there.
template <typename Value>
HeatPanel panel(const CalibrationReport& r, const char* title, const Value& value) {
  const CellGrid& grid = r.config.placement;
  return slice_panel(grid, r.slice, title, [&](std::size_t place) {
    double sum = 0;
    double trials = 0;
    for (std::size_t k = 0; k < r.data.cells.size(); ++k) {
      const ExperimentCell& e = r.data.cells[k].experiment;
      if (e.trials == 0 || !belongs(e, grid, grid.cell(place))) continue;
      sum += static_cast<double>(e.trials) * value(k);
      trials += static_cast<double>(e.trials);
    }
    return trials > 0 ? sum / trials : kNaN;
  });
}

}  // namespace

std::string found_friction(const CalibrationReport& r) {
  std::vector<std::string> distributions;
  for (std::size_t input = 0; input < 2; ++input) {
    const Distribution& distribution = r.calibration.mean_distributions[input];
    const std::string friction = word_of(input) + std::string(" friction ");
    if (const auto* uniform = distribution.as<Uniform>()) {
      distributions.push_back(friction +
                              fmt::format("{:.3f} to {:.3f}", uniform->min, uniform->max));
    } else if (const auto* normal = distribution.as<TruncatedNormal>()) {
      distributions.push_back(friction +
                              fmt::format("{:.3f} with sigma {:.3f}", normal->mean, normal->sigma));
    }
  }
  return joined(distributions);
}

std::vector<std::string> mean_settings(const CalibrationReport& r) {
  std::vector<std::string> settings;
  for (std::size_t input = 0; input < 2; ++input) {
    if (r.data.ranges[input].is_fixed()) continue;
    settings.push_back(setting(r.data.ranges[input], r.calibration.mean_distributions[input]));
  }
  return settings;
}

std::string calibration_text(const CalibrationReport& r) {
  std::string text;
  for (std::size_t input = 0; input < 2; ++input) text += friction_sentence(r, input);
  text += nuisance_sentences(r);
  text += fmt::format("({} distributions; in brackets {} intervals)\n", name(r.calibration.family),
                      given_percent(r.confidence));
  text += fit_sentence(r) + trade_sentences(r) + coverage_notes(r) + "\n" + table_text(r) + "\n" +
          worth_text(r);
  const std::string mend = mend_text(r);
  if (!mend.empty()) text += "\n" + mend;
  return is_misfit(r.calibration) ? text : text + "\n" + next_text(r);
}

Object calibration_fields(const CalibrationReport& r) {
  const Calibration& c = r.calibration;
  const auto range_fields = [](const FrictionRange& range) {
    return Object{{"key", range.key}, {"low", range.low}, {"high", range.high}};
  };
  return {{"name", r.config.name},
          {"law", name(c.family), "kind of distribution"},
          {"confidence", r.confidence},
          {"experiment", Object{{"file", r.experiment.file},
                                {"origin", name(r.experiment.origin)},
                                {"source", r.experiment.source},
                                {"cells", r.data.cells.size()},
                                {"trials", r.data.experiment_trials},
                                {"trials_left_out", r.data.left_out}}},
          {"prior", list_of(r.data.ranges, range_fields)},
          {"learned", list_of(c.learned, learned_fields)},
          {"mean_laws", mean_distribution_fields(r), "as a configuration has them"},
          {"correlations", c.correlations, "of the parameters"},
          {"fit", fit_fields(c.fit, c.posterior.log_evidence)},
          source_field(r),
          {"posterior_file", "posterior.csv"},
          {"posterior_draws", c.posterior.points.size()},
          {"effective_draws", c.posterior.effective_draws}};
}

Table parameters_table(const CalibrationReport& r) {
  return table_of<Learned>(r.calibration.learned, [](const Learned& l) {
    return Object{{"name", l.name},     {"mean", l.mean},         {"sd", l.sd},
                  {"median", l.median}, {"interval", l.interval}, {"prior_sd", l.prior_sd}};
  });
}

Table posterior_table(const CalibrationReport& r) {
  const Calibration& c = r.calibration;
  Table table;
  for (const Learned& l : c.learned) table.columns.push_back({l.name, ""});
  table.columns.push_back({"log_likelihood", ""});
  for (std::size_t i = 0; i < c.posterior.points.size(); ++i) {
    Value::List& row = table.rows.emplace_back();
    for (const Learned& l : c.learned) row.emplace_back(l.draws[i]);
    row.emplace_back(c.posterior.log_likelihood[i]);
  }
  return table;
}

Table predicted_table(const CalibrationReport& r) {
  Table table;
  for (std::size_t k = 0; k < r.data.cells.size(); ++k) {
    const CalibrationCell& cell = r.data.cells[k];
    const ExperimentCell& e = cell.experiment;
    const PredictedCell& p = r.calibration.predicted[k];
    table.add({{"x_min_mm", e.x_min_mm},
               {"x_max_mm", e.x_max_mm},
               {"y_min_mm", e.y_min_mm},
               {"y_max_mm", e.y_max_mm},
               {"trials", e.trials},
               {"successes", e.successes},
               {"stored_trials", cell.stored_trials},
               {"probability", p.probability},
               {"probability", p.interval},
               {"discrepancy", p.discrepancy}});
  }
  return table;
}

Figure predicted_figure(const CalibrationReport& r) {
  const auto observed = [&](std::size_t k) {
    const ExperimentCell& e = r.data.cells[k].experiment;
    return static_cast<double>(e.successes) / static_cast<double>(e.trials);
  };
  const auto predicted = [&](std::size_t k) { return r.calibration.predicted[k].probability; };
  HeatPanelsInput input;
  input.name = "predicted";
  input.title = fmt::format("{}: the experiment and the likeliest distributions",
                            run_title(r.config.name, r.run));
  input.subtitle = fmt::format("{} distributions; {} trials of the experiment; p = {:.2g}",
                               name(r.calibration.family), r.data.experiment_trials,
                               r.calibration.fit.p_value());
  input.colours = {HeatScale::kProbability, "success probability", {}};
  input.panels = {panel(r, "experiment", observed), panel(r, "predicted", predicted),
                  panel(r, "experiment minus predicted",
                        [&](std::size_t k) { return observed(k) - predicted(k); })};
  input.panels[2].colours = HeatColours{HeatScale::kDifference, "difference", {}};
  if (r.has_discrepancy) {
    input.panels.push_back(panel(r, "discrepancy of the model (logit)", [&](std::size_t k) {
      return r.calibration.predicted[k].discrepancy;
    }));
    input.panels[3].colours = HeatColours{HeatScale::kDifference, "logit", {}};
  }
  input.columns = r.has_discrepancy ? 2 : 3;
  draw_grasp(r.config.scenario, {r.config.placement.theta_rad.cell_center(r.slice)}, input.panels);
  input.nan_label = "not in the experiment";
  return heat_panels_figure(input);
}

}  // namespace graspmap
