#include "grasp/app/commands/commands.hpp"

#include "grasp/app/commands/analysis.hpp"
#include "grasp/sweep/config/key_list.hpp"

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

/// What reweight changes: the distributions of friction and of the noise.
std::vector<AskedKey> keys_of_distributions(const std::string& /*file*/) {
  std::vector<AskedKey> keys;
  for (AskedKey& key : sweep_keys()) {
    if (key.path.starts_with("friction.") || key.path.starts_with("placement.noise.")) {
      keys.push_back(std::move(key));
    }
  }
  return keys;
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
          decides(hold_analysis()),
          decides(lab_plan_analysis()),
          decides(compare_analysis()),
          decides(calibrate_analysis()),
          decides(fit_support_analysis()),
          decides(reweight_analysis(), keys_of_distributions),
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
