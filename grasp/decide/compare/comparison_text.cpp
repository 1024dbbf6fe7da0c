#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostCellsListed = 5;
constexpr std::size_t kMostSessionsListed = 12;
constexpr double kFewTrials = 30;

/// "0.043", "2e-05".
std::string p_value_text(double p_value) {
  return p_value < 1e-4 ? fmt::format("{:.0e}", p_value) : fmt::format("{:.2g}", p_value);
}

std::string points(double difference) { return fmt::format("{:.1f}", 100 * difference); }

std::string interval_in_points(const Interval& interval) {
  return fmt::format("{:+.1f} to {:+.1f}", 100 * interval.low, 100 * interval.high);
}

std::string place(const Rectangle& cell) {
  return fmt::format("x {:.4g} to {:.4g}, y {:.4g} to {:.4g}", cell.x_min_mm, cell.x_max_mm,
                     cell.y_min_mm, cell.y_max_mm);
}

std::string practical_size(const ExperimentComparison& comparison) {
  const HomogeneityTest& test = comparison.test;
  std::string text = fmt::format(
      "How much: {} percentage points in the mean over the cells; chance alone would give {}.\n",
      points(test.mean_difference), points(test.mean_by_chance));
  if (!comparison.largest) return text;
  const CellComparison& most = comparison.cells[*comparison.largest];
  return text + fmt::format(
                    "Most at {} mm: {} in the experiment, {} in the run,\n"
                    "a difference of {:+.1f} points ({:.4g} % interval {}).\n",
                    place(most.cell.bounds), percent(most.experiment.value),
                    percent(most.cell.run_probability.value), 100 * most.difference.value,
                    100 * comparison.confidence, interval_in_points(most.difference.interval));
}

std::string range_text(const Interval& range, const char* format) {
  if (std::isnan(range.low)) return "none";
  return fmt::format(fmt::runtime(format), range.low, range.high);
}

std::string number_text(const Estimate& number) {
  if (std::isnan(number.value)) return "none";
  return fmt::format("{:.2f} {}", number.value, range_text(number.interval, "({:.2f} to {:.2f})"));
}

std::string difference_text(const Estimate& difference) {
  return std::isnan(difference.value) ? "none" : fmt::format("{:+.2f}", difference.value);
}

std::string numbers_text(const MapNumbers& numbers) {
  TextTable table({"the maps in numbers", "unit", "experiment", "run", "difference", "by chance"});
  for (const MapNumber& number : numbers.numbers) {
    if (std::isnan(number.run.value) && std::isnan(number.experiment.value)) continue;
    table.add({number.name, number.unit, number_text(number.experiment), number_text(number.run),
               difference_text(number.difference),
               range_text(number.by_chance, "{:+.2f} to {:+.2f}")});
  }
  table.add({"distance of the sweet spots", "mm", "", "",
             fmt::format("{:.2f}", numbers.displacement_mm.value),
             range_text(numbers.displacement_by_chance_mm, "{:.2f} to {:.2f}")});
  table.add({"plateaus: common / joint area", "-", "", "",
             fmt::format("{:.2f}", numbers.plateau_overlap.value),
             range_text(numbers.overlap_by_chance, "{:.2f} to {:.2f}")});
  std::string text = fmt::format("\n{}", table.text());
  if (std::isnan(numbers.x_mm)) {
    return text + "No square of the sweet spot's size is known wholly: no lines to its sides.\n";
  }
  return text + fmt::format(
                    "Sides: along the lines through ({:.4g}, {:.4g}) mm, the run's sweet "
                    "spot among the compared cells.\n",
                    numbers.x_mm, numbers.y_mm);
}

std::string counts_text(const SampleCounts& counts) {
  return fmt::format("{}/{}", counts.successes, counts.trials);
}

std::string significant_text(const ExperimentComparison& comparison) {
  const std::size_t count = comparison.significant.size();
  std::string text = fmt::format(
      "\n{} of {} cells differ by themselves (exact tests, at most {:.3g} % of them by chance)",
      count, comparison.cells.size(), 100 * (1 - comparison.confidence));
  if (count == 0) return text + ".\n";
  const std::size_t listed = std::min(count, kMostCellsListed);
  text += listed < count ? fmt::format("; the {} clearest:\n", listed) : ":\n";
  TextTable table({"cell in mm", "experiment", "run", "difference in points", "adjusted p"});
  for (std::size_t k = 0; k < listed; ++k) {
    const CellComparison& cell = comparison.cells[comparison.significant[k]];
    table.add({place(cell.cell.bounds), counts_text(cell.cell.experiment),
               counts_text(cell.cell.run),
               fmt::format("{:+.1f} ({})", 100 * cell.difference.value,
                           interval_in_points(cell.difference.interval)),
               p_value_text(cell.adjusted_p)});
  }
  return text + table.text();
}

