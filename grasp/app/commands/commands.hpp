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

/// Those of them that decide (grasp/app/commands/analysis.hpp), and what Python has of `export`.
std::vector<AnalysisCommand> analysis_commands();

// What each does: grasp_commands().
AnalysisCommand plan_analysis();
AnalysisCommand pose_analysis();
AnalysisCommand detections_analysis();
AnalysisCommand grasps_analysis();
AnalysisCommand hold_analysis();
AnalysisCommand lab_plan_analysis();
AnalysisCommand compare_analysis();
AnalysisCommand calibrate_analysis();
AnalysisCommand reweight_analysis();
AnalysisCommand sensitivity_analysis();
AnalysisCommand fit_support_analysis();
AnalysisCommand difference_analysis();
AnalysisCommand tolerances_analysis();
AnalysisCommand sequence_analysis();
AnalysisCommand design_analysis();
int init_command(const std::vector<std::string>& args);
int run_command(const std::vector<std::string>& args);
int plot_command(const std::vector<std::string>& args);
int report_command(const std::vector<std::string>& args);
int studio_command(const std::vector<std::string>& args);
int trial_command(const std::vector<std::string>& args);
int schema_command(const std::vector<std::string>& args);
int import_command(const std::vector<std::string>& args);
int grippers_command(const std::vector<std::string>& args);
int export_command(const std::vector<std::string>& args);
int merge_command(const std::vector<std::string>& args);
int hash_command(const std::vector<std::string>& args);
int examples_command(const std::vector<std::string>& args);

/// A replayed trial came out with other bits than those that are stored.
inline constexpr int kExitNotReproduced = 3;
/// Exit code 0 or kExitNotReproduced.
int replay_command(const std::vector<std::string>& args);

/// The keys of a sweep, for Tab completion; with those of a file, unless it is "".
std::vector<AskedKey> keys_of_sweep(const std::string& file);

}  // namespace graspmap
