#include <fmt/format.h>

#include "grasp/base/io/json.hpp"
#include "grasp/decide/compare/comparison_report.hpp"

namespace graspmap {
namespace {

constexpr const char* kHeader =
    "x_min_mm,x_max_mm,y_min_mm,y_max_mm,run_trials,run_successes,run_failed,run_probability,"
    "run_low,run_high,experiment_trials,experiment_successes,experiment_probability,experiment_low,"
    "experiment_high,difference,difference_low,difference_high,p_value,adjusted_p_value,"
    "significant\n";

std::string csv_fields(const Estimate& estimate) {
  return fmt::format("{},{},{}", estimate.value, estimate.interval.low, estimate.interval.high);
}

void write(JsonWriter& json, const char* key, const Interval& interval) {
  json.object(key, [&] {
    json.field("low", interval.low);
    json.field("high", interval.high);
  });
}

void write(JsonWriter& json, const char* key, const Estimate& estimate) {
  json.object(key, [&] {
    json.field("value", estimate.value);
    json.field("low", estimate.interval.low);
    json.field("high", estimate.interval.high);
  });
}

void write(JsonWriter& json, const char* key, const SampleCounts& counts) {
  json.object(key, [&] {
    json.field("trials", counts.trials);
    json.field("successes", counts.successes);
    json.field("failed", counts.failed);
  });
}

void write(JsonWriter& json, const char* key, const LeftOut& left_out) {
  json.object(key, [&] {
    json.field("trials", left_out.trials);
    json.field("cells", left_out.cells);
  });
}

void write(JsonWriter& json, const char* key, const TestResult& test) {
  json.object(key, [&] {
    json.field("p_value", test.p_value);
    json.field("adjusted_p_value", test.adjusted_p);
  });
}

void write_agreement(JsonWriter& json, const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  const ExperimentPrediction& prediction = comparison.prediction;
  json.object("agreement", [&] {
    json.field("verdict", name(agreement.verdict));
    json.field("within", agreement.within);
    json.field("smallest_within", agreement.smallest_within);
    json.field("significant", agreement.significant);
    json.field("p_value", agreement.p_value);
    json.field("trials", agreement.trials);
    json.field("successes", agreement.successes);
    json.field("expected", agreement.expected);
    json.field("expected_sd", agreement.expected_sd);
    json.field("replicates", agreement.replicates);
    json.field("simulated_at_placements", prediction.simulated);
    json.field("simulated_trials", prediction.simulated_trials);
    json.field("simulated_failed", prediction.failed);
    json.field("placements", prediction.placements);
    json.object("changes", [&] {
      for (const ChangeResult& result : agreement.changes) {
        json.object(key(result.change), [&] {
          write(json, "estimate", result.estimate);
          json.field("p_value", result.p_value);
          json.field("adjusted_p_value", result.adjusted_p);
          json.field("largest_effect", result.largest_effect);
          json.field("detectable_80", result.detectable_80);
          json.field("detectable_90", result.detectable_90);
        });
      }
    });
    write(json, "places", agreement.places);
    if (agreement.between_sessions) write(json, "between_sessions", *agreement.between_sessions);
    json.field("mean_difference", agreement.mean_difference);
    json.field("mean_difference_by_chance", agreement.mean_by_chance);
    json.field("largest_mean_difference", agreement.largest_mean);
    if (agreement.sessions.empty()) return;
    json.field("session_widening", agreement.session_widening);
    json.objects("sessions", agreement.sessions, [&](const SessionResult& session) {
      json.field("session", comparison.experiment.sessions[session.session]);
      json.field("trials", session.trials);
      json.field("successes", session.successes);
      json.field("expected", session.expected);
      json.field("expected_sd", session.expected_sd);
    });
  });
}

void write_largest(JsonWriter& json, const CellComparison& cell) {
  json.object("largest_difference", [&] {
    json.field("x_min_mm", cell.cell.bounds.x_min_mm);
    json.field("x_max_mm", cell.cell.bounds.x_max_mm);
    json.field("y_min_mm", cell.cell.bounds.y_min_mm);
    json.field("y_max_mm", cell.cell.bounds.y_max_mm);
    write(json, "run", cell.cell.run_probability);
    write(json, "experiment", cell.experiment);
    write(json, "difference", cell.difference);
    json.field("adjusted_p_value", cell.adjusted_p);
  });
}

void write_numbers(JsonWriter& json, const MapNumbers& numbers) {
  json.object("maps", [&] {
    json.field("cells", numbers.cells);
    json.field("plateau_probability", numbers.plateau_probability);
    json.field("lines_from_x_mm", numbers.x_mm);
    json.field("lines_from_y_mm", numbers.y_mm);
    json.field("replicates", numbers.replicates);
    for (const MapNumber& number : numbers.numbers) {
      json.object(number.key, [&] {
        write(json, "run", number.run);
        write(json, "experiment", number.experiment);
        write(json, "difference", number.difference);
        write(json, "difference_by_chance", number.by_chance);
      });
    }
    write(json, "sweet_spot_displacement_mm", numbers.displacement_mm);
    write(json, "sweet_spot_displacement_by_chance_mm", numbers.displacement_by_chance_mm);
    write(json, "plateau_overlap", numbers.plateau_overlap);
    write(json, "plateau_overlap_by_chance", numbers.overlap_by_chance);
  });
}

}  // namespace

std::string comparison_csv(const ExperimentComparison& comparison) {
  std::string text = kHeader;
  for (const CellComparison& row : comparison.cells) {
    const Rectangle& bounds = row.cell.bounds;
    const SampleCounts& run = row.cell.run;
    const SampleCounts& experiment = row.cell.experiment;
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", bounds.x_min_mm,
                    bounds.x_max_mm, bounds.y_min_mm, bounds.y_max_mm, run.trials, run.successes,
                    run.failed, csv_fields(row.cell.run_probability), experiment.trials,
                    experiment.successes, csv_fields(row.experiment), csv_fields(row.difference),
                    row.p_value, row.adjusted_p, row.significant ? 1 : 0);
  }
  return text;
}

std::string comparison_json(const ExperimentComparison& comparison) {
  return json_document([&](JsonWriter& json) {
    json.field("run", comparison.run_name);
    json.field("theta_rad", comparison.theta_rad);
    json.object("experiment", [&] {
      json.field("file", comparison.experiment.file);
      json.field("origin", name(comparison.experiment.origin));
      json.field("source", comparison.experiment.source);
    });
    json.field("confidence", comparison.confidence);
    json.field("cells_compared", comparison.cells.size());
    json.field("are_cells_of_run", comparison.are_cells_of_run);
    write(json, "run_total", comparison.run_total);
    write(json, "experiment_total", comparison.experiment_total);
    write(json, "outside", comparison.outside);
    write(json, "unknown", comparison.unknown);
    write_agreement(json, comparison);
    json.object("same_process", [&] {
      json.field("p_value", comparison.test.p_value);
      json.field("deviance", comparison.test.deviance);
      json.field("informative_cells", comparison.test.informative_cells);
      json.field("replicates", comparison.test.replicates);
      json.field("mean_difference", comparison.test.mean_difference);
      json.field("mean_difference_by_chance", comparison.test.mean_by_chance);
    });
    json.field("cells_significant", comparison.significant.size());
    json.field("typical_half_width", comparison.typical_half_width);
    if (comparison.largest) write_largest(json, comparison.cells[*comparison.largest]);
    if (comparison.numbers) write_numbers(json, *comparison.numbers);
  });
}

}  // namespace graspmap
