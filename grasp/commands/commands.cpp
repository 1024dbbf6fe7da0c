#include "grasp/commands/commands.hpp"

namespace graspmap {

std::vector<Command> grasp_commands() {
  return {
      {"run", "simulate a sweep and map where the grasp succeeds", run_command},
      {"plan", "find where to put the gripper under the robot's positioning error", plan_command},
      {"pose", "tell how the part lies in the hand after the grasp", pose_command},
      {"lab-plan", "plan an experiment: how many trials, where, and the sheet to fill in",
       lab_plan_command},
      {"compare", "compare a run with an experiment or with published facts", compare_command},
      {"calibrate", "find the friction, and other causes, behind an experiment", calibrate_command},
      {"fit-support", "find the table's friction under a part from measured pushes",
       fit_support_command},
      {"reweight", "show the map of a run under other laws, without new simulations",
       reweight_command},
      {"sensitivity", "tell which uncertainty matters for success", sensitivity_command},
      {"difference", "compare two designs: where one succeeds more often", difference_command},
      {"plot", "draw the figures of a run", plot_command},
      {"replay", "simulate a trial of a run again, check its bits, explain and draw it",
       replay_command},
      {"trial", "simulate one trial and explain it, or a file of trials", trial_command},
      {"import", "read a part or a finger from a drawing, DXF or SVG", import_command},
      {"export", "write the trials of a run for other programs: CSV or NPZ", export_command},
      {"merge", "join the shards of a sweep into one run", merge_command},
      {"hash", "print a digest of the trials of a run", hash_command},
  };
}

}  // namespace graspmap
