#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/difference/run_difference.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/figures/grasp_drawing.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

/// "A: lock_piece"
std::string run_title(const char* letter, const ComparedRun& run) {
  const std::filesystem::path path = std::filesystem::path(run.run).lexically_normal();
  const std::string name =
      path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  return fmt::format("{}: {}", letter, name);
}

HeatPanel run_panel(const char* letter, const ComparedRun& run, int slice) {
  HeatPanel panel = success_panel(run.map, slice, run_title(letter, run), run.plateau_probability,
                                  run.sweet_spot);
  draw_grasp(run.scenario, grasp_at(run.sweet_spot, slice, run.map.theta_rad), panel);
  return panel;
}

/// Without any difference there is no largest one that the colours could end at.
double largest(const RunDifference& result) {
  double most = 0;
  for (const CellDifference& cell : result.cells) {
    most = std::fmax(most, 100 * std::abs(cell.difference.value));
  }
  return most > 0 ? most : 1.0;
}

enum class Shown { kAll, kSignificant };

HeatPanel difference_panel(const RunDifference& result, std::string title, int slice, Shown shown) {
  HeatPanel panel = slice_panel(result.a.map, slice, std::move(title), [&](std::size_t k) {
    const CellDifference& cell = result.cells[k];
    const bool is_shown = cell.significant || shown == Shown::kAll;
    return is_shown ? 100 * cell.difference.value : std::numeric_limits<double>::quiet_NaN();
  });
  panel.colours =
      HeatColours{HeatScale::kDifference, "B minus A (percentage points)", largest(result)};
  draw_grasp(result.a.scenario, {result.a.map.theta_rad.cell_center(slice)}, panel);
  return panel;
}

std::string subtitle(const RunDifference& result) {
  const RegionDifference& whole = result.whole;
  return fmt::format("over the map {:+.1f} percentage points ({} interval {:+.1f} to {:+.1f}); {}",
                     100 * whole.difference.value, given_percent(result.confidence),
                     100 * whole.difference.interval.low, 100 * whole.difference.interval.high,
                     result.pairing == Pairing::kPaired
                         ? fmt::format("{} pairs of trials", grouped(result.pairs.pairs))
                         : "independent trials");
}

HeatPanelsInput empty_figure(const RunDifference& result, const char* name) {
  HeatPanelsInput input;
  input.name = name;
  input.subtitle = subtitle(result);
  input.colours = {HeatScale::kProbability, "success probability", {}};
  input.nan_label = fmt::format("not significant (false discovery rate {})",
                                given_percent(result.false_discovery_rate));
  return input;
}

/// At the angle of A's sweet spot, or the middle one.
Figure maps_figure(const RunDifference& result) {
  const Axis& theta = result.a.map.theta_rad;
  const SweetSpot& spot = result.a.sweet_spot;
  const int slice = spot.found ? spot.cell_theta : theta.cells / 2;
  HeatPanelsInput input = empty_figure(result, "difference_maps");
  input.title = "What B changes";
  if (theta.cells > 1) input.title += " at " + angle_label(theta.cell_center(slice));
  input.panels = {
      run_panel("A", result.a, slice), run_panel("B", result.b, slice),
      difference_panel(result, "B minus A", slice, Shown::kAll),
      difference_panel(result, "B minus A, where significant", slice, Shown::kSignificant)};
  input.columns = 2;
  share_window(input.panels);
  return heat_panels_figure(input);
}

Figure angles_figure(const RunDifference& result) {
  const Axis& theta = result.a.map.theta_rad;
  HeatPanelsInput input = empty_figure(result, "difference_angles");
  input.title = "What B changes at each angle";
  for (int slice = 0; slice < theta.cells; ++slice) {
    input.panels.push_back(difference_panel(result, angle_label(theta.cell_center(slice)), slice,
                                            Shown::kSignificant));
  }
  share_window(input.panels);
  return heat_panels_figure(input);
}

}  // namespace

std::vector<Figure> difference_figures(const RunDifference& result) {
  constexpr int kMostPanels = 9;
  std::vector<Figure> figures{maps_figure(result)};
  const int angles = result.a.map.theta_rad.cells;
  if (angles > 1 && angles <= kMostPanels) figures.push_back(angles_figure(result));
  return figures;
}