std::string left_out_text(const LeftOut& left_out, const char* where) {
  if (left_out.trials == 0) return "";
  const std::string cells =
      left_out.cells > 0 ? fmt::format(" in {}", counted(left_out.cells, "cell")) : "";
  return fmt::format("Not compared: {}{} of the experiment {}.\n",
                     counted(left_out.trials, "trial"), cells, where);
}

double median_trials(const ExperimentComparison& comparison) {
  std::vector<double> trials;
  for (const CellComparison& cell : comparison.cells) {
    trials.push_back(static_cast<double>(cell.cell.experiment.trials));
  }
  return sample_quantile(std::move(trials), 0.5);
}

std::string run_line(const ExperimentComparison& comparison) {
  const std::string run = run_text(comparison.run_name, comparison.theta_rad);
  const ExperimentPrediction& prediction = comparison.prediction;
  if (prediction.simulated) {
    return fmt::format("Run: {}, simulated at the experiment's {} ({})\n", run,
                       counted(prediction.placements, "placement"),
                       counted(prediction.simulated_trials, "trial"));
  }
  return fmt::format("Run: {}, {} of {}\n", run, comparison.run_total.successes,
                     comparison.run_total.trials);
}

std::string prediction_notes(const ExperimentComparison& comparison) {
  const ExperimentPrediction& prediction = comparison.prediction;
  std::string text;
  if (prediction.simulated_trials == 0) {
    text +=
        "Nothing was simulated: trials in a cell are taken as placed uniformly in it, which is "
        "wrong "
        "for\nplacements on a lattice; friction and turns are not looked for, and sessions are not "
        "told apart.\n";
  }
  if (prediction.failed > 0) {
    text += fmt::format(
        "{} simulated at the placements failed: counted once as success, once as none.\n",
        counted(prediction.failed, "trial"));
  }
  if (prediction.trials_without > 0) {
    text += fmt::format("Not compared: {} of the experiment where all simulated trials failed.\n",
                        counted(prediction.trials_without, "trial"));
  }
  if (comparison.experiment.failed > 0) {
    text += fmt::format("Not compared: {} of the experiment that failed.\n",
                        counted(comparison.experiment.failed, "trial"));
  }
  return text;
}

std::string notes(const ExperimentComparison& comparison) {
  std::string text = prediction_notes(comparison);
  if (!comparison.are_cells_of_run && !comparison.prediction.simulated) {
    text +=
        "The experiment's cells are not those of the run: the run's trials were put into them by "
        "their\nintended placement; its counts are effective ones.\n";
  }
  if (!comparison.grid) {
    text +=
        "The experiment's cells are not of one size and lined up: no shapes of maps, no figures.\n";
  } else if (!comparison.numbers) {
    text += fmt::format("No cell has {} trials of both: the shapes of the maps are not compared.\n",
                        kLeastTrialsOfCell);
  } else if (median_trials(comparison) < kFewTrials) {
    text += fmt::format(
        "The experiment has few trials per cell: the shapes count cells with {} trials or more "
        "only ({}),\nand their intervals are too narrow.\n",
        kLeastTrialsOfCell, comparison.numbers->cells);
  }
  if (comparison.run_total.failed > 0 && !comparison.prediction.simulated) {
    text += fmt::format("{} of the run failed: counted once as success, once as none.\n",
                        counted(comparison.run_total.failed, "trial"));
  }
  text += planned_text(comparison.prediction);
  text += left_out_text(comparison.outside, "outside of the run's map");
  text += left_out_text(comparison.unknown, "where the run has too few trials");
  if (!text.empty()) text = fmt::format("\n{}", text);
  return text;
}

