#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/text_table.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/sweep/config/angle_words.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostCellsListed = 5;
constexpr std::int64_t kFewTrials = 30;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string points(double difference) { return fmt::format("{:.1f}", 100 * difference); }

std::string interval_in_points(const Interval& interval) {
  return fmt::format("{:+.1f} to {:+.1f}", 100 * interval.low, 100 * interval.high);
}

std::string place(const Rectangle& cell) {
  return fmt::format("x {:.4g} to {:.4g}, y {:.4g} to {:.4g}", cell.x_min_mm, cell.x_max_mm,
                     cell.y_min_mm, cell.y_max_mm);
}

std::string plural(std::int64_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
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

/// What neither map has is left out.
bool is_listed(const MapNumber& number) {
  return !std::isnan(number.run.value) || !std::isnan(number.experiment.value);
}

std::string numbers_text(const MapNumbers& numbers) {
  TextTable table({"the maps in numbers", "unit", "experiment", "run", "difference", "by chance"});
  for (const MapNumber& number : numbers.numbers) {
    if (!is_listed(number)) continue;
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
      left_out.cells > 0 ? fmt::format(" in {}", plural(left_out.cells, "cell")) : "";
  return fmt::format("Not compared: {}{} of the experiment {}.\n", plural(left_out.trials, "trial"),
                     cells, where);
}

std::int64_t median_trials(const ExperimentComparison& comparison) {
  std::vector<std::int64_t> trials;
  for (const CellComparison& cell : comparison.cells) trials.push_back(cell.cell.experiment.trials);
  const auto middle = trials.begin() + static_cast<std::ptrdiff_t>(trials.size() / 2);
  std::nth_element(trials.begin(), middle, trials.end());
  return *middle;
}

std::string run_line(const ExperimentComparison& comparison) {
  const std::string run = run_text(comparison.run_name, comparison.theta_rad);
  const ExperimentPrediction& prediction = comparison.prediction;
  if (prediction.simulated) {
    return fmt::format("Run: {}, simulated at the experiment's {} ({})\n", run,
                       plural(prediction.placements, "placement"),
                       plural(prediction.simulated_trials, "trial"));
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
        plural(prediction.failed, "trial"));
  }
  if (prediction.trials_without > 0) {
    text += fmt::format("Not compared: {} of the experiment where all simulated trials failed.\n",
                        plural(prediction.trials_without, "trial"));
  }
  if (comparison.experiment.failed > 0) {
    text += fmt::format("Not compared: {} of the experiment that failed.\n",
                        plural(comparison.experiment.failed, "trial"));
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
                        plural(comparison.run_total.failed, "trial"));
  }
  text += left_out_text(comparison.outside, "outside of the run's map");
  text += left_out_text(comparison.unknown, "where the run has too few trials");
  if (!text.empty()) text = fmt::format("\n{}", text);
  return text;
}

}  // namespace

std::string origin_text(ExperimentOrigin origin, const std::string& source) {
  return source.empty() ? name(origin) : fmt::format("{}: {}", name(origin), source);
}

std::string run_text(const std::string& run_name, const std::optional<double>& theta_rad) {
  return theta_rad ? fmt::format("{} at {}", run_name, angle_text(*theta_rad)) : run_name;
}

std::string p_value_text(double p_value) {
  return p_value < 1e-4 ? fmt::format("{:.0e}", p_value) : fmt::format("{:.2g}", p_value);
}

std::string comparison_text(const ExperimentComparison& comparison) {
  std::string text = agreement_verdict_text(comparison.agreement) + practical_size(comparison);
  text += fmt::format("\nExperiment ({}):\n  {}, {} successes of {}\n{}",
                      origin_text(comparison.experiment.origin, comparison.experiment.source),
                      comparison.experiment.file, comparison.experiment_total.successes,
                      plural(comparison.experiment_total.trials, "trial"), run_line(comparison));
  text += agreement_tests_text(comparison);
  if (comparison.numbers) text += numbers_text(*comparison.numbers);
  return text + significant_text(comparison) + notes(comparison);
}

}  // namespace graspmap
