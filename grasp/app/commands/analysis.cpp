#include "grasp/app/commands/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <iostream>
#include <stdexcept>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

void write_files(const fs::path& folder, const std::vector<AnalysisFile>& files) {
  std::vector<StagedFile> staged;
  staged.reserve(files.size());
  for (const AnalysisFile& file : files) staged.emplace_back(folder / file.name, file.text());
  for (StagedFile& file : staged) file.commit();
}

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

std::string AnalysisFile::text() const {
  if (const auto* object = std::get_if<Object>(&content)) return json_document(*object);
  if (const auto* table = std::get_if<Table>(&content)) return csv_text(*table);
  return std::get<std::string>(content);
}

AnalysisCommand::AnalysisCommand(CommandSyntax command, const char* to, Function function)
    : syntax(std::move(command)), folder(to), analyse(function) {
  syntax.options.add_option("confidence C", "confidence of the intervals (default: 0.95)");
  syntax.options.add_option("out DIR", fmt::format("write into DIR, not {}", folder));
  syntax.options.add_option("no-plots", "draw no figures");
}

AnalysisCommand analysis_command(const std::string& name) {
  for (const AnalysisCommand& known : analysis_commands()) {
    if (known.syntax.name == name) return known;
  }
  throw std::logic_error("no analysis " + name);
}

Analysis analyse(const AnalysisCommand& command, const Arguments& arguments,
                 const AnalysisWatch& watch) {
  std::optional<StopScope> stops;
  if (watch.stop != nullptr) stops.emplace(watch.stop);
  check_stop();
  const fs::path out = arguments.has("out") ? arguments.text("out") : "";
  Analysis found = command.analyse(arguments, watch);
  if (!out.empty()) {
    found.folder = out;
  } else if (found.folder.empty()) {
    found.folder =
        store_file(arguments.operand()).parent_path() / fs::path(command.folder).filename();
  }
  return found;
}

int run_analysis(const AnalysisCommand& command, const std::vector<std::string>& words) {
  const Arguments arguments(command.syntax, words);
  if (arguments.help_printed()) return 0;
  const Analysis found = analyse(command, arguments, console_watch(arguments.has("quiet")));
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

namespace {

/// A coordinate of a placement, inside of the map.
double inside(const Arguments& arguments, const char* option, const Axis& axis, const char* name,
              double value) {
  if (axis.contains(value)) return value;
  arguments.fail(fmt::format("--{}: {} = {:.6g} is outside of the map, {:.6g} to {:.6g}", option,
                             name, value, axis.min, axis.max));
}

}  // namespace

double read_confidence(const Arguments& arguments) {
  if (!arguments.has("confidence")) return 0.95;
  return arguments.number("confidence", "a number from 0.5 to 0.9999",
                          [](double value) { return value >= 0.5 && value <= 0.9999; });
}

RunStore open_stored_run(const Arguments& arguments) {
  return RunStore::open(store_file(arguments.operand()), RunStore::Access::kRead);
}

std::array<double, 2> read_position_sigma(const Arguments& arguments, const char* option) {
  const std::vector<double> numbers = arguments.numbers(option);
  if (numbers.size() > 2 || numbers.front() < 0 || numbers.back() < 0) {
    arguments.refuse(option, "one or two numbers >= 0: SX,SY (mm)");
  }
  return {numbers.front(), numbers.back()};
}

double read_angle_sigma(const Arguments& arguments, bool sweep_has_angles) {
  if (!arguments.has("angle-sigma-rad")) return 0.0;
  if (!sweep_has_angles) {
    arguments.fail(
        "--angle-sigma-rad: the sweep has one angle only; a sweep over angles has "
        "placement.theta_min_rad, theta_max_rad and theta_cells in its configuration");
  }
  return arguments.number_at_least("angle-sigma-rad", 0);
}

std::array<double, 3> read_placement(const Arguments& arguments, const char* option,
                                     const std::array<Axis, 3>& axes) {
  const std::vector<double> numbers = arguments.numbers(option);
  const bool has_angle = !axes[2].is_fixed();
  if (numbers.size() != (has_angle ? 3U : 2U)) {
    arguments.refuse(option, has_angle ? "X,Y,THETA (mm, mm, rad): the sweep is over angles too"
                                       : "X,Y (mm): the sweep has one angle only");
  }
  return {inside(arguments, option, axes[0], "x", numbers[0]),
          inside(arguments, option, axes[1], "y", numbers[1]),
          has_angle ? inside(arguments, option, axes[2], "theta", numbers[2]) : axes[2].min};
}

double read_required_probability(const Arguments& arguments) {
  return arguments.number("required-probability", "a number above 0 and below 1",
                          [](double value) { return value > 0 && value < 1; });
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
                     totals.map.total().trials(), store.trials_asked());
}

}  // namespace graspmap
