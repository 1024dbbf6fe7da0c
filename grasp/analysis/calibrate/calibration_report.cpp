#include "grasp/analysis/calibrate/calibration_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "grasp/figures/map_panels.hpp"
#include "grasp/io/json_document.hpp"
#include "grasp/io/shell_word.hpp"
#include "grasp/io/text_table.hpp"

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastPValue = 0.05;

std::string interval_text(const Interval& interval) {
  return fmt::format("{:.3f} to {:.3f}", interval.low, interval.high);
}

std::string confidence_text(const CalibrationReport& r) {
  return fmt::format("{:.6g} %", 100 * r.confidence);
}

const char* word_of(std::size_t input) { return input == 0 ? "jaw" : "support"; }

/// The two parameters of an input and its mean; empty when it is fixed.
std::vector<const Learned*> learned_of(const Calibration& calibration, std::size_t input) {
  std::vector<const Learned*> list;
  for (const Learned& learned : calibration.learned) {
    if (learned.input == input) list.push_back(&learned);
  }
  return list;
}

bool all_unknown(const std::vector<const Learned*>& list) {
  return std::all_of(list.begin(), list.end(), [](const Learned* l) { return l->is_unknown(); });
}

/// "The jaw friction was drawn between 0.051 (0.043 to 0.060) and ...".
std::string law_sentence(const CalibrationReport& r, std::size_t input) {
  const auto list = learned_of(r.calibration, input);
  if (list.empty()) {
    return fmt::format("The {} friction is fixed at {} in the run and was not sought.\n",
                       word_of(input), r.data.ranges[input].low);
  }
  if (all_unknown(list)) {
    return fmt::format(
        "The experiment says little about the {} friction: its posterior is about as wide as the\n"
        "prior, {} to {}.\n",
        word_of(input), r.data.ranges[input].low, r.data.ranges[input].high);
  }
  const auto number = [&](const Learned& l) {
    return fmt::format("{:.3f} ({})", l.mean, interval_text(l.interval));
  };
  switch (r.calibration.family) {
    case LawFamily::kUniform:
      return fmt::format("The {} friction was between {} and {}.\n", word_of(input),
                         number(*list[0]), number(*list[1]));
    case LawFamily::kNormal:
      return fmt::format("The {} friction was {} with a spread (sigma) of {}.\n", word_of(input),
                         number(*list[0]), number(*list[1]));
  }
  return "";
}

std::string fit_sentence(const CalibrationReport& r) {
  const Calibration& c = r.calibration;
  if (c.p_value < kLeastPValue) {
    return fmt::format(
        "No {} law explains the experiment: even the likeliest ones miss its counts by more than\n"
        "chance (deviance {:.0f}, expected {:.0f}; p = {:.2g}). Do not rely on the numbers "
        "above.\n",
        name(c.family), c.deviance, c.expected_deviance, c.p_value);
  }
  return fmt::format(
      "These laws explain the experiment (deviance {:.0f}, expected {:.0f}; p = {:.2g}).\n",
      c.deviance, c.expected_deviance, c.p_value);
}

/// Whether much more of the posterior than of the prior lies at an end of the range.
bool piles_up(const std::vector<double>& draws, double end, double reach) {
  const auto near = std::count_if(draws.begin(), draws.end(),
                                  [&](double x) { return std::abs(x - end) < reach; });
  return static_cast<double>(near) > 0.25 * static_cast<double>(draws.size());
}

std::string coverage_notes(const CalibrationReport& r) {
  std::string text;
  for (const Learned& l : r.calibration.learned) {
    if (!l.is_parameter || l.is_unknown()) continue;
    const FrictionRange& range = r.data.ranges[l.input];
    const double reach = 0.02 * (range.high - range.low);
    // There is no friction below 0.
    const bool low = range.low > 0 && piles_up(l.draws, range.low, reach);
    if (!low && !piles_up(l.draws, range.high, reach)) continue;
    text += fmt::format(
        "Note: {} reaches the end of what the run covers, {}: the law may go on beyond; run a\n"
        "broader sweep (graspmap run --set {}=...).\n",
        l.name, low ? range.low : range.high, range.key);
  }
  if (r.data.left_out > 0) {
    text += fmt::format(
        "Note: {} trials of the experiment are left out, in cells with fewer than {} stored "
        "trials.\n",
        r.data.left_out, kLeastStoredTrials);
  }
  return text;
}

