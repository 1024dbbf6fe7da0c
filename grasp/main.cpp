#include <fmt/format.h>

#include <array>
#include <iostream>

#include "grasp/commands/calibrate.hpp"
#include "grasp/commands/compare.hpp"
#include "grasp/commands/difference.hpp"
#include "grasp/commands/export.hpp"
#include "grasp/commands/guarded_main.hpp"
#include "grasp/commands/hash.hpp"
#include "grasp/commands/merge.hpp"
#include "grasp/commands/options.hpp"
#include "grasp/commands/plan.hpp"
#include "grasp/commands/plot.hpp"
#include "grasp/commands/pose.hpp"
#include "grasp/commands/replay.hpp"
#include "grasp/commands/reweight.hpp"
#include "grasp/commands/run.hpp"
#include "grasp/commands/sensitivity.hpp"
#include "grasp/commands/simulate.hpp"
#include "grasp/commands/study_steppers.hpp"
#include "grasp/commands/trial.hpp"
#include "grasp/commands/validate.hpp"
#include "grasp/mpi/launch.hpp"
#include "grasp/mpi/world.hpp"
#include "grasp/version.hpp"

namespace graspmap {
namespace {

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const std::vector<std::string>& args);
};

constexpr std::array kCommands = {
    Command{"run", "simulate a sweep and map where the grasp succeeds", run_command},
    Command{"plan", "find where to put the gripper under the robot's positioning error",
            plan_command},
    Command{"pose", "tell how the part lies in the hand after the grasp", pose_command},
    Command{"compare", "compare a run with an experiment or with published facts", compare_command},
    Command{"calibrate", "find the laws of friction that explain an experiment", calibrate_command},
    Command{"reweight", "show the map of a run under other laws, without new simulations",
            reweight_command},
    Command{"sensitivity", "tell which uncertainty matters for success", sensitivity_command},
    Command{"difference", "compare two designs: where one succeeds more often", difference_command},
    Command{"study-steppers", "hold the time-steppers against each other on a sweep's trials",
            study_steppers_command},
    Command{"validate", "run the papers' examples and hold them against what is known",
            validate_command},
    Command{"plot", "draw the figures of a run", plot_command},
    Command{"replay", "run a trial of a run again, check its bits, explain and draw it",
            replay_command},
    Command{"trial", "simulate one trial and explain it, or a file of trials", trial_command},
    Command{"simulate", "simulate a scene of bodies in the plane and draw it", simulate_command},
    Command{"export", "write the trials of a run for other programs: CSV or NPZ", export_command},
    Command{"merge", "join the shards of a sweep into one run", merge_command},
    Command{"hash", "print a digest of the trials of a run", hash_command},
};

std::string help() {
  std::string text =
      "graspmap simulates how a parallel-jaw gripper closes on a flat part, and maps from where\n"
      "the grasp succeeds.\n"
      "\n"
      "Commands:\n";
  for (const Command& command : kCommands) {
    text += fmt::format("  graspmap {:<14} {}\n", command.name, command.summary);
  }
  return text +
         "\nExample:\n"
         "  graspmap run configs/lock_piece.toml\n\n"
         "`graspmap COMMAND --help` explains a command; `graspmap --version` prints the version.\n";
}

/// True when this process has nothing to do, because a launcher of MPI programs began several for
/// what is done by one, and this is not the one that says so. Throws UsageError in the one that is.
bool is_superfluous(const std::string& command) {
  const auto launch = mpi_launch();
  const bool has_mpi = !mpi_library().empty();
  if (!launch || (has_mpi && command == "run")) return false;
  if (launch->rank > 0) return true;
  throw UsageError(
      fmt::format("begun as {} MPI processes, but {}", launch->size,
                  has_mpi ? "only `graspmap run` works as several"
                          : "this graspmap was built without MPI (cmake -DGRASPMAP_MPI=ON)"));
}

int run_named_command(const std::string& name, const std::vector<std::string>& args) {
  for (const Command& command : kCommands) {
    if (command.name == name) return command.run(args);
  }
  const char* kind = name.starts_with('-') ? "option" : "command";
  throw UsageError(fmt::format("unknown {} '{}' (graspmap --help)", kind, name));
}

int run_command_line(const std::vector<std::string>& args) {
  if (args.empty()) {
    std::cerr << help();
    return kExitBadInput;
  }
  if (args.front() == "--help" || args.front() == "-h") {
    std::cout << help();
    return 0;
  }
  if (args.front() == "--version") {
    const std::string mpi = mpi_library();
    std::cout << fmt::format("graspmap {} ({}), {}\n", version(), git_commit(),
                             mpi.empty() ? "without MPI" : mpi);
    return 0;
  }
  if (is_superfluous(args.front())) return 0;
  return run_named_command(args.front(), {args.begin() + 1, args.end()});
}

}  // namespace
}  // namespace graspmap

int main(int argc, char** argv) {
  return graspmap::guarded_main({argv + 1, argv + argc}, graspmap::run_command_line);
}
