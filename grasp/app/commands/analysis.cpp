#include "grasp/app/commands/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <iostream>
#include <stdexcept>

#include "grasp/app/commands/commands.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/pictures/draw_figures.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

void write_files(const fs::path& folder, const std::vector<AnalysisFile>& files) {
  std::vector<StagedFile> staged;
  staged.reserve(files.size());
  for (const AnalysisFile& file : files) staged.emplace_back(folder / file.name, file.text);
  for (StagedFile& file : staged) file.commit();
}

std::string names(const std::vector<AnalysisFile>& files) {
  std::vector<std::string> list;
  for (const AnalysisFile& file : files) list.push_back(file.name);
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string names(const std::vector<Figure>& figures) {
  std::vector<std::string> list;
  for (const Figure& figure : figures) list.push_back(figure.name + ".png");
  return fmt::format("{}", fmt::join(list, ", "));
}

/// A failure is a warning: the results are safe already.
void draw(const fs::path& folder, const std::vector<Figure>& figures) {
  std::cout.flush();
  try {
    draw_figures(folder, figures);
    std::cout << fmt::format("Figures: {}\n", names(figures));
  } catch (const IoError& error) {
    std::cerr << fmt::format(
        "graspmap: warning: no figures: {}. The results are complete; the same command draws "
        "them later.\n",
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
  if (quiet) return watch;
  watch.trials = show_on_stderr(progress_style(false));
  watch.share = share_on_terminal();
  watch.line = [](const std::string& line) { std::cerr << line; };
  return watch;
}

}  // namespace

Analysis analyse(const std::string& command, const std::vector<std::string>& words,
                 const AnalysisWatch& watch) {
  for (const AnalysisCommand& known : analysis_commands()) {
    if (known.syntax.name != command) continue;
    if (asks_for_help(words)) throw UsageError(command + ": --help is for the command line");
    const StopScope stops(watch.stop);
    check_stop();
    return known.analyse(Arguments(known.syntax, words), watch);
  }
  throw std::logic_error("no analysis " + command);
}

int run_analysis(const AnalysisCommand& command, const std::vector<std::string>& words) {
  const Arguments arguments(command.syntax, words);
  if (arguments.help_printed()) return 0;
  const Analysis found = command.analyse(arguments, console_watch(arguments.has("quiet")));
  std::cerr << found.notes;
  std::cout << found.text;
  save_analysis(found.folder, found.files, found.figures, !arguments.has("no-plots"));
  return 0;
}

void write_analysis(const fs::path& folder, const std::vector<AnalysisFile>& files) {
  const Unbroken moment;
  create_folder(folder);
  write_files(folder, files);
}

void save_analysis(const fs::path& folder, const std::vector<AnalysisFile>& files,
                   const std::vector<Figure>& figures, bool plots) {
  write_analysis(folder, files);
  std::cout << fmt::format("\nFiles in {}: {}\n", folder.string(), names(files));
  if (plots && !figures.empty()) draw(folder, figures);
}

}  // namespace graspmap
