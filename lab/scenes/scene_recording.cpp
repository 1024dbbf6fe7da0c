#include "lab/scenes/scene_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

void StepsSinceSample::add(const SceneSnapshot& end) {
  ++steps;
  iterations += end.iterations;
  worst_residual = std::max(worst_residual, end.residual);
  contact_work_j += end.contact_work_j;
  worst_overlap_mm = std::max(worst_overlap_mm, end.worst_overlap_mm);
}

std::int64_t sampling_for(const SceneRunSettings& run, std::int64_t most) {
  const double steps = std::ceil(run.duration_s / run.step_s - 1e-9);
  return std::max<std::int64_t>(1, std::llround(std::ceil(steps / static_cast<double>(most))));
}

bool SampleSchedule::is_due(double time_s) {
  const double steps = time_s / step_s_;
  if (steps < static_cast<double>(next_) - 1e-6) return false;
  while (static_cast<double>(next_) <= steps + 1e-6) next_ += every_;
  return true;
}

namespace fs = std::filesystem;
namespace {

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

}  // namespace

void create_scene_folder(const fs::path& folder, bool overwrite) {
  if (run_folder_state(folder) == RunFolderState::kStored) {
    throw ConfigError(
        fmt::format("{}: holds a run of a sweep; --out DIR writes elsewhere", folder.string()));
  }
  if (!overwrite && is_there(folder / scene_files::kTrajectory)) {
    throw ConfigError(fmt::format(
        "{}: holds a simulation already; --force overwrites it, --out DIR writes elsewhere",
        folder.string()));
  }
  create_folder(folder);
  check_writable(folder / scene_files::kSummary);
}

void write_scene_texts(const fs::path& folder, const std::vector<NamedText>& files) {
  std::vector<StagedFile> staged;
  for (const auto& [name, text] : files) staged.emplace_back(folder / name, text);
  const Unbroken moment;
  // Files of an older simulation must not remain beside the new ones.
  remove_file(folder / scene_files::kAnimation);
  remove_file(folder / scene_files::kSummary);
  for (StagedFile& next : staged) next.commit();
}

}  // namespace graspmap
