#include <algorithm>
#include <chrono>

#include "lab/scenes/scene_reader.hpp"
#include "lab/scenes/scene_recording.hpp"
#include "lab/scenes/scene_report.hpp"
#include "lab/spatial_scenes/spatial_recording.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"
#include "tests/fuzz/readers.hpp"

namespace graspmap::fuzz {
namespace {

constexpr const char* kSceneSource = "fuzzed.toml";
constexpr std::size_t kMostBodies = 8;
constexpr std::chrono::milliseconds kPatience(200);  ///< with the steps of a scene

/// A step is taken and told of; one that takes long is given up.
template <typename Recorder, typename File, typename StopWith>
void take_a_step(File file, const StopWith& stop_with) {
  const auto begun = std::chrono::steady_clock::now();
  stop_with(file, [begun] { return std::chrono::steady_clock::now() - begun > kPatience; });
  file.run.duration_s = std::min(file.run.duration_s, file.run.step_s);
  must_accept([&] {
    const auto result = record_scene<Recorder>(file, 1, [](const auto&) { return true; });
    const SceneReport report = scene_report(file, result);
    expect(!summary_json(report).empty(), "no summary");
    static_cast<void>(overlap_warning(report));
  });
}

void stop_planar(SceneFile& file, const std::function<bool()>& is_stopped) {
  file.run.is_stopped = file.stepper_settings.is_stopped = is_stopped;
}

void stop_spatial(SpatialSceneFile& file, const std::function<bool()>& is_stopped) {
  file.run.is_stopped = is_stopped;
  if (!file.is_articulated()) std::get<RigidScene>(file.simulated).settings.is_stopped = is_stopped;
}

/// With overrides the document is written anew: it must be the same scene.
template <typename Read>
void write_and_read_scene_again(std::string_view text, const Read& read) {
  must_accept([&] {
    const std::vector<std::string> untouched = {"time.duration_s=0.25"};
    const SceneDocument once = parse_scene_document(text, kSceneSource, untouched);
    read(once);
    const SceneDocument twice = parse_scene_document(once.toml, kSceneSource, untouched);
    read(twice);
    expect(once.toml == twice.toml, "the written scene is another one");
  });
}

}  // namespace

void read_planar_scene(std::string_view text) {
  const SceneFile file = graspmap::read_planar_scene(parse_scene_document(text, kSceneSource));
  write_and_read_scene_again(text, [](const SceneDocument& document) {
    static_cast<void>(graspmap::read_planar_scene(document));
  });
  if (file.scene.bodies.size() <= kMostBodies) take_a_step<PlanarRecorder>(file, stop_planar);
}

void read_spatial_scene(std::string_view text) {
  const SpatialSceneFile file =
      graspmap::read_spatial_scene(parse_scene_document(text, kSceneSource));
  write_and_read_scene_again(text, [](const SceneDocument& document) {
    static_cast<void>(graspmap::read_spatial_scene(document));
  });
  if (file.bodies.size() <= kMostBodies) take_a_step<SpatialRecorder>(file, stop_spatial);
}

}  // namespace graspmap::fuzz