std::string learned_word(const Learned& l) {
  if (l.is_unknown()) return "little";
  return l.sd_ratio() > 0.3 ? "something" : "much";
}

std::string table_text(const CalibrationReport& r) {
  TextTable table({"", "mean", confidence_text(r) + " interval", "sd / prior sd", "learned"});
  for (const Learned& l : r.calibration.learned) {
    table.add({l.name, fmt::format("{:.3f}", l.mean), interval_text(l.interval),
               fmt::format("{:.2f}", l.sd_ratio()), learned_word(l)});
  }
  return table.text();
}

std::string worth_text(const CalibrationReport& r) {
  return fmt::format(
      "{} trials of the experiment in {} cells; {} stored ones, worth {:.0f} in the median cell\n"
      "under these laws; {:.0f} independent draws of the posterior.\n",
      r.data.experiment_trials, r.data.cells.size(), r.data.trials.size(),
      r.calibration.median_effective_trials, r.calibration.posterior.effective_draws);
}

/// A law as --set takes it.
std::string set_option(const FrictionRange& range, const Distribution& law) {
  const std::string value =
      law.kind == DistributionKind::kUniform
          ? fmt::format("{{ distribution = \"uniform\", min = {:.4g}, max = {:.4g} }}", law.min,
                        law.max)
          : fmt::format(
                "{{ distribution = \"truncated_normal\", mean = {:.4g}, sigma = {:.4g}, "
                "min = {:.6g}, max = {:.6g} }}",
                law.mean, law.sigma, law.min, law.max);
  return "--set " + shell_word(range.key + "=" + value);
}

std::string command(const CalibrationReport& r) {
  std::string text = "graspmap reweight " + shell_word(r.run);
  for (std::size_t input = 0; input < 2; ++input) {
    if (r.data.ranges[input].is_fixed()) continue;
    text += " \\\n    " + set_option(r.data.ranges[input], r.calibration.mean_laws[input]);
  }
  return text;
}

// ---- JSON ----

void write_learned(JsonWriter& json, const Learned& l) {
  json.field("name", l.name);
  json.field("parameter", l.is_parameter);
  json.field("mean", l.mean);
  json.field("median", l.median);
  json.field("sd", l.sd);
  json.interval("interval", l.interval);
  json.field("prior_sd", l.prior_sd);
  json.field("sd_ratio", l.sd_ratio());
}

void write_experiment(JsonWriter& json, const CalibrationReport& r) {
  json.object("experiment", [&] {
    json.field("file", r.experiment.file);
    json.field("origin", name(r.experiment.origin));
    json.field("source", r.experiment.source);
    json.field("cells", r.data.cells.size());
    json.field("trials", r.data.experiment_trials);
    json.field("trials_left_out", r.data.left_out);
  });
}

void write_stored(JsonWriter& json, const CalibrationReport& r) {
  std::int64_t failed = 0;
  for (const CalibrationCell& cell : r.data.cells) failed += cell.stored_failed;
  json.object("stored", [&] {
    json.field("trials", r.data.trials.size());
    json.field("failed", failed);
    json.field("median_effective_trials_of_cells", r.calibration.median_effective_trials);
    json.object("bandwidths", [&] {
      json.field("jaw_bins", r.calibration.bandwidths.a);
      json.field("support_bins", r.calibration.bandwidths.b);
    });
  });
}

// ---- The map ----

/// A panel on the run's grid: its cells have what `value` says of the experiment's cell that holds
/// their middle.
template <typename Value>
HeatPanel panel(const CalibrationReport& r, const char* title, const Value& value) {
  const CellGrid& grid = r.config.placement;
  return slice_panel(grid, 0, title, [&](std::size_t place) {
    const CellIndex at = grid.cell(place);
    const double x = grid.x_mm.cell_center(at.x);
    const double y = grid.y_mm.cell_center(at.y);
    double result = kNaN;
    for (std::size_t k = 0; k < r.data.cells.size(); ++k) {
      const ExperimentCell& e = r.data.cells[k].experiment;
      const bool inside = x >= e.x_min_mm && x < e.x_max_mm && y >= e.y_min_mm && y < e.y_max_mm;
      if (inside) result = value(k);
    }
    return result;
  });
}

}  // namespace

