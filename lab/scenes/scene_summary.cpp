#include "lab/scenes/scene_summary.hpp"

#include <algorithm>

namespace graspmap {
namespace {

std::vector<std::string> body_names(const PlanarScene& scene) {
  std::vector<std::string> names;
  for (const PlanarBody& body : scene.bodies) names.push_back(body.name);
  return names;
}

/// Half the size of a body: the largest bounding radius of its pieces.
double body_size_mm(const PlanarScene& scene, int body) {
  double size = 0.0;
  for (const PlacedShape& placed : scene.bodies[static_cast<std::size_t>(body)].shapes) {
    size = std::max(size, bounding_radius_mm(placed.shape));
  }
  return size;
}

ReportedEnergy reported(const PlanarEnergy& energy) {
  return {energy.kinetic_j, energy.potential_j, energy.elastic_j};
}

SceneReport scene_report(const SceneFile& file, const SceneResult& result) {
  const auto& samples = result.recording.samples;
  SceneReport report;
  report.name = file.name;
  report.title = file.title;
  report.solver = name(file.stepper);
  report.settings = file.run;
  report.tolerance = file.stepper_settings.tolerance;
  report.bodies = body_names(file.scene);
  report.moving_bodies = std::count_if(file.scene.bodies.begin(), file.scene.bodies.end(),
                                       [](const auto& body) { return body.moves_freely(); });
  report.outcome = result;
  report.end_s = samples.back().state.time_s;
  report.start_energy = reported(samples.front().energy);
  report.end_energy = reported(samples.back().energy);
  report.deepest = result.deepest();
  report.samples = static_cast<std::int64_t>(samples.size());
  report.steps_per_sample = result.recording.every;
  return report;
}

}  // namespace

std::optional<SampledOverlap> SceneResult::deepest() const {
  return deepest_of(recording.samples,
                    [](const SceneSample& sample) { return sample.state.time_s; });
}

std::optional<std::string> overlap_warning(const SceneFile& file, const SceneResult& result) {
  const std::optional<SampledOverlap> deepest = result.deepest();
  if (!deepest) return std::nullopt;
  const double size_mm = std::min(body_size_mm(file.scene, deepest->overlap.body_a),
                                  body_size_mm(file.scene, deepest->overlap.body_b));
  return overlap_warning(body_names(file.scene), *deepest, size_mm,
                         "a larger solver.active_gap_mm or another stepper");
}

std::string failure_text(const SceneFile& file, const SceneRunFailure& failure) {
  return failure_text(body_names(file.scene), failure);
}

std::string scene_summary_text(const SceneFile& file, const SceneResult& result) {
  return summary_text(scene_report(file, result));
}

std::string scene_summary_json(const SceneFile& file, const SceneResult& result) {
  return summary_json(scene_report(file, result));
}

}  // namespace graspmap