/// At most as many sessions as are listed, in their order: those that differ most, in standard
/// deviations.
std::vector<SessionResult> listed_sessions(std::vector<SessionResult> sessions) {
  if (sessions.size() <= kMostSessionsListed) return sessions;
  const auto size = [](const SessionResult& session) {
    const double difference = std::abs(static_cast<double>(session.successes) - session.expected);
    return difference > 0 ? difference / session.expected_sd : 0.0;
  };
  std::stable_sort(
      sessions.begin(), sessions.end(),
      [&](const SessionResult& a, const SessionResult& b) { return size(a) > size(b); });
  sessions.resize(kMostSessionsListed);
  std::sort(sessions.begin(), sessions.end(),
            [](const SessionResult& a, const SessionResult& b) { return a.session < b.session; });
  return sessions;
}

/// "p = 0.04", "p <= 0.0001" where no smaller one could have been found.
std::string p_text(double p_value, std::int64_t replicates) {
  const bool is_least = p_value * static_cast<double>(replicates + 1) < 1.5;
  return fmt::format("p {} {}", is_least ? "<=" : "=", p_value_text(p_value));
}

/// A change in its unit: "+7.3 points", "-0.21 mm".
std::string change_text(Change change, double value) {
  switch (change) {
    case Change::kLevel:
      return fmt::format("{:+.1f}", 100 * value);
    case Change::kShiftX:
    case Change::kShiftY:
      return fmt::format("{:+.2f}", value);
    case Change::kTurn:
    case Change::kJawFriction:
    case Change::kSupportFriction:
      return fmt::format("{:+.3f}", value);
  }
  return "";
}

/// The size of a change that would be found: "±5.1", or a dash.
std::string detectable_text(Change change, double value) {
  return std::isnan(value) ? "-" : "±" + change_text(change, value).substr(1);
}

std::string estimate_text(const ChangeResult& result) {
  const Interval& interval = result.estimate.interval;
  return fmt::format("{} ({} to {})", change_text(result.change, result.estimate.value),
                     change_text(result.change, interval.low),
                     change_text(result.change, interval.high));
}

std::string verdict_text(const Agreement& agreement) {
  const double within = 100 * agreement.within;
  const std::string p = p_text(agreement.p_value, agreement.replicates);
  switch (agreement.verdict) {
    case AgreementVerdict::kAgrees:
      if (agreement.significant) {
        return fmt::format(
            "The experiment and the run differ by more than chance explains ({}), but agree within "
            "{:.4g}\npercentage points (at {:.4g} % confidence).\n",
            p, within, 100 * agreement.confidence);
      }
      return fmt::format(
          "The experiment and the run agree within {:.4g} percentage points (at {:.4g} % "
          "confidence); no\ndifference beyond chance was found ({}).\n",
          within, 100 * agreement.confidence, p);
    case AgreementVerdict::kDiffers:
      return fmt::format("The experiment and the run differ by more than chance explains ({}).\n",
                         p);
    case AgreementVerdict::kCannotTell:
      return fmt::format(
          "It is open whether the experiment and the run agree: no difference beyond chance "
          "was\nfound ({}), but agreement within {:.4g} percentage points is not shown either.\n",
          p, within);
  }
  return "";
}

std::string observed_text(const Agreement& agreement) {
  const ChangeResult& level = *agreement.of(Change::kLevel);
  const Interval& interval = level.estimate.interval;
  return fmt::format(
      "At the experiment's own placements: {} of {} succeeded, {:.1f} were expected (standard\n"
      "deviation {:.1f}): a difference of {:+.1f} points ({:.4g} % interval {:+.1f} to {:+.1f}).\n",
      agreement.successes, counted(agreement.trials, "trial"), agreement.expected,
      agreement.expected_sd, 100 * level.estimate.value, 100 * agreement.confidence,
      100 * interval.low, 100 * interval.high);
}

