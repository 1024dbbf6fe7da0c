#include "grasp/app/commands/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <iostream>
#include <stdexcept>

#include "grasp/app/commands/commands.hpp"
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

namespace po = boost::program_options;
namespace {

constexpr double kDefaultConfidence = 0.95;
constexpr double kLeastConfidence = 0.5;
constexpr double kMostConfidence = 0.9999;

/// A coordinate of a placement, inside of the map.
double inside(const Arguments& arguments, const char* option, const Axis& axis, const char* name,
              double value) {
  if (axis.contains(value)) return value;
  arguments.fail(fmt::format("--{}: {} = {:.6g} is outside of the map, {:.6g} to {:.6g}", option,
                             name, value, axis.min, axis.max));
}

}  // namespace

void add_analysis_options(po::options_description& options, const char* folder) {
  auto add = options.add_options();
  add("confidence", po::value<std::string>()->value_name("C"),
      "confidence of the intervals (default: 0.95)");
  add("out", po::value<std::string>()->value_name("DIR"),
      fmt::format("write into DIR, not RUNDIR/{}", folder).c_str());
  add("no-plots", "draw no figures");
}

double read_confidence(const Arguments& arguments) {
  if (!arguments.has("confidence")) return kDefaultConfidence;
  const std::optional<double> value = parse_number(arguments.text("confidence"));
  if (!value || *value < kLeastConfidence || *value > kMostConfidence) {
    arguments.fail(fmt::format("--confidence: '{}'; must be a number from {} to {}",
                               arguments.text("confidence"), kLeastConfidence, kMostConfidence));
  }
  return *value;
}

std::filesystem::path analysis_folder(const Arguments& arguments,
                                      const std::filesystem::path& run_folder, const char* folder) {
  return arguments.has("out") ? std::filesystem::path(arguments.text("out")) : run_folder / folder;
}

std::array<double, 2> read_position_sigma(const Arguments& arguments) {
  const std::vector<double> numbers = arguments.numbers("position-sigma-mm");
  const bool good =
      (numbers.size() == 1 || numbers.size() == 2) && numbers.front() >= 0 && numbers.back() >= 0;
  if (!good) {
    arguments.fail(
        fmt::format("--position-sigma-mm: '{}'; must be one or two numbers >= 0: SX,SY (mm)",
                    arguments.text("position-sigma-mm")));
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
    arguments.fail(fmt::format("--{}: '{}'; must be {}", option, arguments.text(option),
                               has_angle ? "X,Y,THETA (mm, mm, rad): the sweep is over angles too"
                                         : "X,Y (mm): the sweep has one angle only"));
  }
  return {inside(arguments, option, axes[0], "x", numbers[0]),
          inside(arguments, option, axes[1], "y", numbers[1]),
          has_angle ? inside(arguments, option, axes[2], "theta", numbers[2]) : axes[2].min};
}

double read_required_probability(const Arguments& arguments) {
  const std::optional<double> value = parse_number(arguments.text("required-probability"));
  if (!value || !(*value > 0 && *value < 1)) {
    arguments.fail(fmt::format("--required-probability: '{}'; must be a number above 0 and below 1",
                               arguments.text("required-probability")));
  }
  return *value;
}

std::optional<Outcome> read_outcome(const Arguments& arguments) {
  if (!arguments.has("outcome")) return std::nullopt;
  std::vector<std::string> words;
  for (const Outcome outcome : kOutcomes) {
    if (arguments.text("outcome") == name(outcome)) return outcome;
    words.emplace_back(name(outcome));
  }
  arguments.fail(fmt::format("--outcome: '{}'; must be one of {}", arguments.text("outcome"),
                             fmt::join(words, ", ")));
}

std::string missing_trials_note(const RunStore& store, std::size_t trials) {
  const std::int64_t asked = store.trials_asked();
  const bool complete = store.config().adaptive ? read_totals(store).is_complete(asked)
                                                : static_cast<std::int64_t>(trials) == asked;
  if (complete) return {};
  return fmt::format("graspmap: note: the run is not complete: these are {} of {} trials.\n",
                     trials, asked);
}

}  // namespace graspmap
