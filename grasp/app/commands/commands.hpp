#pragma once

#include <string>
#include <vector>

namespace graspmap {

struct AskedKey;

/// A subcommand of a program.
struct Command {
  const char* name;
  const char* summary;  ///< a line for the program's help
  /// Takes what is typed after the name. Returns the exit code: 0, or 128 plus the signal that
  /// interrupted it, or another that the command's comment names. Throws UsageError, ConfigError,
  /// IoError.
  int (*run)(const std::vector<std::string>& args);
  /// The keys of its --set, for the file that the command line names, or "".
  std::vector<AskedKey> (*keys)(const std::string& file) = nullptr;
  /// The words that its operands may be, when there are such.
  std::vector<std::string> (*words)() = nullptr;
};

struct AnalysisCommand;

/// The commands of graspmap, in the order of its help.
std::vector<Command> grasp_commands();

/// Those of them that decide (grasp/app/commands/analysis.hpp).
std::vector<AnalysisCommand> analysis_commands();

/// Where to put the gripper under the robot's positioning error, and how large that error may be.
AnalysisCommand plan_analysis();

/// How the part lies in the hand after the grasp.
AnalysisCommand pose_analysis();

/// How many trials a laboratory needs for a question, where, and the sheet to fill in.
AnalysisCommand lab_plan_analysis();

/// How a run differs from an experiment, or whether published facts hold in it.
AnalysisCommand compare_analysis();

/// The laws of friction that explain an experiment.
AnalysisCommand calibrate_analysis();

/// The map of a run under other laws of its random inputs, from the stored trials.
AnalysisCommand reweight_analysis();

/// Which uncertainty matters for success.
AnalysisCommand sensitivity_analysis();

/// The friction of a part on its table from measured pushes.
AnalysisCommand fit_support_analysis();

/// Two designs against each other.
AnalysisCommand difference_analysis();

/// Which tolerances to tighten, and which to give away, for the least money.
AnalysisCommand tolerances_analysis();

/// A sweep from a configuration to a run folder.
int run_command(const std::vector<std::string>& args);

/// The figures of a run folder, drawn again.
int plot_command(const std::vector<std::string>& args);

/// A run as one HTML file that answers questions offline.
int report_command(const std::vector<std::string>& args);

/// A replayed trial came out with other bits than those that are stored.
inline constexpr int kExitNotReproduced = 3;

/// One trial of a run simulated again, checked, explained and drawn; or a list of the trials with
/// the worst residuals. Exit code 0 or kExitNotReproduced.
int replay_command(const std::vector<std::string>& args);

/// One trial explained, or a file of trials.
int trial_command(const std::vector<std::string>& args);

/// A part or a finger from a drawing, as tables of a configuration.
int import_command(const std::vector<std::string>& args);

/// The trials of a run as one file, for other programs.
int export_command(const std::vector<std::string>& args);

/// The stores of shards joined into one run.
int merge_command(const std::vector<std::string>& args);

/// The digest of a run's trials.
int hash_command(const std::vector<std::string>& args);

/// The example configurations: listed, or copied.
int examples_command(const std::vector<std::string>& args);

/// The keys of a sweep, for Tab completion; with those of a file, unless it is "".
std::vector<AskedKey> keys_of_sweep(const std::string& file);

}  // namespace graspmap
