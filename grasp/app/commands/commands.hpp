#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grasp/app/commands/options.hpp"

namespace graspmap {

struct AskedKey;

/// A subcommand of a program.
struct Command {
  /// Gets its syntax, and what is typed after the name. Returns the exit code: 0, or 128 plus the
  /// signal that interrupted it, or another that the command's comment names. Throws UsageError,
  /// ConfigError, IoError.
  using Act = std::function<int(const CommandSyntax& syntax, const std::vector<std::string>& args)>;

  CommandSyntax syntax;
  Act act;
  /// The keys of its --set, for the file that the command line names, or "".
  std::vector<AskedKey> (*keys)(const std::string& file) = nullptr;
  /// The words that its operands may be, when there are such.
  std::vector<std::string> (*words)() = nullptr;

  [[nodiscard]] int run(const std::vector<std::string>& args) const { return act(syntax, args); }
};

/// What a command does with what it was asked, when that is not for help.
Command::Act parsed(int (*act)(const Arguments& arguments));

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
Command init_command();
Command run_command();
Command plot_command();
Command report_command();
Command studio_command();
Command trial_command();
Command schema_command();
Command import_command();
Command grippers_command();
Command export_command();
Command merge_command();
Command hash_command();
Command examples_command();

/// A replayed trial came out with other bits than those that are stored.
inline constexpr int kExitNotReproduced = 3;
/// Exit code 0 or kExitNotReproduced.
Command replay_command();

/// The keys of a sweep, for Tab completion; with those of a file, unless it is "".
std::vector<AskedKey> keys_of_sweep(const std::string& file);

}  // namespace graspmap