std::string calibration_text(const CalibrationReport& r) {
  std::string text;
  for (std::size_t input = 0; input < 2; ++input) text += law_sentence(r, input);
  text += fmt::format("({} laws; in brackets {} intervals)\n", name(r.calibration.family),
                      confidence_text(r));
  text += fit_sentence(r) + coverage_notes(r) + "\n" + table_text(r) + "\n" + worth_text(r);
  return text + "\nThe map under the mean law:\n  " + command(r) + "\n";
}

std::string calibration_json(const CalibrationReport& r) {
  const Calibration& c = r.calibration;
  return json_document([&](JsonWriter& json) {
    json.field("name", r.config.name);
    json.field("law", name(c.family));
    json.field("confidence", r.confidence);
    write_experiment(json, r);
    json.objects("prior", r.data.ranges, [&](const FrictionRange& range) {
      json.field("key", range.key);
      json.field("low", range.low);
      json.field("high", range.high);
    });
    json.objects("learned", c.learned, [&](const Learned& l) { write_learned(json, l); });
    json.array("correlations", c.correlations,
               [&](const std::vector<double>& row) { json.values(row); });
    json.object("fit", [&] {
      json.field("deviance", c.deviance);
      json.field("expected_deviance", c.expected_deviance);
      json.field("p_value", c.p_value);
      json.field("log_evidence", c.posterior.log_evidence);
    });
    write_stored(json, r);
    json.field("posterior_draws", c.posterior.points.size());
    json.field("effective_draws", c.posterior.effective_draws);
  });
}

std::string parameters_csv(const CalibrationReport& r) {
  std::string csv = "name,mean,sd,median,interval_low,interval_high,prior_sd\n";
  for (const Learned& l : r.calibration.learned) {
    csv += fmt::format("{},{},{},{},{},{},{}\n", l.name, l.mean, l.sd, l.median, l.interval.low,
                       l.interval.high, l.prior_sd);
  }
  return csv;
}

std::string posterior_csv(const CalibrationReport& r) {
  const Calibration& c = r.calibration;
  std::string csv;
  for (const Learned& l : c.learned) csv += l.name + ",";
  csv += "log_likelihood\n";
  for (std::size_t i = 0; i < c.posterior.points.size(); ++i) {
    for (const Learned& l : c.learned) csv += fmt::format("{},", l.draws[i]);
    csv += fmt::format("{}\n", c.posterior.log_likelihood[i]);
  }
  return csv;
}

std::string predicted_csv(const CalibrationReport& r) {
  std::string csv =
      "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes,stored_trials,probability,"
      "probability_low,probability_high\n";
  for (std::size_t k = 0; k < r.data.cells.size(); ++k) {
    const CalibrationCell& cell = r.data.cells[k];
    const ExperimentCell& e = cell.experiment;
    const PredictedCell& p = r.calibration.predicted[k];
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{},{}\n", e.x_min_mm,
                   e.x_max_mm, e.y_min_mm, e.y_max_mm, e.trials, e.successes, cell.stored_trials,
                   p.probability, p.interval.low, p.interval.high);
  }
  return csv;
}

Figure predicted_figure(const CalibrationReport& r) {
  const auto observed = [&](std::size_t k) {
    const ExperimentCell& e = r.data.cells[k].experiment;
    return static_cast<double>(e.successes) / static_cast<double>(e.trials);
  };
  const auto predicted = [&](std::size_t k) { return r.calibration.predicted[k].probability; };
  HeatPanelsInput input;
  input.name = "predicted";
  input.title = fmt::format("{}: the experiment and the laws that explain it best", r.config.name);
  input.subtitle =
      fmt::format("{} laws; {} trials of the experiment; p = {:.2g}", name(r.calibration.family),
                  r.data.experiment_trials, r.calibration.p_value);
  input.colours = {HeatScale::kProbability, "success probability", {}};
  input.panels = {panel(r, "experiment", observed), panel(r, "predicted", predicted),
                  panel(r, "experiment minus predicted",
                        [&](std::size_t k) { return observed(k) - predicted(k); })};
  input.panels[2].colours = HeatColours{HeatScale::kDifference, "difference", {}};
  input.columns = 3;
  input.nan_label = "not in the experiment";
  return heat_panels_figure(input);
}

}  // namespace graspmap
