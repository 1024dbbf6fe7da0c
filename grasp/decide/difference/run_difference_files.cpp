#include <fmt/format.h>

#include <iterator>

#include "grasp/base/io/json_document.hpp"
#include "grasp/decide/difference/run_difference_report.hpp"
#include "grasp/sweep/trials/trial_fields.hpp"

namespace graspmap {
namespace {

constexpr const char* kHeader =
    "cell_x,cell_y,cell_theta,x_min_mm,x_max_mm,y_min_mm,y_max_mm,theta_min_rad,theta_max_rad,"
    "trials_a,success_a,failed_a,trials_b,"
    "success_b,failed_b,pairs,both,only_a,only_b,neither,pairs_with_failed,probability_a,"
    "probability_b,b_minus_a,b_minus_a_low,b_minus_a_high,p_value,p_adjusted,significant\n";

void append_counts(std::string& text, const CellCounts& cell) {
  fmt::format_to(std::back_inserter(text), ",{},{},{}", cell.trials(),
                 cell.count(Outcome::kSuccess), cell.count(Outcome::kFailed));
}

/// Independent trials are not paired: no counts of pairs.
void append_pairs(std::string& text, const RunDifference& result, std::size_t k) {
  if (result.pairing == Pairing::kIndependent) {
    text += ",0,0,0,0,0,0";
    return;
  }
  const PairTable& table = result.pairs.cells[k];
  const PairCounts c = table.decided();
  fmt::format_to(std::back_inserter(text), ",{},{},{},{},{},{}", c.pairs() + table.failed(), c.both,
                 c.only_a, c.only_b, c.neither, table.failed());
}

void append_row(std::string& text, const RunDifference& result, std::size_t k) {
  const SuccessMap& map = result.a.map;
  const auto place = static_cast<int>(k);
  const CellIndex at{place % map.x_mm.cells, place / map.x_mm.cells % map.y_mm.cells,
                     place / map.x_mm.cells / map.y_mm.cells};
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{},{},{},{},{},{},{},{},{}", at.x, at.y, at.theta, map.x_mm.cell_min(at.x),
                 map.x_mm.cell_max(at.x), map.y_mm.cell_min(at.y), map.y_mm.cell_max(at.y),
                 map.theta_rad.cell_min(at.theta), map.theta_rad.cell_max(at.theta));
  append_counts(text, result.a.map.cells[k]);
  append_counts(text, result.b.map.cells[k]);
  append_pairs(text, result, k);
  const CellDifference& cell = result.cells[k];
  fmt::format_to(out, ",{},{},{},{},{},{},{},{}\n", cell.probability_a, cell.probability_b,
                 cell.difference.estimate, cell.difference.interval.low,
                 cell.difference.interval.high, cell.p_value, cell.adjusted_p,
                 cell.significant ? 1 : 0);
}

void write_run(JsonWriter& json, const char* key, const ComparedRun& run) {
  json.object(key, [&] {
    json.field("run", run.run);
    json.field("trials", run.trials);
    json.field("failed", run.map.total().count(Outcome::kFailed));
    json.object("sweet_spot", [&] {
      json.field("found", run.sweet_spot.found);
      json.field("half_width_mm", run.sweet_spot.half_width_mm);
      if (!run.sweet_spot.found) return;
      json.field("x_mm", run.sweet_spot.x_mm);
      json.field("y_mm", run.sweet_spot.y_mm);
      json.field("theta_rad", run.sweet_spot.theta_rad);
      json.field("lowest_probability", run.sweet_spot.lowest_probability);
    });
    json.object("plateau", [&] {
      json.field("probability_at_least", run.plateau_probability);
      json.field("cells", run.plateau.cells);
      json.field("area_mm2", run.plateau.area_mm2);
    });
  });
}

void write_configuration(JsonWriter& json, const RunDifference& result) {
  json.objects("configuration", result.configuration, [&](const ConfigDifference& d) {
    json.field("key", d.key);
    json.field("a", d.first);
    json.field("b", d.second);
  });
}

void write_pairing(JsonWriter& json, const RunDifference& result) {
  const bool paired = result.pairing == Pairing::kPaired;
  json.object("pairing", [&] {
    json.field("paired", paired);
    if (!paired) return;
    json.field("pairs", result.pairs.pairs);
    json.object("pairs_with_equal", [&] {
      auto pairs = result.pairs.equal.begin();
      visit_trial_parameters(TrialParameters{},
                             [&](const char* input, double) { json.field(input, *pairs++); });
      for (const PairedNumber& number : result.pairs.uncertain) {
        if (number.in_a && number.in_b) json.field(number.key, number.equal);
      }
    });
    json.field("worth_times_the_trials", result.pairing_gain);
  });
}

void write_region(JsonWriter& json, const char* key, const RegionDifference& region) {
  if (region.cells == 0) return;
  json.object(key, [&] {
    json.field("cells", region.cells);
    json.field("probability_a", region.probability_a);
    json.field("probability_b", region.probability_b);
    json.field("b_minus_a", region.difference.estimate);
    json.interval("interval", region.difference.interval);
  });
}

void write_cells(JsonWriter& json, const RunDifference& result) {
  json.object("significant_cells", [&] {
    json.field("false_discovery_rate", result.false_discovery_rate);
    json.field("of_cells", result.cells.size());
    json.field("b_better", result.significant_cells(1));
    json.field("b_worse", result.significant_cells(-1));
  });
}

}  // namespace

std::string difference_csv(const RunDifference& result) {
  std::string text = kHeader;
  for (std::size_t k = 0; k < result.cells.size(); ++k) append_row(text, result, k);
  return text;
}

std::string difference_json(const RunDifference& result) {
  return json_document([&](JsonWriter& json) {
    json.field("confidence", result.confidence);
    write_run(json, "a", result.a);
    write_run(json, "b", result.b);
    write_configuration(json, result);
    write_pairing(json, result);
    write_region(json, "whole_map", result.whole);
    write_region(json, "plateaus", result.plateaus);
    write_region(json, "sweet_spot_of_a", result.at_a);
    write_region(json, "sweet_spot_of_b", result.at_b);
    write_cells(json, result);
  });
}

}  // namespace graspmap
