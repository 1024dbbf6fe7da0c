#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "grasp/base/io/text_table.hpp"
#include "grasp/decide/difference/run_difference_report.hpp"
#include "grasp/sweep/config/angle_words.hpp"

namespace graspmap {
namespace {

std::string percent_or_none(double probability) {
  if (std::isnan(probability)) return "none";
  return fmt::format("{:.1f} %", 100 * probability);
}

/// Digits after the point of percentage points: more for a narrow interval.
int digits(const Difference& d) { return d.interval.high - d.interval.low < 0.005 ? 2 : 1; }

/// "+3.2", in percentage points.
std::string points(double difference, int precision) {
  if (std::isnan(difference)) return "none";
  const std::string text = fmt::format("{:+.{}f}", 100 * difference, precision);
  // No "-0.0".
  return text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

std::string points(const Difference& d) { return points(d.estimate, digits(d)); }

std::string interval_text(const Difference& d) {
  return fmt::format("{} to {}", points(d.interval.low, digits(d)),
                     points(d.interval.high, digits(d)));
}

std::string confidence_text(const RunDifference& result) {
  return fmt::format("{:.6g} %", 100 * result.confidence);
}

/// "B succeeds more often than A by 3.2 percentage points over the map (95 % interval +2.9 to
/// +3.5)."
std::string overall_text(const RunDifference& result) {
  const Difference& d = result.whole.difference;
  const std::string interval =
      fmt::format("{} interval {}", confidence_text(result), interval_text(d));
  if (d.interval.low <= 0 && d.interval.high >= 0) {
    return fmt::format(
        "Over the map the trials do not show which is better: B minus A is {} percentage points\n"
        "({}).\n",
        points(d), interval);
  }
  return fmt::format(
      "B succeeds {} often than A by {:.{}f} percentage points over the map\n({}).\n",
      d.estimate > 0 ? "more" : "less", 100 * std::abs(d.estimate), digits(d), interval);
}

std::string cells_text(const RunDifference& result) {
  const std::int64_t better = result.significant_cells(1);
  const std::int64_t worse = result.significant_cells(-1);
  const std::string rate = fmt::format("{:.6g} %", 100 * result.false_discovery_rate);
  if (better + worse == 0) {
    return fmt::format(
        "In no cell is the difference significant at a false discovery rate of {}.\n", rate);
  }
  return fmt::format(
      "Significant in {} of {} cells at a false discovery rate of {}: B is better in {}, worse in "
      "{}.\n",
      better + worse, result.cells.size(), rate, better, worse);
}

std::string configuration_text(const RunDifference& result) {
  std::string text = fmt::format("\nA  {}\nB  {}\n", result.a.run, result.b.run);
  if (result.configuration.empty()) return text + "Their configurations are the same.\n";
  for (const ConfigDifference& d : result.configuration) {
    text += fmt::format("  {}: {} in A, {} in B\n", d.key, d.first, d.second);
  }
  return text;
}

/// Inputs that have the same value in all pairs, or not.
std::vector<std::string> inputs_that(const RunPairs& pairs, bool agree) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < kTrialInputs; ++k) {
    if ((pairs.equal[k] == pairs.pairs) == agree) names.emplace_back(kTrialInputNames[k]);
  }
  for (const PairedNumber& number : pairs.uncertain) {
    const bool is_in_both = number.in_a && number.in_b;
    if (is_in_both && (number.equal == pairs.pairs) == agree) names.push_back(number.key);
  }
  return names;
}

/// "Drawn in A only: part.mass_kg.", a line for each run that has such numbers.
std::string one_sided_text(const RunPairs& pairs) {
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;
  for (const PairedNumber& number : pairs.uncertain) {
    if (!number.in_b) only_a.push_back(number.key);
    if (!number.in_a) only_b.push_back(number.key);
  }
  std::string text;
  if (!only_a.empty()) {
    text += fmt::format("Drawn in A only, the same number in all trials of B: {}.\n",
                        fmt::join(only_a, ", "));
  }
  if (!only_b.empty()) {
    text += fmt::format("Drawn in B only, the same number in all trials of A: {}.\n",
                        fmt::join(only_b, ", "));
  }
  return text;
}

std::string gain_text(double gain) {
  if (std::isnan(gain)) return "";
  if (std::isinf(gain)) return "No pair differs.\n";
  return fmt::format(
      "The pairing is worth {:.1f} times the trials: that many independent trials would measure\n"
      "the difference over the map as exactly.\n",
      gain);
}

std::string pairing_text(const RunDifference& result) {
  const RunPairs& pairs = result.pairs;
  if (result.pairing == Pairing::kIndependent) {
    return fmt::format(
        "\nThe seeds differ: {} trials of A and {} of B, compared as independent samples.\n",
        result.a.trials, result.b.trials);
  }
  auto same = inputs_that(pairs, true);
  if (same.empty()) same.emplace_back("nothing");
  const auto other = inputs_that(pairs, false);
  std::string text = fmt::format(
      "\n{} pairs of trials with the same random numbers. The same in all pairs:\n{}.\n",
      pairs.pairs, fmt::join(same, ", "));
  if (!other.empty()) {
    text +=
        fmt::format("By other laws from the same random numbers: {}.\n", fmt::join(other, ", "));
  }
  return text + one_sided_text(pairs) + gain_text(result.pairing_gain);
}

/// "(0, -11)", "(0, -11) at 0.1 rad" on a map of several angles.
std::string place(const ComparedRun& run) {
  const SweetSpot& spot = run.sweet_spot;
  std::string text = fmt::format("({:.4g}, {:.4g})", spot.x_mm, spot.y_mm);
  if (run.map.theta_rad.cells > 1) text += fmt::format(" at {} rad", short_angle(spot.theta_rad));
  return text;
}

std::string square_name(const char* letter, const ComparedRun& run) {
  return fmt::format("square at {}'s sweet spot {}", letter, place(run));
}

void add_row(TextTable& table, const std::string& name, const RegionDifference& region) {
  if (region.cells == 0) return;
  table.add({name, fmt::format("{}", region.cells), percent_or_none(region.probability_a),
             percent_or_none(region.probability_b), points(region.difference),
             interval_text(region.difference)});
}

std::string regions_text(const RunDifference& result) {
  TextTable table({"success probability", "cells", "A", "B", "B minus A",
                   confidence_text(result) + " interval"});
  add_row(table, "whole map", result.whole);
  add_row(table, "plateau of A or of B", result.plateaus);
  add_row(table, square_name("A", result.a), result.at_a);
  add_row(table, square_name("B", result.b), result.at_b);
  return fmt::format("\n{}", table.text());
}

void add_row(TextTable& table, const char* name, const ComparedRun& run) {
  const SweetSpot& spot = run.sweet_spot;
  table.add({name, spot.found ? place(run) : std::string("none"),
             percent_or_none(spot.found ? spot.lowest_probability : std::nan("")),
             fmt::format("{} cells, {:.6g} mm2", run.plateau.cells, run.plateau.mean_area_mm2)});
}

std::string runs_text(const RunDifference& result) {
  TextTable table({"run", "sweet spot, mm", "its worst cell",
                   fmt::format("plateau (>= {}{})", percent_or_none(result.a.plateau_probability),
                               result.a.map.theta_rad.cells > 1 ? ", mean over the angles" : "")});
  add_row(table, "A", result.a);
  add_row(table, "B", result.b);
  return fmt::format("\n{}", table.text());
}

std::string failed_text(const RunDifference& result) {
  const std::int64_t failed =
      result.a.map.total().count(Outcome::kFailed) + result.b.map.total().count(Outcome::kFailed);
  if (failed == 0) return "";
  return fmt::format("\n{} trials failed; they widen the intervals.\n", failed);
}

}  // namespace

std::string difference_text(const RunDifference& result) {
  return overall_text(result) + cells_text(result) + configuration_text(result) +
         pairing_text(result) + regions_text(result) + runs_text(result) + failed_text(result);
}

}  // namespace graspmap
