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

/// Prepares the folder for a simulation. Throws ConfigError when it holds a run of a sweep, or a
/// simulation and `overwrite` is false; IoError when it cannot be written.
void create_scene_folder(const std::filesystem::path& folder, bool overwrite);

/// The name and text of a file.
using NamedText = std::pair<const char*, std::string>;

/// Writes the files of a simulation into its folder in their order: all of them or none, except in
/// a crash. Removes the animation of an older simulation. Throws IoError.
void write_scene_texts(const std::filesystem::path& folder, const std::vector<NamedText>& files);

}  // namespace graspmap
