#include "grasp/app/commands/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <iostream>
#include <stdexcept>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/mpi/ranks.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

template <typename Named>
std::string names(const std::vector<Named>& all, const char* ending = "") {
  std::vector<std::string> list;
  for (const Named& one : all) list.push_back(one.name + ending);
  return fmt::format("{}", fmt::join(list, ", "));
}

/// A failure is a warning: the results are safe already.
void draw(const fs::path& folder, const std::vector<Figure>& figures) {
  std::cout.flush();
  try {
    draw_figures(folder, figures);
    std::cout << fmt::format("Figures: {}\n", names(figures, ".png"));
  } catch (const IoError& error) {
    std::cerr << fmt::format(
        "graspmap: warning: no figures: {}. The results are complete; the same command draws them "
        "later.\n",
        error.what());
  }
}

/// Shows the share of the work that is done, on a terminal.
std::function<void(double)> share_on_terminal() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [last = -1](double share) mutable {
    const int percent = static_cast<int>(100.0 * share);
    if (percent == last) return;
    last = percent;
    std::cerr << fmt::format("\rworking: {:3} %", percent)
              << (percent == 100 ? "\r              \r" : "") << std::flush;
  };
}

AnalysisWatch console_watch(bool quiet) {
  AnalysisWatch watch;
  watch.keeps = true;
  watch.notice = [](const std::string& line) { std::cerr << line; };
  if (quiet) return watch;
  watch.trials = show_on_stderr(progress_style(false));
  watch.share = share_on_terminal();
  watch.line = [](const std::string& line) { std::cerr << line; };
  return watch;
}

}  // namespace

AnalysisCommand::AnalysisCommand(CommandSyntax command, const char* to, const RequestFields& fields,
                                 Function function)
    : syntax(std::move(command)), folder(to), analyse(std::move(function)) {
  syntax.options.add_fields(fields);
  syntax.options.add_option("quiet", "show no progress");
  syntax.options.add_option("out DIR", fmt::format("write into DIR, not {}", folder));
  syntax.options.add_option("no-plots", "draw no figures");
}

void TimeLeft::tell(double left) {
  constexpr double kLong_s = 20;
  const auto now = std::chrono::steady_clock::now();
  if (!(first_ > 0)) {
    start_ = now;
    first_ = left;
    return;
  }
  if (told_ || !watch_.notice || !(left > 0) || !(left < first_)) return;
  const double elapsed_s = std::chrono::duration<double>(now - start_).count();
  const double left_s = elapsed_s * left / (first_ - left);
  told_ = true;
  if (left_s > kLong_s) watch_.notice(fmt::format("about {:.0f} s to go\n", left_s));
}

AnalysisCommand analysis_command(const std::string& name) {
  for (const AnalysisCommand& known : analysis_commands()) {
    if (known.syntax.name == name) return known;
  }
  throw std::logic_error("no analysis " + name);
}

Analysis analyse(const AnalysisCommand& command, const Arguments& arguments,
                 const AnalysisWatch& watch) {
  const StopScope stops(watch.stop);
  check_stop();
  const fs::path out = arguments.has("out") ? arguments.text("out") : "";
  AnalysisWatch with_folder = watch;
  with_folder.out = out;
  Analysis found = arguments.answered([&] { return command.analyse(arguments, with_folder); });
  if (!out.empty()) {
    found.folder = out;
  } else if (found.folder.empty()) {
    found.folder =
        store_file(arguments.operand()).parent_path() / fs::path(command.folder).filename();
  }
  return found;
}

namespace {

int run_on_console(const AnalysisCommand& command, const std::vector<std::string>& words,
                   MpiCommunicator* communicator) {
  const Arguments arguments(command.syntax, words);
  if (arguments.help_printed()) return 0;
  AnalysisWatch watch = console_watch(arguments.has("quiet"));
  watch.communicator = communicator;
  const Analysis found = analyse(command, arguments, watch);
  for (const ResultFile& file : found.files) arguments.check_not_needed(found.folder / file.name);
  std::cerr << found.notes;
  std::cout << found.text;
  save_analysis(found.folder, found.files, found.figures, !arguments.has("no-plots"));
  if (found.when_written) found.when_written();
  return 0;
}

/// Other ranks are silent; rank 0 reports errors.
void analyse_silently(const AnalysisCommand& command, const std::vector<std::string>& words,
                      MpiCommunicator& communicator) {
  const Arguments arguments(command.syntax, words);
  AnalysisWatch watch;
  watch.communicator = &communicator;
  try {
    analyse(command, arguments, watch);
  } catch (const ConfigError&) {
  } catch (const UsageError&) {
  }
}

}  // namespace

int run_analysis(const AnalysisCommand& command, const std::vector<std::string>& words) {
  if (!mpi_launch()) return run_on_console(command, words, nullptr);
  MpiCommunicator communicator;
  try {
    if (communicator.rank() == 0) {
      run_on_console(command, words, &communicator);
    } else {
      analyse_silently(command, words, communicator);
    }
  } catch (...) {
    communicator.abandon();  // the launcher ends the others
    throw;
  }
  communicator.leave();
  return 0;
}

void write_analysis(const fs::path& folder, const std::vector<ResultFile>& files) {
  const Unbroken moment;
  create_folder(folder);
  std::vector<StagedFile> staged;
  staged.reserve(files.size());
  for (const ResultFile& file : files) staged.emplace_back(folder / file.name, file.text());
  for (StagedFile& file : staged) file.commit();
}

void save_analysis(const fs::path& folder, const std::vector<ResultFile>& files,
                   const std::vector<Figure>& figures, bool plots) {
  write_analysis(folder, files);
  std::cout << fmt::format("\nFiles in {}: {}\n", folder.string(), names(files));
  if (plots && !figures.empty()) draw(folder, figures);
}

fs::path stored_run_file(const fs::path& run) {
  if (run.extension() == ".toml") {
    const std::string config = shell_word(run.string());
    throw config_error(
        {run.string()}, "",
        fmt::format(
            "is a configuration; run it first, and give the folder that it writes: graspmap run {}",
            config));
  }
  return store_file(run);
}

RunStore open_stored_run(const fs::path& run) {
  return RunStore::open(stored_run_file(run), RunStore::Access::kRead);
}

std::optional<Outcome> read_outcome(const Arguments& arguments) {
  if (!arguments.has("outcome")) return std::nullopt;
  std::vector<std::string> words;
  for (const Outcome outcome : kOutcomes) words.emplace_back(name(outcome));
  return kOutcomes[arguments.word("outcome", words)];
}

std::string missing_trials_note(const RunStore& store, std::size_t trials) {
  if (store.config().adaptive) return missing_trials_note(store, read_totals(store));
  if (static_cast<std::int64_t>(trials) == store.trials_asked()) return {};
  return fmt::format("graspmap: note: the run is not complete: these are {} of {} trials.\n",
                     trials, store.trials_asked());
}

std::string missing_trials_note(const RunStore& store, const RunTotals& totals) {
  if (totals.is_complete(store.trials_asked())) return {};
  return fmt::format("graspmap: note: the run is not complete: these are {} of {} trials.\n",
                     totals.map().total().trials(), store.trials_asked());
}

}  // namespace graspmap
