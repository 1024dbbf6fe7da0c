#include "lab/scenes/scene_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/io/json.hpp"
#include "grasp/process/version.hpp"

namespace graspmap {
namespace {

std::string report_row(const char* what, const std::string& text) {
  return fmt::format("  {:<16} {}\n", what, text);
}

std::string overlap_text(const std::vector<std::string>& names, const SampledOverlap& deepest) {
  const BodyOverlap& overlap = deepest.overlap;
  return fmt::format("{:.4g} mm of {} at {:.6g} s", overlap.depth_mm,
                     bodies_text(names, {overlap.body_a, overlap.body_b}), deepest.time_s);
}

std::string sampling_text(std::int64_t steps_per_sample) {
  if (steps_per_sample == 1) return "every step is kept";
  return fmt::format("one step in {} is kept (--every 1 keeps all)", steps_per_sample);
}

void write_settings(JsonWriter& json, const SceneReport& report) {
  json.field(report.solver_key, report.solver);
  json.field("step_s", report.settings.step_s);
  json.field("duration_s", report.settings.duration_s);
  json.field("tolerance", report.tolerance);
  json.field("bodies", static_cast<std::int64_t>(report.bodies.size()));
  json.field("moving_bodies", report.moving_bodies);
}

void write_totals(JsonWriter& json, const SceneReport& report) {
  const SceneRunTotals& totals = report.outcome.run.totals;
  json.field("simulated_s", report.end_s);
  json.field("steps", totals.steps);
  json.field("halved_steps", totals.halved);
  json.field("iterations", totals.iterations);
  json.field("worst_residual", totals.worst_residual);
  json.field("worst_overlap_mm", totals.worst_overlap_mm);
  json.field("overlap_found_mm", report.deepest ? report.deepest->overlap.depth_mm : 0.0);
}

void write_energy(JsonWriter& json, const ReportedEnergy& start, const ReportedEnergy& end) {
  json.key("energy_j");
  json.begin_object();
  json.field("start", start.total_j());
  json.field("end", end.total_j());
  json.field("change", end.total_j() - start.total_j());
  json.field("kinetic_end", end.kinetic_j);
  json.field("potential_end", end.potential_j);
  if (end.elastic_j) json.field("elastic_end", *end.elastic_j);
  json.end_object();
}

void write_failure(JsonWriter& json, const std::vector<std::string>& names,
                   const SceneRunFailure& failure) {
  json.key("failure");
  json.begin_object();
  json.field("time_s", failure.time_s);
  json.field("step_s", failure.step_s);
  json.field("status", mcp::name(failure.status));
  json.field("residual", failure.residual);
  if (failure.bodies) json.field("contact", bodies_text(names, *failure.bodies));
  json.end_object();
}

}  // namespace

const char* name(SceneEnd end) {
  switch (end) {
    case SceneEnd::kFinished:
      return "finished";
    case SceneEnd::kFailed:
      return "failed";
    case SceneEnd::kInterrupted:
      break;
  }
  return "interrupted";
}

SceneEnd SceneOutcome::end() const {
  if (run.failure) return SceneEnd::kFailed;
  return interrupted ? SceneEnd::kInterrupted : SceneEnd::kFinished;
}

double SceneOutcome::steps_per_s() const {
  return static_cast<double>(run.totals.steps) / std::max(wall_time_s, 1e-9);
}

std::string bodies_text(const std::vector<std::string>& names, const std::array<int, 2>& bodies) {
  return fmt::format("{} and {}", names[static_cast<std::size_t>(bodies[0])],
                     names[static_cast<std::size_t>(bodies[1])]);
}

std::string failure_text(const std::vector<std::string>& names, const SceneRunFailure& failure) {
  return fmt::format(
      "the step at {:.6g} s is not solved, nor in steps of {:.3g} s: {}, residual "
      "{:.3g}{}",
      failure.time_s, failure.step_s, mcp::name(failure.status), failure.residual,
      failure.bodies ? ", worst at the contact of " + bodies_text(names, *failure.bodies) : "");
}

std::optional<std::string> overlap_warning(const std::vector<std::string>& names,
                                           const SampledOverlap& deepest, double size_mm,
                                           const std::string& advice) {
  constexpr double kMuch = 0.01;
  if (deepest.overlap.depth_mm <= kMuch * size_mm) return std::nullopt;
  return fmt::format("bodies are in each other: {}; try a smaller step, {}",
                     overlap_text(names, deepest), advice);
}

std::string summary_text(const SceneReport& report) {
  const SceneOutcome& outcome = report.outcome;
  const SceneRunTotals& totals = outcome.run.totals;
  const double start_j = report.start_energy.total_j();
  const double end_j = report.end_energy.total_j();
  std::string text = fmt::format(
      "{}\n{}: {:.6g} of {:.6g} s simulated by {} with steps of {:.6g} "
      "s\n",
      report.title, name(outcome.end()), report.end_s, report.settings.duration_s, report.solver,
      report.settings.step_s);
  text += report_row(
      "bodies", fmt::format("{}, {} of them move", report.bodies.size(), report.moving_bodies));
  text += report_row("steps", fmt::format("{}, {} of them halved, {} iterations", totals.steps,
                                          totals.halved, totals.iterations));
  text += report_row("worst residual", fmt::format("{:.3g} (tolerance {:.3g})",
                                                   totals.worst_residual, report.tolerance));
  text += report_row("worst overlap", fmt::format("{:.4g} mm of the contacts that took part",
                                                  totals.worst_overlap_mm));
  text += report_row("overlap found", report.deepest ? overlap_text(report.bodies, *report.deepest)
                                                     : "none, of all pairs in all samples");
  text += report_row(
      "energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end, change {:.4g} J", start_j,
                            end_j, end_j - start_j));
  text += report_row("time", fmt::format("{:.3g} s, {:.4g} steps per second", outcome.wall_time_s,
                                         outcome.steps_per_s()));
  return text + report_row("samples", fmt::format("{}, {}", report.samples,
                                                  sampling_text(report.steps_per_sample)));
}

std::string summary_json(const SceneReport& report) {
  const SceneOutcome& outcome = report.outcome;
  JsonWriter json;
  json.begin_object();
  json.field("scene", report.name);
  json.field("title", report.title);
  json.field("graspmap_version", version());
  json.field("git_commit", git_commit());
  json.field("complete", outcome.end() == SceneEnd::kFinished);
  json.field("end", name(outcome.end()));
  write_settings(json, report);
  write_totals(json, report);
  write_energy(json, report.start_energy, report.end_energy);
  if (outcome.run.failure) write_failure(json, report.bodies, *outcome.run.failure);
  json.field("samples", report.samples);
  json.field("steps_per_sample", report.steps_per_sample);
  json.field("wall_time_s", outcome.wall_time_s);
  json.field("steps_per_s", outcome.steps_per_s());
  json.end_object();
  return json.text();
}

}  // namespace graspmap
