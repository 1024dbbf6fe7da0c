#include <fmt/format.h>

#include <filesystem>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/analysis_options.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/decide/difference/difference_figure.hpp"
#include "grasp/decide/difference/run_difference_report.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kRateOption = "false-discovery-rate";

CommandSyntax difference_syntax() {
  CommandSyntax syntax{
      "difference", "RUN_A RUN_B",
      "Compares two designs on the same grid of placements: another jaw force, jaw shape,\n"
      "speed, part or friction. Tells how much more often B succeeds than A on the whole map,\n"
      "on the plateaus, at the sweet spots and in each cell, and in which cells chance does\n"
      "not explain it.\n"
      "Runs of the same seed have the same random numbers in each trial. They are compared\n"
      "in pairs, which tells as much as many times the trials. Runs of different seeds are\n"
      "compared as independent samples. Writes difference.csv, difference.json and a\n"
      "figure into RUN_A/difference/NAME_OF_B.\n",
      "  graspmap run configs/lock_piece.toml --out outputs/strong \\\n"
      "      --set gripper.closing_force_n=20\n"
      "  graspmap difference outputs/lock_piece outputs/strong\n"};
  add_analysis_options(syntax.options, "difference/NAME_OF_B");
  syntax.options.add_options()(
      kRateOption, po::value<std::string>()->value_name("Q"),
      "the share of false findings allowed among the significant cells (default: 0.05)");
  return syntax;
}

double read_false_discovery_rate(const Arguments& arguments) {
  if (!arguments.has(kRateOption)) return 0.05;
  const std::optional<double> value = parse_number(arguments.text(kRateOption));
  if (!value || !(*value > 0) || *value > 0.5) {
    arguments.fail(fmt::format("--{}: '{}'; must be a number > 0, at most 0.5", kRateOption,
                               arguments.text(kRateOption)));
  }
  return *value;
}

/// What a run is called: its folder's name, or the file's when it has another name than in a run
/// folder.
std::string name_of(const fs::path& store) {
  const fs::path run = run_of(fs::absolute(store).lexically_normal());
  return run.stem().empty() ? "run" : run.filename().string();
}

Analysis analyse_difference(const Arguments& arguments, const AnalysisWatch& /*watch*/) {
  const DifferenceQuestion question{read_confidence(arguments),
                                    read_false_discovery_rate(arguments)};
  const fs::path file_a = store_file(arguments.operands()[0]);
  const fs::path file_b = store_file(arguments.operands()[1]);
  const RunStore a = RunStore::open(file_a, RunStore::Access::kRead);
  const RunStore b = RunStore::open(file_b, RunStore::Access::kRead);
  const RunDifference result = compare_runs(a, b, question);
  const std::string folder = "difference/" + name_of(file_b);
  return {
      difference_text(result),
      "",
      analysis_folder(arguments, file_a.parent_path(), folder.c_str()),
      {{"difference.csv", difference_csv(result)}, {"difference.json", difference_json(result)}},
      difference_figures(result)};
}

}  // namespace

AnalysisCommand difference_analysis() { return {difference_syntax(), analyse_difference}; }

}  // namespace graspmap