/// What was found, the clearest first.
std::string found_text(const Agreement& agreement) {
  if (!agreement.significant) return "";
  const double level = 1 - agreement.confidence;
  std::vector<std::pair<double, std::string>> found;
  const auto add = [&](double adjusted_p, const char* what) {
    if (adjusted_p <= level) found.emplace_back(adjusted_p, what);
  };
  for (const ChangeResult& change : agreement.changes) add(change.adjusted_p, name(change.change));
  add(agreement.places.adjusted_p, "differences by place");
  if (agreement.between_sessions) {
    add(agreement.between_sessions->adjusted_p, "differences between sessions");
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> words;
  for (const auto& [p, what] : found) words.push_back(what);
  if (words.empty()) return "";
  return fmt::format("Found: {}.{}\n", fmt::join(words, ", "),
                     words.size() > 1 ? "\nOne cause can show as several of these." : "");
}

std::string sessions_text(const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  if (agreement.sessions.empty()) return "";
  std::string text = fmt::format(
      "\nSessions: friction is taken as constant in each, drawn from the run's distributions.\n"
      "That makes the standard deviation of the total {:.2g} times that of trials with their own "
      "friction.\n",
      agreement.session_widening);
  TextTable table({"session", "successes", "expected", "sd", "difference in sd"});
  for (const SessionResult& session : listed_sessions(agreement.sessions)) {
    const double difference = static_cast<double>(session.successes) - session.expected;
    table.add(
        {comparison.experiment.sessions[session.session],
         fmt::format("{}/{}", session.successes, session.trials),
         fmt::format("{:.1f}", session.expected), fmt::format("{:.1f}", session.expected_sd),
         session.expected_sd > 0 ? fmt::format("{:+.1f}", difference / session.expected_sd) : "-"});
  }
  text += table.text();
  if (agreement.sessions.size() > kMostSessionsListed) {
    text += fmt::format("{} more, which differ less, in compare.json.\n",
                        agreement.sessions.size() - kMostSessionsListed);
  }
  return text;
}

/// The verdict, the total at the experiment's own placements, and what agreement is shown.
std::string agreement_verdict_text(const Agreement& agreement) {
  const std::string text =
      verdict_text(agreement) + observed_text(agreement) + found_text(agreement);
  if (agreement.smallest_within >= 1) return text;
  return text + fmt::format("Agreement within d points is shown for d = {:.1f} or more.\n",
                            std::ceil(1000 * agreement.smallest_within) / 10);
}

}  // namespace

std::string planned_text(const ExperimentPrediction& prediction) {
  if (prediction.planned.empty()) return "";
  return fmt::format("Predicted in placements.csv: {} without a result.\n",
                     counted(std::ssize(prediction.planned), "placement"));
}

std::string origin_text(ExperimentOrigin origin, const std::string& source) {
  return source.empty() ? name(origin) : fmt::format("{}: {}", name(origin), source);
}

std::string run_text(const std::string& run_name, const std::optional<double>& theta_rad) {
  return theta_rad ? fmt::format("{} at {}", run_name, angle_text(*theta_rad)) : run_name;
}

std::string agreement_tests_text(const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  TextTable table({"what may be changed", "unit",
                   fmt::format("estimate ({:.4g} % interval)", 100 * agreement.confidence), "p",
                   "corrected p", "points at most", "found: 80 %", "90 %"});
  for (const ChangeResult& result : agreement.changes) {
    table.add({name(result.change), unit(result.change), estimate_text(result),
               p_value_text(result.p_value), p_value_text(result.adjusted_p),
               fmt::format("{:.1f}", 100 * result.largest_effect),
               detectable_text(result.change, result.detectable_80),
               detectable_text(result.change, result.detectable_90)});
  }
  const auto add_test = [&](const char* what, const TestResult& result) {
    table.add(
        {what, "", "", p_value_text(result.p_value), p_value_text(result.adjusted_p), "", "", ""});
  };
  add_test("places, in any pattern", agreement.places);
  if (agreement.between_sessions) add_test("between sessions", *agreement.between_sessions);
  std::string cut;
  for (const ChangeResult& result : agreement.changes) {
    if (!result.at_bound) continue;
    cut += fmt::format(
        "The {} is cut at the change that makes it 0: the experiment leans on that bound.\n",
        name(result.change));
  }
  return fmt::format(
             "\n{}{}Each change as if it were the only one, to first order. Points at most: the "
             "mean "
             "change of the\nsuccess that is not excluded. Found: a change of this size would be "
             "found with 80, 90 % probability.\n",
             table.text(), cut) +
         sessions_text(comparison);
}

std::string comparison_text(const ExperimentComparison& comparison) {
  std::string text = agreement_verdict_text(comparison.agreement) + practical_size(comparison);
  text += fmt::format("\nExperiment ({}):\n  {}, {} successes of {}\n{}",
                      origin_text(comparison.experiment.origin, comparison.experiment.source),
                      comparison.experiment.file, comparison.experiment_total.successes,
                      counted(comparison.experiment_total.trials, "trial"), run_line(comparison));
  text += agreement_tests_text(comparison);
  if (comparison.numbers) text += numbers_text(*comparison.numbers);
  return text + significant_text(comparison) + notes(comparison);
}

}  // namespace graspmap
