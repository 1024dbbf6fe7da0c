#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/probability/proportions.hpp"

namespace graspmap {

/// "outputs/bracket_broad" for a run in outputs/bracket. `store_file`: the run's.
std::filesystem::path new_run_folder(const std::filesystem::path& store_file,
                                     const std::string& suffix);

/// The command that simulates a run's configuration with other settings, "friction.jaw.max=0.5",
/// into new_run_folder, for what the run's trials do not cover; of a run in memory, which has no
/// file, the settings.
std::string new_run_command(const std::filesystem::path& store_file,
                            const std::vector<std::string>& settings, const std::string& suffix);

/// How far the distributions of a posterior's draws of "friction.jaw" reach together, uniform ones
/// or normal ones to three sigmas; nothing when it has none. `draws`: the column of a name,
/// "friction.jaw.min"; empty without one.
std::optional<Interval> reach_of_draws(
    const std::string& key, const std::function<std::vector<double>(const std::string&)>& draws);

/// "friction.jaw={ distribution = \"uniform\", min = 0.3, max = 0.5 }", at least as broad as the
/// range, except for numbers below 0, which no friction is.
std::string broad_setting(const std::string& key, const Interval& range);

}  // namespace graspmap
