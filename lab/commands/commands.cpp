#include "lab/commands/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "geometry/part.hpp"
#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/base/process/stop.hpp"
#include "lab/stepper_study/stepper_study_report.hpp"
#include "lab/validation/examples.hpp"

namespace graspmap {
namespace {

std::vector<const ValidationExample*> all_examples() {
  std::vector<const ValidationExample*> examples;
  for (const ValidationExample& example : kValidationExamples) examples.push_back(&example);
  examples.push_back(&kMeasuredPushes);
  examples.push_back(&kRepeatedPushes);
  return examples;
}

std::vector<std::string> validation_ids() {
  std::vector<std::string> ids;
  for (const ValidationExample* example : all_examples()) ids.emplace_back(example->id);
  return ids;
}

}  // namespace

std::vector<Command> lab_commands() {
  return {simulate_command(), validate_command(), certify_command(), study_steppers_command()};
}

namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr int kExitFallsShort = 3;

std::string example_list() {
  std::string text;
  for (const ValidationExample* example : all_examples()) {
    text += fmt::format("  {}  {}\n", example->id, example->title);
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
      "that should not be met is. Without IDs runs all, which takes about a minute. R1 and\n"
      "R2 need --data, and take two minutes more each. The examples:\n" +
      example_list();
  CommandSyntax syntax{.name = "validate",
                       .purpose = "run the papers' examples and compare them with what is known",
                       .operands = "[ID...]",
                       .summary = summary.c_str(),
                       .examples =
                           "  graspmap-lab validate\n"
                           "  graspmap-lab validate A1 C1\n"
                           "  graspmap-lab validate R1 --data FOLDER --predict ends.csv\n",
                       .program = "graspmap-lab "};
  auto add = syntax.options.add_options();
  add("scenes", po::value<std::string>()->value_name("DIR"),
      "the folder of the scene files (default: configs/scenes if it exists, else the examples' "
      "scenes)");
  add("lock-piece", po::value<std::string>()->value_name("CONFIG"),
      "the sweep configuration of example A4 (default: configs/lock_piece.toml, or the example)");
  add("data", po::value<std::string>()->value_name("DIR"),
      "the folder of the measured pushes: pushes.csv, pairs.csv and shapes.toml for R1, runs.csv, "
      "paths.csv and shapes.toml for R2");
  add("predict", po::value<std::string>()->value_name("FILE.csv"),
      "R1: where the simulated ends of the pushes without a measured one go");
  add("out", po::value<std::string>()->value_name("DIR"),
      "where tables and figures go (default: outputs/validation)");
  add("no-plots", "draw no figures");
  add("quiet", "do not say which example is being run");
  return syntax;
}

const ValidationExample* example_of(const Arguments& arguments, const std::string& id) {
  for (const ValidationExample* example : all_examples()) {
    if (id == example->id) return example;
  }
  arguments.fail(
      fmt::format("no example '{}'; must be one of {}", id, fmt::join(validation_ids(), ", ")));
}

/// Those that are named, or all: of the measured pushes only those that --data has.
std::vector<const ValidationExample*> chosen(const Arguments& arguments) {
  std::vector<const ValidationExample*> examples;
  for (const std::string& id : arguments.operands()) {
    examples.push_back(example_of(arguments, id));
  }
  if (examples.empty()) {
    const fs::path data = arguments.has("data") ? arguments.text("data") : "";
    examples = all_examples();
    for (const auto& [example, table] :
         {std::pair{&kMeasuredPushes, "pushes.csv"}, std::pair{&kRepeatedPushes, "runs.csv"}}) {
      if (data.empty() || !fs::exists(data / table)) std::erase(examples, example);
    }
  }
  const auto has = [&](const ValidationExample& example) {
    return std::count(examples.begin(), examples.end(), &example) > 0;
  };
  for (const ValidationExample* example : {&kMeasuredPushes, &kRepeatedPushes}) {
    if (!has(*example) || arguments.has("data")) continue;
    arguments.fail(
        fmt::format("{}: --data missing; must be the folder of the measured pushes, see "
                    "docs/lab/measured-pushes.md",
                    example->id));
  }
  if (arguments.has("data") && !has(kMeasuredPushes) && !has(kRepeatedPushes)) {
    arguments.fail(arguments.operands().empty()
                       ? "--data: has no pushes.csv and no runs.csv; must have one"
                       : "--data: only R1 and R2 need it; must be left out, or one of them given");
  }
  if (arguments.has("predict") && !has(kMeasuredPushes)) {
    arguments.fail("--predict: only R1 needs it; must be left out, or R1 given");
  }
  return examples;
}

/// The folder of the measured pushes, which must be there.
std::optional<fs::path> data_folder(const Arguments& arguments) {
  if (!arguments.has("data")) return std::nullopt;
  const fs::path folder = arguments.text("data");
  if (fs::is_directory(folder)) return folder;
  arguments.fail(
      fmt::format("--data: '{}' is no folder; must be that of the measured pushes, see "
                  "docs/lab/measured-pushes.md",
                  folder.string()));
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

int validate_examples(const Arguments& arguments) {
  const auto examples = chosen(arguments);
  ValidationContext context{example_path("scenes"), example_path("lock_piece.toml")};
  if (arguments.has("scenes")) context.scenes = arguments.text("scenes");
  if (arguments.has("lock-piece")) context.lock_piece = arguments.text("lock-piece");
  context.pushes = data_folder(arguments);
  if (!arguments.has("quiet")) {
    context.say = [](const std::string& line) { std::cerr << line + "\n"; };
  }
  std::vector<ExampleReport> reports;
  std::vector<Figure> figures;
  std::vector<ResultFile> files;
  for (const ValidationExample* example : examples) {
    reports.push_back(run_example(*example, context, arguments.has("quiet")));
    const ExampleReport& report = reports.back();
    figures.insert(figures.end(), report.figures.begin(), report.figures.end());
    for (const ResultTable& table : report.tables) files.push_back({table.file, table.table});
    if (report.predictions && arguments.has("predict")) {
      write_file_atomically(arguments.text("predict"), csv_text(*report.predictions));
    }
  }
  const VerdictCounts counts = count_verdicts(reports);
  std::cout << "\n" << verdict_line(counts) << "\n";
  const fs::path folder =
      arguments.has("out") ? fs::path(arguments.text("out")) : fs::path("outputs/validation");
  files.push_back({"validation.md", validation_markdown(reports)});
  files.push_back({"validation.json", validation_json(reports)});
  save_analysis(folder, files, figures, !arguments.has("no-plots"));
  return counts.failing == 0 ? 0 : kExitFallsShort;
}

}  // namespace

Command validate_command() {
  return {validate_syntax(), parsed(validate_examples), nullptr, validation_ids};
}

namespace {

constexpr int kDefaultTrials = 200;
constexpr int kMostStudyTrials = 1000000;
constexpr double kDefaultSteps_ms[] = {10.0, 5.0, 2.0, 1.0, 0.5};
constexpr int kDefaultVertices[] = {16, 64};

CommandSyntax study_steppers_syntax() {
  CommandSyntax syntax{
      .name = "study-steppers",
      .purpose = "compare the time-steppers on the trials of a sweep",
      .operands = "CONFIG",
      .summary =
          "Runs the same trials of a sweep under every time-stepper and step size, and with\n"
          "polygons in place of the pieces for the steppers of explicit geometry. Compares each\n"
          "with a converged reference (the implicit stepper with a small step): time per trial,\n"
          "outcomes, final poses, and where explicit geometry gives the wrong grasp. Steps are of\n"
          "first order, and all of one size.\n",
      .examples =
          "  graspmap-lab study-steppers configs/lock_piece.toml\n"
          "  graspmap-lab study-steppers configs/lock_piece.toml --trials 2000 \\\n"
          "      --steps-ms 5,2,1 --steppers implicit,stewart-trinkle \\\n"
          "      --polygon-vertices 16,64,256\n",
      .program = "graspmap-lab "};
  auto add = syntax.options.add_options();
  add("trials", po::value<std::string>()->value_name("N"),
      "trials under each setting, spread over the map (default: 200)");
  add("steppers", po::value<std::string>()->value_name("S,..."),
      "time-steppers (default: all of them)");
  add("steps-ms", po::value<std::string>()->value_name("H,..."),
      "time steps in ms (default: 10,5,2,1,0.5)");
  add("polygon-vertices", po::value<std::string>()->value_name("N,..."),
      "corners of the polygons in place of the pieces, for steppers of explicit geometry; 0: none "
      "(default: 0,16,64)");
  add("reference-step-ms", po::value<std::string>()->value_name("H"),
      "time step of the reference (default: 0.1)");
  add("threads", po::value<std::string>()->value_name("N"), "threads (default: all)");
  add("out", po::value<std::string>()->value_name("DIR"),
      "where the results go (default: outputs/NAME/steppers)");
  add("no-plots", "draw no figures");
  add("quiet", "show no progress");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the configuration, or take it away (KEY=); may be repeated");
  return syntax;
}

std::vector<StepperKind> read_steppers(const Arguments& arguments) {
  if (!arguments.has("steppers")) return {kStepperKinds.begin(), kStepperKinds.end()};
  std::vector<StepperKind> kinds;
  std::string words = arguments.text("steppers") + ",";
  for (std::size_t end = words.find(','); end != std::string::npos; end = words.find(',')) {
    const std::string word = words.substr(0, end);
    words.erase(0, end + 1);
    const auto kind = stepper_kind(word);
    if (!kind) {
      std::vector<std::string> allowed;
      for (const StepperKind known : kStepperKinds) allowed.emplace_back(name(known));
      arguments.fail(
          fmt::format("--steppers: '{}'; must be some of {}", word, fmt::join(allowed, ", ")));
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

std::vector<double> read_steps(const Arguments& arguments) {
  std::vector<double> steps_ms(std::begin(kDefaultSteps_ms), std::end(kDefaultSteps_ms));
  if (arguments.has("steps-ms")) steps_ms = arguments.numbers("steps-ms");
  std::vector<double> steps_s;
  for (const double step_ms : steps_ms) {
    if (!(step_ms >= 1e-3 && step_ms <= 1000.0)) {
      arguments.fail(fmt::format("--steps-ms: {}; must be from 0.001 to 1000", step_ms));
    }
    steps_s.push_back(step_ms / 1e3);
  }
  return steps_s;
}

std::vector<int> read_vertices(const Arguments& arguments) {
  std::vector<int> counts{0};
  if (!arguments.has("polygon-vertices")) {
    counts.insert(counts.end(), std::begin(kDefaultVertices), std::end(kDefaultVertices));
    return counts;
  }
  counts.clear();
  for (const double number : arguments.numbers("polygon-vertices")) {
    if (number != std::floor(number) || number < 0 || (number > 0 && number < 3) ||
        number > 100000) {
      arguments.fail(fmt::format(
          "--polygon-vertices: {}; must be 0 or a whole number from 3 to 100000", number));
    }
    counts.push_back(static_cast<int>(number));
  }
  return counts;
}

/// What --set says, after the one order of steps that all steppers have.
std::vector<std::string> with_fixed_steps(const Arguments& arguments) {
  std::vector<std::string> overrides = arguments.texts("set");
  overrides.insert(overrides.begin(), "simulation.order=1");
  return overrides;
}

StepperStudyRequest read_study(const Arguments& arguments) {
  StepperStudyRequest request;
  request.trials = arguments.count("trials", kDefaultTrials, 1, kMostStudyTrials);
  const auto kinds = read_steppers(arguments);
  const auto steps_s = read_steps(arguments);
  const auto vertices = read_vertices(arguments);
  if (arguments.has("reference-step-ms")) {
    const std::vector<double> step = arguments.numbers("reference-step-ms");
    if (step.size() != 1 || !(step[0] >= 1e-3 && step[0] <= 10.0)) {
      arguments.fail(fmt::format("--reference-step-ms: '{}'; must be from 0.001 to 10",
                                 arguments.text("reference-step-ms")));
    }
    request.reference_step_s = step[0] / 1e3;
  }
  request.config = read_sweep_config(arguments.operand(), with_fixed_steps(arguments));
  const SupportModel& support = request.config.scenario.support;
  if (!std::holds_alternative<EllipsoidSupport>(support)) {
    arguments.fail(fmt::format("{}: support.model is \"{}\"; must be \"ellipsoid\" for this study",
                               arguments.operand(), support_model_name(support)));
  }
  if (has_friction_factors(request.config.scenario.part)) {
    arguments.fail(arguments.operand() +
                   ": has friction_factor in [[part.piece]]; must be left out for this study");
  }
  for (const StepperKind kind : kinds) {
    for (const int count : vertices) {
      if (count > 0 && is_implicit(kind)) continue;
      for (const double step_s : steps_s) request.settings.push_back({kind, count, step_s});
    }
  }
  if (request.settings.empty()) {
    arguments.fail(
        "--polygon-vertices: implicit steppers take the pieces as they are; must have 0");
  }
  return request;
}

std::optional<StepperStudy> study_with_progress(const Arguments& arguments,
                                                const StepperStudyRequest& request,
                                                const std::atomic<int>& stop) {
  TrialCounters counters;
  const ProgressReporter progress(counters, trials_of(request),
                                  progress_style(arguments.has("quiet")), std::cerr);
  return study_steppers(request, {arguments.threads(), &stop, &counters});
}

int compare_steppers(const Arguments& arguments) {
  const StepperStudyRequest request = read_study(arguments);
  std::optional<InterruptGuard> interrupt(std::in_place);
  const auto study = study_with_progress(arguments, request, interrupt->signal());
  if (!study) {
    std::cerr << "graspmap: interrupted; nothing was written.\n";
    return exit_code_of_signal(interrupt->signal());
  }
  interrupt.reset();
  std::cout << stepper_study_text(*study);
  const fs::path folder = arguments.has("out")
                              ? fs::path(arguments.text("out"))
                              : fs::path("outputs") / request.config.name / "steppers";
  save_analysis(folder,
                {{"steppers.csv", stepper_study_csv(*study)},
                 {"wrong_grasps.csv", wrong_grasps_csv(*study)},
                 {"steppers.json", stepper_study_json(*study)}},
                stepper_study_figures(*study), !arguments.has("no-plots"));
  return 0;
}

}  // namespace

Command study_steppers_command() {
  return {study_steppers_syntax(), parsed(compare_steppers), keys_of_sweep};
}

}  // namespace graspmap
