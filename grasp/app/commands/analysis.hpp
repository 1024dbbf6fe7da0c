#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/sweep/mpi/communicator.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// Commands that decide: each is a function from operands and a request to an Analysis, which reads
/// files and computes, and touches neither the console, nor signals, nor what is on the disk. The
/// command line and the Python module fill the same request and call the same functions.

/// What a command that decides has found.
struct Analysis {
  std::string text;  ///< the answer, for standard output
  std::vector<ResultFile> files;
  std::vector<Figure> figures;
  std::string notes = {};             ///< lines for standard error
  std::filesystem::path folder = {};  ///< where its files belong; empty: where the command says
  std::function<void()> when_written = {};  ///< to be called when its files are there
};

/// What an analysis shows while it works, and what ends it: nothing.
struct AnalysisWatch {
  const std::atomic<int>* stop = nullptr;        ///< not zero: AnalysisStopped within a second
  ShowTrials trials = {};                        ///< that are simulated, round by round
  std::function<void(double)> share = {};        ///< of the work that is done, 0 to 1
  std::function<void(const std::string&)> line;  ///< a step of a search, with its newline
  std::function<void(const std::string&)> notice = {};  ///< a line that --quiet does not keep back
  std::filesystem::path out = {};  ///< --out, for the commands that an analysis prints
  bool keeps = false;  ///< the folder gets a file from which an interrupted analysis continues
  MpiCommunicator* communicator = nullptr;  ///< of processes that analyse together; null: this one

  /// Where the files of an analysis without a run go: --out, or outputs/NAME.
  [[nodiscard]] std::filesystem::path folder(const std::string& name) const {
    return out.empty() ? std::filesystem::path("outputs") / name : out;
  }
};

/// Says once how long an analysis will take, when that is more than 20 s.
class TimeLeft {
 public:
  explicit TimeLeft(const AnalysisWatch& watch) : watch_(watch) {}
  /// So much work is left, in any unit. The first time the clock begins.
  void tell(double left);

 private:
  const AnalysisWatch& watch_;
  std::chrono::steady_clock::time_point start_ = {};
  double first_ = 0.0;
  bool told_ = false;
};

/// A command that decides. `folder` says where its files go: "RUNDIR/plan", or where an analysis
/// itself sets Analysis::folder, "outputs/NAME_support". Its options --quiet, --out and
/// --no-plots come by themselves.
struct AnalysisCommand {
  using Function = std::function<Analysis(const Arguments& arguments, const AnalysisWatch& watch)>;

  /// `decide` gets the operands, and the request that the options, or keywords, fill.
  template <typename Request>
  AnalysisCommand(CommandSyntax command, const char* to,
                  Analysis (*decide)(const std::vector<std::string>& operands,
                                     const Request& request, const AnalysisWatch& watch))
      : AnalysisCommand(std::move(command), to, Request{}.fields(),
                        [decide](const Arguments& arguments, const AnalysisWatch& watch) {
                          Request request;
                          read_request(arguments, request.fields());
                          return decide(arguments.operands(), request, watch);
                        }) {}

  CommandSyntax syntax;
  const char* folder;
  Function analyse;

 private:
  AnalysisCommand(CommandSyntax command, const char* to, const RequestFields& fields,
                  Function function);
};

/// The command of this name.
AnalysisCommand analysis_command(const std::string& name);

/// What a command finds. --out sets only Analysis::folder; --no-plots and --quiet have no meaning
/// here. Throws AnalysisStopped, UsageError, ConfigError, IoError.
Analysis analyse(const AnalysisCommand& command, const Arguments& arguments,
                 const AnalysisWatch& watch = {});

/// The command on the console: analyses, with progress on standard error unless --quiet is there,
/// prints, saves, and draws unless --no-plots is there. In an MPI job, which the program admits for
/// a command that shares its work, all processes analyse, and the first one shows, prints and
/// writes. Returns the exit code.
int run_analysis(const AnalysisCommand& command, const std::vector<std::string>& words);

/// Writes the files of an analysis into a folder, which is made if need be. All files are complete
/// under temporary names before the first gets its name. Throws IoError.
void write_analysis(const std::filesystem::path& folder, const std::vector<ResultFile>& files);

/// Writes the files of an analysis and draws its figures there when `plots` is true; prints where
/// they are. A failure of gnuplot is a warning. Throws IoError.
void save_analysis(const std::filesystem::path& folder, const std::vector<ResultFile>& files,
                   const std::vector<Figure>& figures, bool plots);

/// The store of the run of this name. Throws ConfigError for a configuration, which is to be run
/// first.
std::filesystem::path stored_run_file(const std::filesystem::path& run);
/// The stored run of this name.
RunStore open_stored_run(const std::filesystem::path& run);

/// --outcome: a word of an outcome; nothing when it is not there.
std::optional<Outcome> read_outcome(const Arguments& arguments);

/// A line that says that a run is not complete; empty when it is.
std::string missing_trials_note(const RunStore& store, std::size_t trials);
std::string missing_trials_note(const RunStore& store, const RunTotals& totals);

}  // namespace graspmap
