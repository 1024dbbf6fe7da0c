#include "grasp/base/io/json_document.hpp"
#include "grasp/sweep/results/summary.hpp"

namespace graspmap {
namespace {

void write_outcomes(JsonWriter& json, const RunSummary& summary) {
  json.object("outcomes", [&] {
    for (const Outcome outcome : kOutcomes) {
      json.field(name(outcome), summary.totals.count(outcome));
    }
  });
  json.object("success", [&] {
    json.field("probability", summary.success_probability);
    json.interval("wilson_95", summary.success_interval);
  });
}

void write_sweet_spot(JsonWriter& json, const RunSummary& summary) {
  const SweetSpot& spot = summary.sweet_spot;
  json.object("sweet_spot", [&] {
    json.field("found", spot.found);
    json.field("half_width_mm", spot.half_width_mm);
    if (!spot.found) return;
    json.field("x_mm", spot.x_mm);
    json.field("y_mm", spot.y_mm);
    if (!summary.theta_rad.is_fixed()) {
      json.field("theta_rad", spot.theta_rad);
      json.field("theta_min_rad", summary.theta_rad.cell_min(spot.cell_theta));
      json.field("theta_max_rad", summary.theta_rad.cell_max(spot.cell_theta));
    }
    json.field("lowest_probability", spot.lowest_probability);
    json.interval("wilson_95", spot.lowest_interval);
  });
}

void write_plateau(JsonWriter& json, const RunSummary& summary) {
  const Plateau& plateau = summary.plateau;
  json.object("plateau", [&] {
    json.field("probability_at_least", summary.plateau_probability);
    json.field("cells", plateau.cells);
    json.field("of_cells", summary.cells);
    json.field("area_mm2", plateau.area_mm2);
    json.interval("area_interval_95_mm2", summary.plateau_area_interval);
    if (plateau.cells == 0) return;
    json.field("x_min_mm", plateau.x_min_mm);
    json.field("x_max_mm", plateau.x_max_mm);
    json.field("y_min_mm", plateau.y_min_mm);
    json.field("y_max_mm", plateau.y_max_mm);
    if (summary.theta_rad.is_fixed()) return;
    json.field("theta_rad", plateau.theta_rad);
    json.field("mean_area_mm2", plateau.mean_area_mm2);
    json.field("theta_min_rad", plateau.theta_min_rad);
    json.field("theta_max_rad", plateau.theta_max_rad);
  });
}

void write_solver(JsonWriter& json, const StepStatistics& statistics) {
  json.object("solver", [&] {
    json.field("steps", statistics.steps);
    json.field("newton_iterations", statistics.newton_iterations);
    json.object("steps_by_rung", [&] {
      for (std::size_t k = 0; k < kRungCount; ++k) {
        json.field(name(static_cast<Rung>(k)), statistics.by_rung[k]);
      }
    });
    json.field("worst_residual", statistics.worst_residual);
    json.field("worst_gap_mm", statistics.worst_gap_mm);
    json.field("least_dissipation_mn_mm", statistics.least_dissipation);
  });
}

constexpr const char* kUnsolved = "step_not_solved";
constexpr const char* kTooLong = "too_much_work";

const char* failed_reason(const RunSummary& summary, const TrialRow& row) {
  return why_unsolved(row.statistics, summary.most_work) == EndReason::kTooLong ? kTooLong
                                                                                : kUnsolved;
}

/// Nothing where no trial failed.
void write_failed_reasons(JsonWriter& json, const RunSummary& summary) {
  const std::int64_t failed = summary.totals.count(Outcome::kFailed);
  if (failed == 0) return;
  json.object("failed_reasons", [&] {
    json.field(kUnsolved, failed - summary.failed_too_long);
    json.field(kTooLong, summary.failed_too_long);
  });
}

void write_timing(JsonWriter& json, const RunSummary& summary, const RunTiming& timing) {
  json.object("timing", [&] {
    json.field("wall_s", timing.wall_s);
    json.field("trials_per_s", static_cast<double>(summary.trials_done) / timing.wall_s);
    json.field("threads", timing.threads);
  });
}

}  // namespace

std::string summary_json(const RunSummary& summary, const RunTiming& timing,
                         const std::filesystem::path& run_folder) {
  return json_document([&](JsonWriter& json) {
    json.field("name", summary.name);
    json.field("complete", summary.complete());
    json.field("trials_asked", summary.trials_asked);
    json.field("trials_done", summary.trials_done);
    json.field("seed", summary.seed);
    write_outcomes(json, summary);
    write_sweet_spot(json, summary);
    write_plateau(json, summary);
    if (summary.adaptive) write_adaptive(json, *summary.adaptive);
    write_solver(json, summary.statistics);
    write_failed_reasons(json, summary);
    json.objects("first_failed", summary.failed, [&](const TrialRow& row) {
      json.field("index", row.index);
      json.field("reason", failed_reason(summary, row));
      json.field("replay", replay_line(summary.stepper, run_folder, row.index));
    });
    write_timing(json, summary, timing);
  });
}

}  // namespace graspmap
