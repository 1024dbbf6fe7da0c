#include "grasp/app/commands/commands.hpp"

#include "grasp/app/commands/analysis.hpp"
#include "grasp/sweep/config/key_list.hpp"

namespace graspmap {
namespace {

template <AnalysisCommand (*command)()>
int decide(const std::vector<std::string>& args) {
  return run_analysis(command(), args);
}

template <AnalysisCommand (*command)()>
int decide_together(const std::vector<std::string>& args) {
  return run_shared_analysis(command(), args);
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

std::vector<AnalysisCommand> analysis_commands() {
  return {plan_analysis(),        pose_analysis(),       hold_analysis(),
          lab_plan_analysis(),    compare_analysis(),    calibrate_analysis(),
          fit_support_analysis(), detections_analysis(), reweight_analysis(),
          sensitivity_analysis(), difference_analysis(), tolerances_analysis(),
          sequence_analysis(),    design_analysis(),     grasps_analysis()};
}

std::vector<AskedKey> keys_of_sweep(const std::string& file) { return sweep_keys(file); }

std::vector<Command> grasp_commands() {
  return {
      {"init", "write a configuration that runs, from a drawing, and draw how it was understood",
       init_command},
      {"run", "simulate a sweep and map where the grasp succeeds", run_command, keys_of_sweep},
      {"plan", "find where to put the gripper under the robot's positioning error",
       decide<plan_analysis>},
      {"pose", "tell how the part lies in the hand after the grasp", decide<pose_analysis>},
      {"detections", "turn a camera's repeated detections of a part into an error for plan",
       decide<detections_analysis>},
      {"hold",
       "tell whether the part stays in the hand when the robot moves it, and with which force",
       decide<hold_analysis>},
      {"lab-plan", "plan an experiment: how many trials, where, and the sheet to fill in",
       decide<lab_plan_analysis>},
      {"compare", "compare a run with an experiment or with published facts",
       decide<compare_analysis>},
      {"calibrate", "find the friction, and other causes, behind an experiment",
       decide<calibrate_analysis>},
      {"fit-support", "find the table's friction under a part from measured pushes",
       decide<fit_support_analysis>},
      {"reweight", "show the map of a run under other distributions, without new simulations",
       decide<reweight_analysis>, keys_of_distributions},
      {"sensitivity", "tell which uncertainty matters for success", decide<sensitivity_analysis>},
      {"difference", "compare two designs: where one succeeds more often",
       decide<difference_analysis>},
      {"tolerances", "share a budget: which tolerances to tighten for the least money",
       decide<tolerances_analysis>},
      {"sequence", "find squeezes that turn an unknown pose into a known one, without sensors",
       decide<sequence_analysis>, keys_of_sweep},
      {"design", "find the finger, gripper and placement that grasp best",
       decide_together<design_analysis>, keys_of_sweep},
      {"plot", "draw the figures of a run", plot_command},
      {"report", "write one HTML file that answers questions about a run, offline", report_command},
      {"studio", "write graspmap for the browser, one HTML file, with a part in it", studio_command,
       keys_of_sweep},
      {"replay", "simulate a trial of a run again, check its bits, explain and draw it",
       replay_command},
      {"trial", "simulate one trial and explain it, or a file of trials", trial_command,
       keys_of_sweep},
      {"schema", "print a JSON schema of configurations, with which editors help", schema_command},
      {"import", "read a part or a finger from a drawing, DXF or SVG", import_command},
      {"grippers", "list the grippers that a configuration may name, or draw them",
       grippers_command},
      {"export", "write the trials of a run for other programs, or its best grasps for a robot",
       export_command},
      {"merge", "join the shards of a sweep into one run", merge_command},
      {"hash", "print a digest of the trials of a run", hash_command},
      {"examples", "list the examples that come with graspmap, or copy them", examples_command},
  };
}

}  // namespace graspmap
