#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace graspmap {

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

/// Makes the folder ready for a simulation. Throws ConfigError when it holds a run of a sweep, or a
/// simulation already that `overwrite` does not give up; IoError when it cannot be written.
void create_scene_folder(const std::filesystem::path& folder, bool overwrite);

/// The name and text of a file.
using NamedText = std::pair<const char*, std::string>;

/// Writes the files of a simulation into its folder, all or none but for a crash in between, in
/// their order. An animation of an older one goes. Throws IoError.
void write_scene_texts(const std::filesystem::path& folder, const std::vector<NamedText>& files);

}  // namespace graspmap
