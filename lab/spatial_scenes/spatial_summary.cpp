#include "lab/spatial_scenes/spatial_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lab/scenes/scene_files.hpp"
#include "lab/spatial_scenes/spatial_tables.hpp"

namespace graspmap {
namespace {

std::vector<std::string> solid_names(const SpatialSceneFile& file) {
  std::vector<std::string> names;
  for (const SceneSolid& body : file.bodies) names.push_back(body.name);
  return names;
}

ReportedEnergy reported_energy(const SpatialSample& sample) {
  return {sample.shown.energy.kinetic_j, sample.shown.energy.potential_j, std::nullopt};
}

SceneReport spatial_report(const SpatialSceneFile& file, const SpatialResult& result) {
  const auto& samples = result.recording.samples;
  SceneReport report;
  report.name = file.name;
  report.title = file.title;
  if (file.is_articulated()) report.solver_key = "contact_solver";
  report.solver = solver_name(file);
  report.settings = file.run;
  report.tolerance = file.is_articulated() ? file.articulated().settings.contact.tolerance
                                           : file.rigid().settings.tolerance;
  report.bodies = solid_names(file);
  report.moving_bodies = std::count_if(file.bodies.begin(), file.bodies.end(),
                                       [](const auto& body) { return !body.is_fixed; });
  report.outcome = result;
  report.end_s = samples.back().shown.time_s;
  report.start_energy = reported_energy(samples.front());
  report.end_energy = reported_energy(samples.back());
  report.deepest = result.deepest();
  report.samples = static_cast<std::int64_t>(samples.size());
  report.steps_per_sample = result.recording.every;
  return report;
}

std::optional<std::string> passing_warning(const SpatialSceneFile& file,
                                           const std::optional<PassingBodies>& passing) {
  if (!passing) return std::nullopt;
  const auto name_of = [&](int body) { return file.bodies[static_cast<std::size_t>(body)].name; };
  return fmt::format(
      "{} and {} moved past each other by {:.4g} mm in the step to {:.6g} s, more than they are "
      "thick together ({:.4g} mm): they may have passed through each other; try a smaller step",
      name_of(passing->body_a), name_of(passing->body_b), passing->moved_mm, passing->time_s,
      passing->thickness_mm);
}

}  // namespace

std::string solver_name(const SpatialSceneFile& file) {
  return file.is_articulated() ? name(file.articulated().settings.contact.solver)
                               : name(file.rigid().stepper);
}

std::optional<std::string> overlap_warning(const SpatialSceneFile& file,
                                           const SpatialResult& result) {
  const std::optional<SampledOverlap> deepest = result.deepest();
  if (!deepest) return passing_warning(file, result.recording.passing);
  const auto size_mm = [&](int body) {
    return bounding_radius_mm(file.bodies[static_cast<std::size_t>(body)].solid);
  };
  const std::optional<std::string> overlap = overlap_warning(
      solid_names(file), *deepest,
      std::min(size_mm(deepest->overlap.body_a), size_mm(deepest->overlap.body_b)),
      file.is_articulated() ? "or another solver.integrator; contacts of articulated systems hold "
                              "velocities, not positions"
                            : "or another stepper");
  return overlap ? overlap : passing_warning(file, result.recording.passing);
}

std::string failure_text(const SpatialSceneFile& file, const SceneRunFailure& failure) {
  return failure_text(solid_names(file), failure);
}

std::string scene_summary_text(const SpatialSceneFile& file, const SpatialResult& result) {
  return summary_text(spatial_report(file, result));
}

std::string scene_summary_json(const SpatialSceneFile& file, const SpatialResult& result) {
  return summary_json(spatial_report(file, result));
}

void write_scene_files(const std::filesystem::path& folder, const SpatialSceneFile& file,
                       const SpatialResult& result) {
  write_scene_texts(folder,
                    {{scene_files::kScene, file.toml},
                     {scene_files::kTrajectory, spatial_trajectory_csv(file, result.recording)},
                     {scene_files::kContacts, spatial_contacts_csv(file, result.recording)},
                     {scene_files::kEnergy, spatial_energy_csv(result.recording)},
                     {scene_files::kSteps, spatial_steps_csv(file, result.recording)},
                     {scene_files::kSummary, scene_summary_json(file, result)}});
}

}  // namespace graspmap
