#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab/scenes/scene_files.hpp"
#include "lab/scenes/scene_recording.hpp"

namespace graspmap {

/// What the tables of a scene have that depends on its kind.
template <typename Snapshot>
struct SceneTables {
  struct Body {
    std::size_t index = 0;  ///< in snapshots
    std::string name;
  };
  std::vector<Body> bodies;          ///< that trajectory.csv shows
  std::vector<const char*> columns;  ///< of each body in trajectory.csv
  std::function<std::string(const Snapshot&, std::size_t body)> motion;  ///< those columns
  std::string contact_columns;                                           ///< of contacts.csv
  std::function<std::string(const Snapshot&, std::size_t contact)> contact;
  bool has_unknowns = false;      ///< in steps.csv
  bool has_contact_work = false;  ///< in steps.csv
};

/// trajectory.csv: a row for each sample with the pose and velocity of each body that moves or is
/// shaken, in columns NAME.x_mm and so on.
template <typename Snapshot>
std::string trajectory_csv(const SceneTables<Snapshot>& tables,
                           const SceneRecording<Snapshot>& recording) {
  std::string csv = "time_s";
  for (const auto& body : tables.bodies) {
    for (const char* column : tables.columns) csv += fmt::format(",{}.{}", body.name, column);
  }
  csv += '\n';
  for (const auto& sample : recording.samples) {
    csv += fmt::format("{}", sample.shown.time_s);
    for (const auto& body : tables.bodies)
      csv += fmt::format(",{}", tables.motion(sample.shown, body.index));
    csv += '\n';
  }
  return csv;
}

/// contacts.csv: a row for each contact that took part in a sample's step.
template <typename Snapshot>
std::string contacts_csv(const SceneTables<Snapshot>& tables,
                         const SceneRecording<Snapshot>& recording) {
  std::string csv = fmt::format("time_s,{}\n", tables.contact_columns);
  for (const auto& sample : recording.samples) {
    for (std::size_t k = 0; k < sample.shown.contacts.size(); ++k) {
      csv += fmt::format("{},{}\n", sample.shown.time_s, tables.contact(sample.shown, k));
    }
  }
  return csv;
}

/// energy.csv: a row for each sample.
template <typename Snapshot>
std::string energy_csv(const SceneRecording<Snapshot>& recording) {
  const bool is_elastic = recording.samples.front().shown.energy.elastic_j.has_value();
  std::string csv = is_elastic ? "time_s,kinetic_j,potential_j,elastic_j,total_j\n"
                               : "time_s,kinetic_j,potential_j,total_j\n";
  for (const auto& sample : recording.samples) {
    const SceneEnergy& energy = sample.shown.energy;
    csv += fmt::format("{},{},{},", sample.shown.time_s, energy.kinetic_j, energy.potential_j);
    if (is_elastic) csv += fmt::format("{},", *energy.elastic_j);
    csv += fmt::format("{}\n", energy.total_j());
  }
  return csv;
}

/// steps.csv: what the steps since the row before took, the deepest overlap of the bodies, and of
/// an articulated system the work of its contacts, a row for each sample.
template <typename Snapshot>
std::string steps_csv(const SceneTables<Snapshot>& tables,
                      const SceneRecording<Snapshot>& recording) {
  std::string csv = fmt::format(
      "time_s,steps,iterations,{}contacts,worst_residual,worst_overlap_mm,overlap_found_mm{}\n",
      tables.has_unknowns ? "unknowns," : "", tables.has_contact_work ? ",contact_work_j" : "");
  for (const auto& [shown, since, overlap] : recording.samples) {
    csv += fmt::format("{},{},{},", shown.time_s, since.steps, since.iterations);
    if (tables.has_unknowns) csv += fmt::format("{},", shown.unknowns);
    csv += fmt::format("{},{},{},{}", shown.contacts.size(), since.worst_residual,
                       since.worst_overlap_mm, overlap ? overlap->depth_mm : 0.0);
    if (tables.has_contact_work) csv += fmt::format(",{}", since.contact_work_j);
    csv += '\n';
  }
  return csv;
}

/// Writes the files of a simulation, the summary last: all of them or none, except in a crash.
/// `tables_of(file)` describes the tables. Throws IoError.
template <typename File, typename Snapshot>
void write_scene_files(const std::filesystem::path& folder, const File& file,
                       const SceneResult<Snapshot>& result) {
  const SceneTables<Snapshot> tables = tables_of(file);
  write_scene_texts(folder, {{scene_files::kScene, file.toml},
                             {scene_files::kTrajectory, trajectory_csv(tables, result.recording)},
                             {scene_files::kContacts, contacts_csv(tables, result.recording)},
                             {scene_files::kEnergy, energy_csv(result.recording)},
                             {scene_files::kSteps, steps_csv(tables, result.recording)},
                             {scene_files::kSummary, summary_json(scene_report(file, result))}});
}

}  // namespace graspmap
