#include "grasp/scenes/scene_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/json.hpp"
#include "grasp/version.hpp"

namespace graspmap {
namespace {

const char* word(SceneEnd end) {
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

const PlanarState& last_state(const SceneResult& result) {
  return result.recording.samples.back().state;
}

std::int64_t moving(const PlanarScene& scene) {
  return std::count_if(scene.bodies.begin(), scene.bodies.end(),
                       [](const PlanarBody& body) { return body.moves_freely(); });
}

double steps_per_s(const SceneResult& result) {
  return static_cast<double>(result.run.totals.steps) / std::max(result.wall_time_s, 1e-9);
}

std::string row(const char* what, const std::string& text) {
  return fmt::format("  {:<16} {}\n", what, text);
}

const std::string& body_name(const PlanarScene& scene, int body) {
  return scene.bodies[static_cast<std::size_t>(body)].name;
}

/// Half the size of a body: the largest bounding radius of its pieces.
double body_size_mm(const PlanarScene& scene, int body) {
  double size = 0.0;
  for (const PlacedShape& placed : scene.bodies[static_cast<std::size_t>(body)].shapes) {
    size = std::max(size, bounding_radius_mm(placed.shape));
  }
  return size;
}

std::string overlap_text(const PlanarScene& scene, const SampledOverlap& deepest) {
  return fmt::format("{:.4g} mm of {} and {} at {:.6g} s", deepest.overlap.depth_mm,
                     body_name(scene, deepest.overlap.body_a),
                     body_name(scene, deepest.overlap.body_b), deepest.time_s);
}

std::string sampling_text(const SceneRecording& recording) {
  if (recording.every == 1) return "every step is kept";
  return fmt::format("one step in {} is kept (--every 1 keeps all)", recording.every);
}

void write_energy(JsonWriter& json, const SceneResult& result) {
  const PlanarEnergy& start = result.recording.samples.front().energy;
  const PlanarEnergy& end = result.recording.samples.back().energy;
  json.key("energy_j");
  json.begin_object();
  json.field("start", start.total_j());
  json.field("end", end.total_j());
  json.field("change", end.total_j() - start.total_j());
  json.field("kinetic_end", end.kinetic_j);
  json.field("potential_end", end.potential_j);
  json.field("elastic_end", end.elastic_j);
  json.end_object();
}

void write_failure(JsonWriter& json, const PlanarScene& scene, const SceneRunFailure& failure) {
  json.key("failure");
  json.begin_object();
  json.field("time_s", failure.time_s);
  json.field("step_s", failure.step_s);
  json.field("status", mcp::name(failure.status));
  json.field("residual", failure.residual);
  if (failure.bodies) json.field("contact", bodies_text(scene, *failure.bodies));
  json.end_object();
}

void write_settings(JsonWriter& json, const SceneFile& file) {
  json.field("stepper", name(file.stepper));
  json.field("step_s", file.run.step_s);
  json.field("duration_s", file.run.duration_s);
  json.field("tolerance", file.stepper_settings.tolerance);
  json.field("bodies", static_cast<std::int64_t>(file.scene.bodies.size()));
  json.field("moving_bodies", moving(file.scene));
}

void write_totals(JsonWriter& json, const SceneResult& result) {
  const std::optional<SampledOverlap> deepest = result.deepest();
  const SceneRunTotals& totals = result.run.totals;
  json.field("simulated_s", last_state(result).time_s);
  json.field("steps", totals.steps);
  json.field("halved_steps", totals.halved);
  json.field("iterations", totals.iterations);
  json.field("worst_residual", totals.worst_residual);
  json.field("worst_overlap_mm", totals.worst_overlap_mm);
  json.field("overlap_found_mm", deepest ? deepest->overlap.depth_mm : 0.0);
}

}  // namespace

SceneEnd SceneResult::end() const {
  if (run.failure) return SceneEnd::kFailed;
  return interrupted ? SceneEnd::kInterrupted : SceneEnd::kFinished;
}

std::optional<SampledOverlap> SceneResult::deepest() const {
  std::optional<SampledOverlap> deepest;
  for (const SceneSample& sample : recording.samples) {
    if (!sample.overlap) continue;
    if (deepest && sample.overlap->depth_mm <= deepest->overlap.depth_mm) continue;
    deepest = {*sample.overlap, sample.state.time_s};
  }
  return deepest;
}

std::optional<std::string> overlap_warning(const PlanarScene& scene, const SceneResult& result) {
  constexpr double kMuch = 0.01;
  const std::optional<SampledOverlap> deepest = result.deepest();
  if (!deepest) return std::nullopt;
  const BodyOverlap& overlap = deepest->overlap;
  const double size =
      std::min(body_size_mm(scene, overlap.body_a), body_size_mm(scene, overlap.body_b));
  if (overlap.depth_mm <= kMuch * size) return std::nullopt;
  return fmt::format(
      "bodies are in each other: {}; try a smaller step, a larger solver.active_gap_mm or another "
      "stepper",
      overlap_text(scene, *deepest));
}

std::string bodies_text(const PlanarScene& scene, const std::array<int, 2>& bodies) {
  return fmt::format("{} and {}", body_name(scene, bodies[0]), body_name(scene, bodies[1]));
}

std::string failure_text(const PlanarScene& scene, const SceneRunFailure& failure) {
  return fmt::format(
      "the step at {:.6g} s is not solved, nor in steps of {:.3g} s: {}, residual "
      "{:.3g}{}",
      failure.time_s, failure.step_s, mcp::name(failure.status), failure.residual,
      failure.bodies ? ", worst at the contact of " + bodies_text(scene, *failure.bodies) : "");
}

std::string scene_summary_text(const SceneFile& file, const SceneResult& result) {
  const std::optional<SampledOverlap> deepest = result.deepest();
  const SceneRunTotals& totals = result.run.totals;
  const PlanarEnergy& start = result.recording.samples.front().energy;
  const PlanarEnergy& end = result.recording.samples.back().energy;
  std::string text = fmt::format(
      "{}\n{}: {:.6g} of {:.6g} s simulated by {} with steps of {:.6g} "
      "s\n",
      file.title, word(result.end()), last_state(result).time_s, file.run.duration_s,
      name(file.stepper), file.run.step_s);
  text += row("bodies",
              fmt::format("{}, {} of them move", file.scene.bodies.size(), moving(file.scene)));
  text += row("steps", fmt::format("{}, {} of them halved, {} iterations", totals.steps,
                                   totals.halved, totals.iterations));
  text += row("worst residual", fmt::format("{:.3g} (tolerance {:.3g})", totals.worst_residual,
                                            file.stepper_settings.tolerance));
  text += row("worst overlap",
              fmt::format("{:.4g} mm of the contacts that took part", totals.worst_overlap_mm));
  text += row("overlap found",
              deepest ? overlap_text(file.scene, *deepest) : "none, of all pairs in all samples");
  text +=
      row("energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end, change {:.4g} J",
                                start.total_j(), end.total_j(), end.total_j() - start.total_j()));
  text += row("time", fmt::format("{:.3g} s, {:.4g} steps per second", result.wall_time_s,
                                  steps_per_s(result)));
  return text + row("samples", fmt::format("{}, {}", result.recording.samples.size(),
                                           sampling_text(result.recording)));
}

std::string scene_summary_json(const SceneFile& file, const SceneResult& result) {
  JsonWriter json;
  json.begin_object();
  json.field("scene", file.name);
  json.field("title", file.title);
  json.field("graspmap_version", version());
  json.field("git_commit", git_commit());
  json.field("complete", result.end() == SceneEnd::kFinished);
  json.field("end", word(result.end()));
  write_settings(json, file);
  write_totals(json, result);
  write_energy(json, result);
  if (result.run.failure) write_failure(json, file.scene, *result.run.failure);
  json.field("samples", static_cast<std::int64_t>(result.recording.samples.size()));
  json.field("steps_per_sample", result.recording.every);
  json.field("wall_time_s", result.wall_time_s);
  json.field("steps_per_s", steps_per_s(result));
  json.end_object();
  return json.text();
}

}  // namespace graspmap
