#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "grasp/sweep/figures/grasp_drawing.hpp"
#include "grasp/sweep/figures/map_figures.hpp"

namespace graspmap {
namespace {

/// What is said of a map: of the stored one, or of the weighted one.
struct MapView {
  SuccessMap counts;
  SweetSpot spot;
  Interval weakest;  ///< of the weakest cell of the sweet spot's square
  Plateau plateau;
  double mean = 0.0;  ///< success probability over the map
  Interval mean_interval;
};

MapView view(const SuccessMap& counts, const SweepConfig& config, double z) {
  MapView result;
  result.counts = counts;
  result.spot = find_sweet_spot(counts, config.sweet_spot_half_width_mm);
  result.weakest = result.spot.lowest_interval;
  result.plateau = find_plateau(counts, config.plateau_probability);
  double sum = 0;
  std::vector<Stratum> strata;
  for (const CellCounts& cell : counts.cells) {
    if (cell.valid_trials() == 0) continue;
    sum += cell.success_probability();
    strata.push_back({0.0, static_cast<double>(cell.count(Outcome::kSuccess)),
                      static_cast<double>(cell.valid_trials()),
                      static_cast<double>(cell.count(Outcome::kFailed))});
  }
  const auto known = static_cast<double>(strata.size());
  for (Stratum& stratum : strata) stratum.weight = 1.0 / known;
  result.mean = sum / known;
  result.mean_interval = stratified_probability(strata, z).interval;
  return result;
}

MapView view_before(const Reweighting& r) {
  return view(r.map.stored, r.stored, two_sided_z(r.confidence));
}

MapView view_after(const Reweighting& r) {
  const double z = two_sided_z(r.confidence);
  MapView result = view(r.map.as_counts(), r.wanted, z);
  result.weakest = weakest_interval(r.map, result.counts, result.spot, z);
  result.mean_interval = r.map.mean_interval(z);
  return result;
}

/// " at 0.1 rad" on a map of several angles.
std::string angle_text(const MapView& map) {
  if (map.counts.theta_rad.cells == 1) return "";
  return fmt::format(" at {:.4g} rad", map.spot.theta_rad);
}

std::string spot_text(const MapView& map) {
  if (!map.spot.found) return "none";
  return fmt::format("({:.6g}, {:.6g}){}", map.spot.x_mm, map.spot.y_mm, angle_text(map));
}

std::string answer(const Reweighting& r, const MapView& after) {
  if (!after.spot.found || after.spot.lowest_probability == 0) {
    return fmt::format(
        "No sweet spot under these distributions: no square of +-{} mm in which every cell "
        "succeeds "
        "sometimes.\n",
        after.spot.half_width_mm);
  }
  return fmt::format(
      "Under these distributions, put the gripper at ({:.6g}, {:.6g}) mm{}: in each cell within\n"
      "+-{} mm of it at least {} of the grasps succeed (worst cell: {} interval {}).\n",
      after.spot.x_mm, after.spot.y_mm, angle_text(after), after.spot.half_width_mm,
      percent(after.spot.lowest_probability), given_percent(r.confidence),
      percent_range(after.weakest));
}

std::int64_t unknown_cells(const ReweightedMap& map) {
  return std::count_if(map.cells.begin(), map.cells.end(),
                       [](const WeightedCell& cell) { return cell.is_unknown(); });
}

std::string worth_text(const Reweighting& r) {
  const std::int64_t trials = r.map.stored.total().trials();
  std::string text = fmt::format(
      "The {} stored trials are worth {:.0f} of new ones; the median cell has {:.0f}.\n", trials,
      r.map.effective_trials, r.map.median_effective_trials());
  const std::int64_t unknown = unknown_cells(r.map);
  if (unknown > 0) {
    text += fmt::format("{} of {} cells are worth less than {} trials and get no number.\n",
                        unknown, r.map.cells.size(), r.map.least_trials());
  }
  return text;
}

Object map_fields(const MapView& map) {
  return {{"success_probability", map.mean, "mean over cells"},
          {"success_interval", map.mean_interval},
          {"sweet_spot", sweet_spot_fields(map.spot, {{"interval", map.weakest}})},
          {"plateau_area_mm2", map.plateau.area_mm2},
          {"plateau_cells", map.plateau.cells}};
}

}  // namespace

std::string reweight_text(const Reweighting& r) {
  const MapView before = view_before(r);
  const MapView after = view_after(r);
  TextTable changes({"distribution of", "stored", "now"});
  for (const ChangedInput& input : r.changed) {
    changes.add({input.key, input.stored.text(), input.wanted.text()});
  }
  TextTable table({"", "stored", "now"});
  table.add({"sweet spot / mm", spot_text(before), spot_text(after)});
  table.add({"its worst cell", percent(before.spot.lowest_probability),
             percent(after.spot.lowest_probability)});
  table.add({fmt::format("area of {} success / mm2", percent(r.wanted.plateau_probability)),
             fmt::format("{:.6g}", before.plateau.area_mm2),
             fmt::format("{:.6g}", after.plateau.area_mm2)});
  table.add({"mean success over the map", percent(before.mean), percent(after.mean)});
  table.add({fmt::format("  its {} interval", given_percent(r.confidence)),
             percent_range(before.mean_interval), percent_range(after.mean_interval)});
  return fmt::format("{}{}\n{}\n{}", answer(r, after), worth_text(r), changes.text(), table.text());
}

Object reweight_fields(const Reweighting& r) {
  const auto distribution_fields = [](const ChangedInput& input) {
    return Object{
        {"key", input.key}, {"stored", input.stored.text()}, {"now", input.wanted.text()}};
  };
  return {{"name", r.stored.name},
          {"confidence", r.confidence},
          {"laws", list_of(r.changed, distribution_fields)},
          {"trials", r.map.stored.total().trials()},
          {"failed", r.map.stored.total().count(Outcome::kFailed)},
          {"effective_trials", r.map.effective_trials, "that the stored ones are worth"},
          {"median_effective_trials_of_cells", r.map.median_effective_trials()},
          {"least_effective_trials", r.map.least_trials(), "of a cell with a number"},
          {"unknown_cells", unknown_cells(r.map)},
          {"pareto_k", r.map.pareto_shape, "of the weights; null: no tail"},
          {"stored", map_fields(view_before(r))},
          {"now", map_fields(view_after(r))}};
}

Table reweighted_map_table(const Reweighting& r) {
  Table table;
  for (std::size_t k = 0; k < r.map.cells.size(); ++k) {
    const CellCounts& counts = r.map.stored.cells[k];
    const WeightedCell& weighted = r.map.cells[k];
    table.add({cell_fields(r.map.stored, k),
               {"trials", counts.trials()},
               count_fields(counts),
               {"stored_probability", counts.success_probability()},
               {"success_probability", weighted.success_probability()},
               {"interval", weighted.success_interval(two_sided_z(r.confidence)),
                "0 to 1 below least_effective_trials"},
               {"effective_trials", weighted.effective_trials()}});
  }
  return table;
}

Figure reweight_figure(const Reweighting& r) {
  HeatPanelsInput input;
  input.name = "reweight";
  input.title = r.title + " under other distributions";
  for (const ChangedInput& change : r.changed) {
    if (!input.subtitle.empty()) input.subtitle += "; ";
    input.subtitle += fmt::format("{}: {}", change.key, change.wanted.text());
  }
  const MapView before = view_before(r);
  const MapView after = view_after(r);
  const int slice = after.spot.found ? after.spot.cell_theta : 0;
  if (r.map.stored.theta_rad.cells > 1) {
    input.subtitle += fmt::format("; at {:.4g} rad", r.map.stored.theta_rad.cell_center(slice));
  }
  input.colours = {HeatScale::kProbability, "success probability", {}};
  HeatPanel difference = slice_panel(r.map.stored, slice, "now - stored", [&](std::size_t cell) {
    return r.map.cells[cell].success_probability() - r.map.stored.cells[cell].success_probability();
  });
  difference.colours = HeatColours{HeatScale::kDifference, "difference", {}};
  HeatPanel trials =
      slice_panel(r.map.stored, slice, "what the trials are worth",
                  [&](std::size_t cell) { return r.map.cells[cell].effective_trials(); });
  trials.colours = HeatColours{HeatScale::kFromZero, "effective trials", {}};
  input.panels = {
      success_panel(before.counts, slice, "stored", r.wanted.plateau_probability, before.spot),
      success_panel(after.counts, slice, "now", r.wanted.plateau_probability, after.spot),
      std::move(difference), std::move(trials)};
  draw_grasp(r.stored.scenario, grasp_at(after.spot, slice, r.map.stored.theta_rad), input.panels);
  input.nan_label = fmt::format("worth less than {} trials", r.map.least_trials());
  return heat_panels_figure(input);
}

}  // namespace graspmap
