// Work against precision: graspmap and the physics engines that one might take instead, on the same
// trials of a sweep. scripts/compare installs what is needed, builds this and runs it.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "bench/compare/comparison_report.hpp"
#include "bench/compare/contestants.hpp"
#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/app/program/program.hpp"
#include "grasp/base/process/stop.hpp"

namespace graspmap::bench {
namespace {
namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr double kReferenceStep_s = 5e-5;
constexpr int kDefaultTrials = 2000;
constexpr int kDefaultRepetitions = 5;

CommandSyntax syntax() {
  CommandSyntax syntax{
      "compare",
      "",
      "[CONFIG]",
      "Simulates the same trials of a sweep with graspmap and, built with "
      "-DGRASPMAP_BENCH_PEERS=ON,\n"
      "with Box2D and MuJoCo, each at several step sizes, and holds them against a converged\n"
      "reference: trials per second of one core, outcomes, final poses, overlaps. CONFIG is\n"
      "configs/lock_piece.toml by default.\n",
      "  scripts/compare                    # installs, builds and runs this; takes some minutes\n"
      "  scripts/compare --trials 400 --repetitions 3\n"
      "  scripts/compare configs/lock_piece.toml --set sweep.seed=2\n"
      "  scripts/compare --reference        # only trials.csv, for scripts/compare_npm\n"
      "  scripts/compare --update           # refreshes docs/explanation/performance.md\n",
      {},
      ""};
  auto add = syntax.options.add_options();
  add("trials", po::value<std::string>()->value_name("N"),
      "the first N trials of the sweep, which go round the cells of the map (default: 2000)");
  add("repetitions", po::value<std::string>()->value_name("N"),
      "how often the trials are timed; the median counts (default: 5)");
  add("threads", po::value<std::string>()->value_name("N"),
      "threads for the reference (default: all); everything timed is on one");
  add("reference", "only the reference: writes trials.csv, and times nothing");
  add("out", po::value<std::string>()->value_name("DIR"),
      "where the results go (default: outputs/compare)");
  add("no-plots", "draw no figure");
  add("quiet", "show no progress");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the configuration; may be repeated");
  return syntax;
}

SweepConfig read_config(const Arguments& arguments) {
  const std::string file = arguments.operands().empty() ? GRASPMAP_SOURCE_DIR
                               "/configs/lock_piece.toml"
                                                        : arguments.operand();
  return read_sweep_config(file, arguments.texts("set"));
}

std::vector<Contestant> read_contestants(const Arguments& arguments, const SweepConfig& config) {
  try {
    return make_contestants(config.scenario);
  } catch (const std::invalid_argument& error) {
    arguments.fail(fmt::format("{}: {}", config.name, error.what()));
  }
}

struct Request {
  SweepConfig config;
  int trials = 0;
  int repetitions = 0;
};

/// Nothing when it was stopped.
std::optional<Comparison> compare(const Request& request,
                                  const std::vector<Contestant>& contestants,
                                  const SweepControl& control) {
  auto reference = run_reference(request.config, request.trials, kReferenceStep_s, control);
  if (!reference) return std::nullopt;
  auto measurements =
      measure(contestants, request.config, request.trials, request.repetitions, control);
  if (!measurements) return std::nullopt;
  Comparison comparison{
      request.config.name, request.repetitions, kReferenceStep_s, std::move(*reference), {}};
  for (std::size_t k = 0; k < contestants.size(); ++k) {
    const Agreement found = agreement(comparison.reference, (*measurements)[k].ends);
    comparison.scores.push_back(
        {contestants[k].curve, contestants[k].setting, std::move((*measurements)[k]), found});
  }
  return comparison;
}

std::optional<Comparison> compare_with_progress(const Arguments& arguments, const Request& request,
                                                const std::vector<Contestant>& contestants,
                                                const std::atomic<int>& stop) {
  TrialCounters counters;
  const std::int64_t timed =
      static_cast<std::int64_t>(contestants.size()) * request.trials * request.repetitions;
  const ProgressReporter progress(counters, reference_runs(request.trials) + timed,
                                  progress_style(arguments.has("quiet")), std::cerr);
  return compare(request, contestants, {arguments.threads(), &stop, &counters});
}

int run(const std::vector<std::string>& args) {
  const Arguments arguments(syntax(), args);
  if (arguments.help_printed()) return 0;
  Request request{read_config(arguments), 0, 0};
  const auto most = static_cast<int>(std::min<std::int64_t>(request.config.trials(), 1'000'000));
  request.trials = arguments.count("trials", std::min(kDefaultTrials, most), 1, most);
  request.repetitions = arguments.count("repetitions", kDefaultRepetitions, 1, 1000);
  const bool reference_only = arguments.has("reference");
  const auto contestants =
      reference_only ? std::vector<Contestant>{} : read_contestants(arguments, request.config);
  const InterruptGuard interrupt;
  const auto comparison =
      compare_with_progress(arguments, request, contestants, interrupt.signal());
  if (!comparison) {
    std::cerr << "compare: interrupted; nothing was written.\n";
    return exit_code_of_signal(interrupt.signal());
  }
  const fs::path folder =
      arguments.has("out") ? fs::path(arguments.text("out")) : fs::path("outputs") / "compare";
  const ResultFile trials{"trials.csv", trials_csv(*comparison)};
  if (reference_only) {
    save_analysis(folder, {trials}, {}, false);
    return 0;
  }
  std::cout << comparison_text(*comparison);
  save_analysis(folder,
                {trials,
                 {"comparison.csv", comparison_csv(*comparison)},
                 {"comparison.json", comparison_json(*comparison)},
                 {"comparison.md", comparison_markdown(*comparison)},
                 {"wrong_trials.csv", wrong_trials_csv(*comparison)}},
                {work_precision_figure(*comparison)}, !arguments.has("no-plots"));
  return 0;
}

}  // namespace
}  // namespace graspmap::bench

int main(int argc, char** argv) {
  return graspmap::guarded_main({argv + 1, argv + argc}, graspmap::bench::run);
}
