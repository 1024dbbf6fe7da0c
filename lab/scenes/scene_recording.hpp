#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "lab/scene_model/snapshot.hpp"
#include "lab/scenes/sampling.hpp"
#include "lab/scenes/scene_report.hpp"

namespace graspmap {

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

/// Keeps the samples of a run. Of a step that was halved the last part is kept.
template <typename Snapshot>
class SceneRecorder {
 public:
  using FindOverlap = std::function<std::optional<BodyOverlap>(const Snapshot&)>;

  SceneRecorder(double step_s, std::int64_t every, FindOverlap find_overlap)
      : find_overlap_(std::move(find_overlap)), schedule_(step_s, every) {
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

}  // namespace graspmap
