#include "grasp/app/commands/commands.hpp"

#include <algorithm>
#include <filesystem>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace {

Command decides(const AnalysisCommand& analysis,
                std::vector<AskedKey> (*keys)(const std::string& file) = nullptr) {
  return {analysis.syntax,
          [analysis](const CommandSyntax& /*syntax*/, const std::vector<std::string>& words) {
            return run_analysis(analysis, words);
          },
          keys};
}

/// The keys that begin like one of `beginnings`.
std::vector<AskedKey> keys_like(const std::vector<std::string>& beginnings,
                                const std::filesystem::path& file = {}) {
  std::vector<AskedKey> keys = sweep_keys(file);
  std::erase_if(keys, [&](const AskedKey& key) {
    return std::none_of(beginnings.begin(), beginnings.end(), [&](const std::string& beginning) {
      return key.path.starts_with(beginning);
    });
  });
  return keys;
}

std::vector<AskedKey> keys_of_hold(const std::string& /*run*/) { return keys_like({"hold."}); }

/// What reweight changes: the distributions of friction, of the noise, and of what the run draws.
std::vector<AskedKey> keys_of_reweight(const std::string& run) {
  std::vector<std::string> beginnings{"friction.", "placement.noise."};
  const std::filesystem::path file = std::filesystem::path(run) / run_files::kConfig;
  try {
    for (const UncertainNumber& number : read_sweep_config(file, {}).uncertain) {
      const std::string key = "uncertain." + number.key;
      beginnings.insert(beginnings.end(), {key, in_degrees(key)});
    }
  } catch (const ConfigError&) {
    // Those of any run are left.
  }
  return keys_like(beginnings, file);
}

}  // namespace

Command::Act parsed(int (*act)(const Arguments& arguments)) {
  return [act](const CommandSyntax& syntax, const std::vector<std::string>& args) {
    const Arguments arguments(syntax, args);
    return arguments.help_printed() ? 0 : arguments.answered([&] { return act(arguments); });
  };
}

std::vector<AnalysisCommand> analysis_commands() {
  return {plan_analysis(),        pose_analysis(),       hold_analysis(),
          lab_plan_analysis(),    compare_analysis(),    calibrate_analysis(),
          fit_support_analysis(), detections_analysis(), reweight_analysis(),
          sensitivity_analysis(), difference_analysis(), tolerances_analysis(),
          sequence_analysis(),    design_analysis(),     grasps_analysis()};
}

std::vector<AskedKey> keys_of_sweep(const std::string& file) { return sweep_keys(file); }

std::vector<Command> grasp_commands() {
  return {init_command(),
          run_command(),
          decides(plan_analysis()),
          decides(pose_analysis()),
          decides(detections_analysis()),
          decides(hold_analysis(), keys_of_hold),
          decides(lab_plan_analysis()),
          decides(compare_analysis()),
          decides(calibrate_analysis()),
          decides(fit_support_analysis()),
          decides(reweight_analysis(), keys_of_reweight),
          decides(sensitivity_analysis()),
          decides(difference_analysis()),
          decides(tolerances_analysis()),
          decides(sequence_analysis(), keys_of_sweep),
          decides(design_analysis(), keys_of_sweep),
          plot_command(),
          report_command(),
          studio_command(),
          replay_command(),
          trial_command(),
          schema_command(),
          import_command(),
          grippers_command(),
          export_command(),
          merge_command(),
          hash_command(),
          examples_command()};
}

}  // namespace graspmap
