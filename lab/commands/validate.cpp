#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/process/examples.hpp"
#include "lab/commands/commands.hpp"
#include "lab/validation/examples.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr int kExitFallsShort = 3;

std::string example_list() {
  std::string text;
  for (const ValidationExample& example : kValidationExamples) {
    text += fmt::format("  {}  {}\n", example.id, example.title);
  }
  return text;
}

CommandSyntax validate_syntax() {
  static const std::string summary =
      "Runs the numerical examples of the papers that graspmap stands on, and compares the\n"
      "results with what the papers print, or with closed forms. Writes a table of every\n"
      "quantity with its source, and the papers' figures. Each row is held, shown (nothing is\n"
      "compared: it cannot fail) or not met (a claim of a paper that graspmap contradicts, with\n"
      "the reason). The exit code is 3 when a row fails: what should hold does not, or a claim\n"
      "that should not be met is. Without IDs runs all, which takes about a minute. The "
      "examples:\n" +
      example_list();
  CommandSyntax syntax{.name = "validate",
                       .operands = "[ID...]",
                       .summary = summary.c_str(),
                       .examples =
                           "  graspmap-lab validate\n"
                           "  graspmap-lab validate A1 C1\n",
                       .program = "graspmap-lab "};
  auto add = syntax.options.add_options();
  add("scenes", po::value<std::string>()->value_name("DIR"),
      "the folder of the scene files (default: configs/scenes, or where there is none, the "
      "examples' "
      "scenes)");
  add("lock-piece", po::value<std::string>()->value_name("CONFIG"),
      "the sweep configuration of example A4 (default: configs/lock_piece.toml, or the example)");
  add("out", po::value<std::string>()->value_name("DIR"),
      "where tables and figures go (default: outputs/validation)");
  add("no-plots", "draw no figures");
  add("quiet", "do not say which example is being run");
  return syntax;
}

const ValidationExample& example_of(const Arguments& arguments, const std::string& id) {
  const auto found =
      std::find_if(kValidationExamples.begin(), kValidationExamples.end(),
                   [&](const ValidationExample& example) { return id == example.id; });
  if (found != kValidationExamples.end()) return *found;
  std::vector<const char*> ids;
  for (const ValidationExample& example : kValidationExamples) ids.push_back(example.id);
  arguments.fail(fmt::format("no example '{}'; must be one of {}", id, fmt::join(ids, ", ")));
}

std::vector<const ValidationExample*> chosen(const Arguments& arguments) {
  std::vector<const ValidationExample*> examples;
  for (const std::string& id : arguments.operands()) {
    examples.push_back(&example_of(arguments, id));
  }
  if (!examples.empty()) return examples;
  for (const ValidationExample& example : kValidationExamples) examples.push_back(&example);
  return examples;
}

ExampleReport run_example(const ValidationExample& example, const ValidationContext& context,
                          bool quiet) {
  if (!quiet) std::cerr << fmt::format("{}: {} ...\n", example.id, example.title);
  const auto begin = std::chrono::steady_clock::now();
  ExampleReport report = example.run(context);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!quiet) std::cerr << fmt::format("{}: {:.1f} s\n", example.id, seconds.count());
  std::cout << validation_text({report}) << std::flush;
  return report;
}

}  // namespace

int validate_command(const std::vector<std::string>& args) {
  const Arguments arguments(validate_syntax(), args);
  if (arguments.help_printed()) return 0;
  const auto examples = chosen(arguments);
  ValidationContext context{example_path("scenes"), example_path("lock_piece.toml")};
  if (arguments.has("scenes")) context.scenes = arguments.text("scenes");
  if (arguments.has("lock-piece")) context.lock_piece = arguments.text("lock-piece");
  std::vector<ExampleReport> reports;
  std::vector<Figure> figures;
  for (const ValidationExample* example : examples) {
    reports.push_back(run_example(*example, context, arguments.has("quiet")));
    figures.insert(figures.end(), reports.back().figures.begin(), reports.back().figures.end());
  }
  const VerdictCounts counts = count_verdicts(reports);
  std::cout << "\n" << verdict_line(counts) << "\n";
  const fs::path folder =
      arguments.has("out") ? fs::path(arguments.text("out")) : fs::path("outputs/validation");
  save_analysis(folder,
                {{"validation.md", validation_markdown(reports)},
                 {"validation.json", validation_json(reports)}},
                figures, !arguments.has("no-plots"));
  return counts.failing == 0 ? 0 : kExitFallsShort;
}

}  // namespace graspmap