namespace {

std::string percent_or_none(double probability) {
  return std::isnan(probability) ? "none" : percent(probability);
}

std::string points(const Estimate& d) { return signed_points(d.value, percent_digits(d.interval)); }

std::string points_range(const Interval& interval) {
  return signed_points_range(interval, percent_digits(interval));
}

/// "B succeeds more often than A by 3.2 percentage points over the map (95 % interval +2.9 to
/// +3.5)."
std::string overall_text(const RunDifference& result) {
  const Estimate& d = result.whole.difference;
  const std::string interval =
      fmt::format("{} interval {}", given_percent(result.confidence), points_range(d.interval));
  if (d.interval.low <= 0 && d.interval.high >= 0) {
    return fmt::format(
        "Over the map the trials do not show which is better: B minus A is {} percentage points\n"
        "({}).\n",
        points(d), interval);
  }
  return fmt::format(
      "B succeeds {} often than A by {:.{}f} percentage points over the map\n({}).\n",
      d.value > 0 ? "more" : "less", 100 * std::abs(d.value), percent_digits(d.interval), interval);
}

std::string cells_text(const RunDifference& result) {
  const std::int64_t better = result.significant_cells(1);
  const std::int64_t worse = result.significant_cells(-1);
  const std::string rate = given_percent(result.false_discovery_rate);
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

std::string pairing_text(const RunDifference& result) {
  const RunPairs& pairs = result.pairs;
  if (result.pairing == Pairing::kIndependent) {
    return fmt::format(
        "\nThe random numbers differ (sweep.seed or sweep.points): {} trials of A and {} of B, "
        "compared as independent samples.\n",
        result.a.trials, result.b.trials);
  }
  std::vector<std::string> same;
  std::vector<std::string> other;
  std::vector<std::string> redrawn;
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;
  for (std::size_t k = 0; k < kTrialInputs; ++k) {
    (pairs.equal[k] == pairs.pairs ? same : other).emplace_back(kTrialInputNames[k]);
  }
  for (const PairedNumber& number : pairs.uncertain) {
    if (!number.in_a || !number.in_b) {
      (number.in_a ? only_a : only_b).push_back(number.key);
    } else if (!number.same_draws) {
      redrawn.push_back(number.key);
    } else {
      (number.equal == pairs.pairs ? same : other).push_back(number.key);
    }
  }
  if (same.empty()) same.emplace_back("nothing");
  std::string text = fmt::format(
      "\n{} pairs of trials with the same random numbers. The same in all pairs:\n", pairs.pairs);
  const auto add = [&](const char* start, const std::vector<std::string>& names) {
    if (!names.empty()) text += fmt::format("{}{}.\n", start, fmt::join(names, ", "));
  };
  add("", same);
  add("With other distributions but the same random numbers: ", other);
  add("With other random numbers: ", redrawn);
  add("Drawn in A only, the same number in all trials of B: ", only_a);
  add("Drawn in B only, the same number in all trials of A: ", only_b);
  const double gain = result.pairing_gain;
  if (std::isnan(gain)) return text;
  if (std::isinf(gain)) return text + "No pair differs.\n";
  return text + fmt::format(
                    "The pairing is worth {:.1f} times the trials: that many independent trials "
                    "would measure\nthe difference over the map as exactly.\n",
                    gain);
}

/// "(0, -11)", "(0, -11) at 0.1 rad" on a map of several angles.
std::string place(const ComparedRun& run) {
  const SweetSpot& spot = run.sweet_spot;
  std::string text = fmt::format("({:.4g}, {:.4g})", spot.x_mm, spot.y_mm);
  if (run.map.theta_rad.cells > 1) text += fmt::format(" at {} rad", short_angle(spot.theta_rad));
  return text;
}

std::string regions_text(const RunDifference& result) {
  TextTable table({"success probability", "cells", "A", "B", "B minus A",
                   given_percent(result.confidence) + " interval"});
  const auto add = [&](const std::string& name, const RegionDifference& region) {
    if (region.cells == 0) return;
    table.add({name, fmt::format("{}", region.cells), percent_or_none(region.probability_a),
               percent_or_none(region.probability_b), points(region.difference),
               points_range(region.difference.interval)});
  };
  add("whole map", result.whole);
  add("plateau of A or of B", result.plateaus);
  add("square at A's sweet spot " + place(result.a), result.at_a);
  add("square at B's sweet spot " + place(result.b), result.at_b);
  return "\n" + table.text();
}

std::string runs_text(const RunDifference& result) {
  std::string threshold = percent_or_none(result.a.plateau_probability);
  if (result.b.plateau_probability != result.a.plateau_probability) {
    threshold += ", of B " + percent_or_none(result.b.plateau_probability);
  }
  TextTable table({"run", "sweet spot, mm", "its worst cell",
                   fmt::format("plateau (>= {}{})", threshold,
                               result.a.map.theta_rad.cells > 1 ? ", mean over the angles" : "")});
  for (const auto& [name, run] : {std::pair{"A", &result.a}, {"B", &result.b}}) {
    const SweetSpot& spot = run->sweet_spot;
    table.add(
        {name, spot.found ? place(*run) : std::string("none"),
         percent_or_none(spot.found ? spot.lowest_probability : std::nan("")),
         fmt::format("{} cells, {:.6g} mm2", run->plateau.cells, run->plateau.mean_area_mm2)});
  }
  return "\n" + table.text();
}

std::string failed_text(const RunDifference& result) {
  const std::int64_t failed =
      result.a.map.total().count(Outcome::kFailed) + result.b.map.total().count(Outcome::kFailed);
  if (failed == 0) return "";
  return fmt::format("\n{} failed; the intervals allow for both outcomes.\n",
                     counted(failed, "trial"));
}

}  // namespace

std::string difference_text(const RunDifference& result) {
  return overall_text(result) + cells_text(result) + configuration_text(result) +
         pairing_text(result) + regions_text(result) + runs_text(result) + failed_text(result);
}

Table difference_table(const RunDifference& result) {
  const auto counts = [](const ComparedRun& run, std::size_t k, const std::string& letter) {
    const CellCounts& cell = run.map.cells[k];
    return Object{{"trials_" + letter, cell.trials()},
                  {"success_" + letter, cell.count(Outcome::kSuccess)},
                  {"failed_" + letter, cell.count(Outcome::kFailed)}};
  };
  Table table;
  for (std::size_t k = 0; k < result.cells.size(); ++k) {
    // Independent trials are not paired: no counts of pairs.
    const bool paired = result.pairing == Pairing::kPaired;
    const PairTable pairs = paired ? result.pairs.cells[k] : PairTable{};
    const PairCounts decided = pairs.decided();
    const CellDifference& cell = result.cells[k];
    table.add({cell_fields(result.a.map, k),
               counts(result.a, k, "a"),
               counts(result.b, k, "b"),
               {"pairs", decided.pairs() + pairs.failed(),
                "trials of equal index; 0 for different seeds"},
               {"both", decided.both},
               {"only_a", decided.only_a},
               {"only_b", decided.only_b},
               {"neither", decided.neither},
               {"pairs_with_failed", pairs.failed()},
               {"probability_a", cell.probability_a},
               {"probability_b", cell.probability_b},
               {"b_minus_a", estimate_fields(cell.difference)},
               {"p_value", cell.p_value},
               {"p_adjusted", cell.adjusted_p, "for the number of cells"},
               {"significant", cell.significant, "p_adjusted <= the false discovery rate"}});
  }
  return table;
}

namespace {

Object run_fields(const ComparedRun& run) {
  return {{"run", run.run},
          {"trials", run.trials},
          {"failed", run.map.total().count(Outcome::kFailed)},
          {"sweet_spot", sweet_spot_fields(run.sweet_spot, {})},
          {"plateau", Object{{"probability_at_least", run.plateau_probability},
                             {"cells", run.plateau.cells},
                             {"area_mm2", run.plateau.area_mm2}}}};
}

Object pairing_fields(const RunDifference& result) {
  const bool paired = result.pairing == Pairing::kPaired;
  Object fields{{"paired", paired}};
  if (!paired) return fields;
  Object equal;
  auto pairs = result.pairs.equal.begin();
  visit_trial_parameters(TrialParameters{}, [&](const char* input, double) {
    equal.add({input, *pairs++});
  });
  for (const PairedNumber& number : result.pairs.uncertain) {
    if (number.in_a && number.in_b) equal.add({number.key, number.equal});
  }
  fields.add({"pairs", result.pairs.pairs});
  fields.add({"pairs_with_equal", equal, "values of each input"});
  fields.add({"worth_times_the_trials", result.pairing_gain, "null: no pair differs"});
  return fields;
}

/// Nothing of a region without cells.
Value region_fields(const RegionDifference& region) {
  if (region.cells == 0) return {};
  return Object{{"cells", region.cells},
                {"probability_a", region.probability_a},
                {"probability_b", region.probability_b},
                {"b_minus_a", region.difference.value},
                {"interval", region.difference.interval}};
}

}  // namespace

Object difference_fields(const RunDifference& result) {
  const auto config_fields = [](const ConfigDifference& d) {
    return Object{{"key", d.key}, {"a", d.first}, {"b", d.second}};
  };
  return {{"confidence", result.confidence},
          {"a", run_fields(result.a)},
          {"b", run_fields(result.b)},
          {"configuration", list_of(result.configuration, config_fields),
           "what differs except name and number of trials"},
          {"pairing", pairing_fields(result)},
          {"whole_map", region_fields(result.whole)},
          {"plateaus", region_fields(result.plateaus), "of A or of B"},
          {"sweet_spot_of_a", region_fields(result.at_a)},
          {"sweet_spot_of_b", region_fields(result.at_b)},
          {"significant_cells", Object{{"false_discovery_rate", result.false_discovery_rate},
                                       {"of_cells", result.cells.size()},
                                       {"b_better", result.significant_cells(1)},
                                       {"b_worse", result.significant_cells(-1)}}}};
}

}  // namespace graspmap
