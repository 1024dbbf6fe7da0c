#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geometry/assert.hpp"
#include "lab/planar/stepper.hpp"
#include "lab/scene_model/scene_run.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "lab/scenes/scene_report.hpp"

namespace graspmap {

/// What the steps since the sample before took, and how well they hold.
struct StepsSinceSample {
  std::int64_t steps = 0;
  std::int64_t iterations = 0;
  double worst_residual = 0.0;
  double worst_overlap_mm = 0.0;  ///< of contacts that took part
  double contact_work_j = 0.0;    ///< of an articulated system

  /// The step that ended in a snapshot.
  void add(const SceneSnapshot& end);
};

/// `every` for at most about `most` samples of a run.
std::int64_t sampling_for(const SceneRunSettings& run, std::int64_t most);

/// Which states of a run are kept: the start, and those after every `every` steps.
class SampleSchedule {
 public:
  SampleSchedule(double step_s, std::int64_t every) : step_s_(step_s), every_(every) {}

  /// Whether the state at this time is kept. Call it with ascending times, once for each.
  bool is_due(double time_s);

 private:
  double step_s_;
  std::int64_t every_;
  std::int64_t next_ = 0;  ///< the step after which the next sample is due
};

/// A state of a simulation that is kept, with the step that ended there.
template <typename Snapshot>
struct SceneSample {
  Snapshot shown;
  StepsSinceSample since;
  std::optional<BodyOverlap> overlap;  ///< the deepest
};

/// A simulation as it is written: samples at the start, after every `every` steps, and at the end.
template <typename Snapshot>
struct SceneRecording {
  std::int64_t every = 1;
  std::vector<SceneSample<Snapshot>> samples;
  std::optional<PassingBodies> passing;  ///< in space: of all steps, also those not kept
};

/// The recording of a simulation with its outcome.
template <typename Snapshot>
struct SceneResult : SceneOutcome {
  SceneRecording<Snapshot> recording;
};

/// Keeps the samples of a run. A step that was halved leaves its last part.
template <typename Snapshot>
class SceneRecorder {
 public:
  using FindOverlap = std::function<std::optional<BodyOverlap>(const Snapshot&)>;

  SceneRecorder(double step_s, std::int64_t every, FindOverlap find_overlap)
      : find_overlap_(std::move(find_overlap)), schedule_(step_s, every) {
    GRASPMAP_CHECK(step_s > 0.0 && every >= 1);
    recording_.every = every;
  }

  void observe(const Snapshot& snapshot) {
    last_.shown = snapshot;
    if (snapshot.step_s > 0.0) last_.since.add(snapshot);
    last_is_kept_ = false;
    if (schedule_.is_due(snapshot.time_s)) keep();
  }

  /// The recording with the last state that was observed as its end.
  SceneRecording<Snapshot> finish() {
    if (!last_is_kept_) keep();
    return std::move(recording_);
  }

 private:
  void keep() {
    last_.overlap = find_overlap_(last_.shown);
    recording_.samples.push_back(last_);
    last_.since = {};
    last_is_kept_ = true;
  }

  FindOverlap find_overlap_;
  SampleSchedule schedule_;
  SceneRecording<Snapshot> recording_;
  SceneSample<Snapshot> last_;
  bool last_is_kept_ = true;
};

/// Simulates a scene from its start to its end, or until `goes_on(snapshot)` is false, and keeps
/// what `Recorder` does.
template <typename Recorder, typename File, typename GoesOn>
auto record_scene(const File& file, std::int64_t every, const GoesOn& goes_on) {
  Recorder recorder(file, every);
  typename Recorder::Result result;
  result.run = simulate(file, [&](const auto& shown) {
    recorder.observe(shown);
    return goes_on(shown);
  });
  result.recording = recorder.finish();
  return result;
}

/// The report of a simulation; `facts_of(file)` describes the scene.
template <typename File, typename Snapshot>
SceneReport scene_report(const File& file, const SceneResult<Snapshot>& result) {
  const auto& samples = result.recording.samples;
  SceneReport report;
  report.scene = facts_of(file);
  report.outcome = result;
  report.end_s = samples.back().shown.time_s;
  report.start_energy = samples.front().shown.energy;
  report.end_energy = samples.back().shown.energy;
  for (const SceneSample<Snapshot>& sample : samples) {
    const double deepest_mm = report.deepest ? report.deepest->overlap.depth_mm : 0.0;
    if (!sample.overlap || sample.overlap->depth_mm <= deepest_mm) continue;
    report.deepest = {*sample.overlap, sample.shown.time_s};
  }
  report.passing = result.recording.passing;
  report.samples = static_cast<std::int64_t>(samples.size());
  report.steps_per_sample = result.recording.every;
  return report;
}

/// The files of one simulation: outputs/SCENE/.
namespace scene_files {
inline constexpr const char* kScene = "scene.toml";
inline constexpr const char* kTrajectory = "trajectory.csv";
inline constexpr const char* kContacts = "contacts.csv";
inline constexpr const char* kEnergy = "energy.csv";
inline constexpr const char* kSteps = "steps.csv";
inline constexpr const char* kSummary = "summary.json";
inline constexpr const char* kAnimation = "motion.gif";
inline constexpr const char* kFigures = "figures";
}  // namespace scene_files

/// Prepares the folder for a simulation. Throws ConfigError when it holds a run of a sweep, or a
/// simulation and `overwrite` is false; IoError when it cannot be written.
void create_scene_folder(const std::filesystem::path& folder, bool overwrite);

/// The name and text of a file.
using NamedText = std::pair<const char*, std::string>;

/// Writes the files of a simulation into its folder in their order: all of them or none, except in
/// a crash. Removes the animation of an older simulation. Throws IoError.
void write_scene_texts(const std::filesystem::path& folder, const std::vector<NamedText>& files);

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

using PlanarSample = SceneSample<PlanarSnapshot>;
using PlanarRecording = SceneRecording<PlanarSnapshot>;
using PlanarResult = SceneResult<PlanarSnapshot>;

/// Keeps the samples of a run in the plane: the observer of `simulate_planar`.
class PlanarRecorder : public SceneRecorder<PlanarSnapshot> {
 public:
  using Result = PlanarResult;
  /// The file is kept by reference.
  PlanarRecorder(const SceneFile& file, std::int64_t every);
};

/// Runs a scene from its start to its end, with its own stepper.
SceneRun simulate(const SceneFile& file, const PlanarSnapshotObserver& observer);

/// How contact `k` of a snapshot holds. Impulses of less than 1e-9 of the snapshot's largest count
/// as none.
ContactHold contact_hold(const PlanarSnapshot& snapshot, std::size_t k);

/// Describes a scene for summaries, warnings and figures.
SceneFacts facts_of(const SceneFile& file);

/// Describes its tables; keeps the file by reference.
SceneTables<PlanarSnapshot> tables_of(const SceneFile& file);

}  // namespace graspmap
