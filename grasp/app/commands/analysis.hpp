#pragma once

#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// Commands that decide: each is a function from words to an Analysis, which reads files and
/// computes, and touches neither the console, nor signals, nor what is on the disk. The command
/// line and the Python module call the same functions.

/// A file that an analysis leaves behind: its name in the folder and what it has.
struct AnalysisFile {
  std::string name;
  std::variant<Object, Table, std::string> content;

  /// JSON, CSV, or the text itself.
  [[nodiscard]] std::string text() const;
};

/// What a command that decides has found.
struct Analysis {
  std::string text;  ///< the answer, for standard output
  std::vector<AnalysisFile> files;
  std::vector<Figure> figures;
  std::string notes = {};             ///< lines for standard error
  std::filesystem::path folder = {};  ///< where its files belong; empty: where the command says
};

/// What an analysis shows while it works, and what ends it: nothing.
struct AnalysisWatch {
  const std::atomic<int>* stop = nullptr;        ///< not zero: AnalysisStopped within a second
  ShowTrials trials = {};                        ///< that are simulated, round by round
  std::function<void(double)> share = {};        ///< of the work that is done, 0 to 1
  std::function<void(const std::string&)> line;  ///< a step of a search, with its newline
};

/// A command that decides. `folder` says where its files go: "RUNDIR/plan", or where an analysis
/// itself tells Analysis::folder, "outputs/NAME_support". Its options --confidence, --out and
/// --no-plots come by themselves.
struct AnalysisCommand {
  using Function = Analysis (*)(const Arguments& arguments, const AnalysisWatch& watch);
  AnalysisCommand(CommandSyntax command, const char* to, Function function);

  CommandSyntax syntax;
  const char* folder;
  Function analyse;
};

/// The command of this name.
AnalysisCommand analysis_command(const std::string& name);

/// What a command finds. --out tells only Analysis::folder; --no-plots and --quiet have no meaning
/// here. Throws AnalysisStopped, UsageError, ConfigError, IoError.
Analysis analyse(const AnalysisCommand& command, const Arguments& arguments,
                 const AnalysisWatch& watch = {});

/// The command on the console: analyses, with progress on standard error unless --quiet is there,
/// prints, saves, and draws unless --no-plots is there. Returns the exit code.
int run_analysis(const AnalysisCommand& command, const std::vector<std::string>& words);

/// Writes the files of an analysis into a folder, which is made if need be. All files are complete
/// under temporary names before the first gets its name. Throws IoError.
void write_analysis(const std::filesystem::path& folder, const std::vector<AnalysisFile>& files);

/// Writes the files of an analysis and draws its figures there when `plots` is true; prints where
/// they are. A failure of gnuplot is a warning. Throws IoError.
void save_analysis(const std::filesystem::path& folder, const std::vector<AnalysisFile>& files,
                   const std::vector<Figure>& figures, bool plots);

/// The options that commands share which analyse a run: intervals, results, placements and their
/// errors, outcomes.

/// --confidence, 0.95 when it is not there; from 0.5 to 0.9999.
double read_confidence(const Arguments& arguments);

/// The stored run that the operand names.
RunStore open_stored_run(const Arguments& arguments);

/// --position-sigma-mm, or --`option`: two numbers >= 0, or one number for both.
std::array<double, 2> read_position_sigma(const Arguments& arguments,
                                          const char* option = "position-sigma-mm");

/// --angle-sigma-rad, >= 0; 0 when it is not there. It is refused when the sweep has one angle
/// only.
double read_angle_sigma(const Arguments& arguments, bool sweep_has_angles);

/// --`option`: "X,Y", or "X,Y,THETA" for a sweep over angles, inside of the map (mm, mm, rad).
std::array<double, 3> read_placement(const Arguments& arguments, const char* option,
                                     const std::array<Axis, 3>& axes);

/// --required-probability: above 0 and below 1.
double read_required_probability(const Arguments& arguments);

/// --outcome: a word of an outcome; nothing when it is not there.
std::optional<Outcome> read_outcome(const Arguments& arguments);

/// A line that says that a run is not complete; empty when it is.
std::string missing_trials_note(const RunStore& store, std::size_t trials);
std::string missing_trials_note(const RunStore& store, const RunTotals& totals);

}  // namespace graspmap
