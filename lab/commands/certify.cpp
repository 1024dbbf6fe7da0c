#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/process/environment.hpp"
#include "lab/certified/certified_problem.hpp"
#include "lab/commands/commands.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr int kExitTooFewDigits = 1;
constexpr std::array kOrders{2, 1};

CommandSyntax certify_syntax() {
  CommandSyntax syntax{
      .name = "certify",
      .purpose = "simulate problems whose ends are known, and count the digits",
      .operands = "[PATH...]",
      .summary =
          "Simulates problems of grasping whose ends are known otherwise: in closed form, by\n"
          "Newton's method, or by an ODE integrated to 13 digits. PATH is a problem's file, or a\n"
          "folder of them; without one, all of configs/certified. Prints how many digits steps\n"
          "of second order, with their default accuracy, and fixed steps of first order reach:\n"
          "-log10 of the relative error of the worst value that a problem certifies. A problem\n"
          "promises how many digits the second order has at least: the exit code is 1 when one\n"
          "has fewer. configs/certified/README.md has the format, for other simulators.\n",
      .examples =
          "  graspmap-lab certify\n"
          "  graspmap-lab certify configs/certified/disc_in_v.toml --csv ends.csv\n"
          "  graspmap-lab certify --order 1 --step-s 0.0005\n"
          "  graspmap-lab certify --order 2 --set simulation.tolerance_mm=1e-4\n",
      .program = "graspmap-lab "};
  auto add = syntax.options.add_options();
  add("order", po::value<std::string>()->value_name("N"), "1 or 2: only this one (default: both)");
  add("step-s", po::value<std::string>()->value_name("H"),
      "the step of --order 1, or the largest one of --order 2 (default: 0.002, 0.032)");
  add("csv", po::value<std::string>()->value_name("FILE"),
      "write every value: problem, order, certified and computed, digits");
  add("quiet", "do not say which problem is being simulated");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the problems, or take it away (KEY=); may be repeated");
  return syntax;
}

/// The files that are named, and those in the folders that are, in alphabetical order.
std::vector<fs::path> problem_files(const Arguments& arguments) {
  std::vector<std::string> paths = arguments.operands();
  if (paths.empty()) paths.push_back(example_path("certified").string());
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
    if (files.size() == before) {
      arguments.fail(fmt::format("'{}' has no problem; must have files *.toml", path));
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

std::vector<int> orders_of(const Arguments& arguments) {
  if (arguments.has("order")) return {arguments.count("order", 2, 1, 2)};
  if (arguments.has("step-s")) arguments.fail("--step-s: must go with --order");
  return {kOrders.begin(), kOrders.end()};
}

/// What one order makes of the problems.
struct OrderRun {
  int order = 0;
  std::vector<CertifiedProblem> problems;
  std::vector<CertifiedScore> scores;
};

OrderRun read_problems(const Arguments& arguments, const std::vector<fs::path>& files, int order) {
  OrderRun run{order, {}, {}};
  std::vector<std::string> overrides = arguments.texts("set");
  overrides.push_back(fmt::format("simulation.order={}", order));
  if (arguments.has("step-s")) {
    overrides.push_back("simulation.step_s=" + arguments.text("step-s"));
  }
  for (const fs::path& file : files) {
    run.problems.push_back(read_certified_problem(file, overrides));
  }
  return run;
}

void add_rows(const OrderRun& run, Table& table) {
  for (std::size_t i = 0; i < run.problems.size(); ++i) {
    const CertifiedProblem& problem = run.problems[i];
    const std::vector<double>& end = run.scores[i].end;
    for (std::size_t k = 0; k < problem.values.size(); ++k) {
      const CertifiedValue& certified = problem.values[k];
      const bool ended = !end.empty();
      table.add({{"problem", problem.name},
                 {"level", problem.level},
                 {"order", run.order},
                 {"quantity", certified.name},
                 {"certified", certified.value},
                 {"certified_digits", certified.digits},
                 {"computed", ended ? Value(end[k]) : Value()},
                 {"digits", ended ? digits_reached(certified, end[k]) : 0.0}});
    }
  }
}

/// A line of the table for each problem.
std::string score_text(const std::vector<OrderRun>& runs) {
  const auto& problems = runs.front().problems;
  std::size_t width = 7;
  for (const CertifiedProblem& problem : problems) width = std::max(width, problem.name.size());
  std::string text = fmt::format("{:{}}  level    certified", "problem", width);
  for (const OrderRun& run : runs) text += fmt::format("  order {}  worst     ", run.order);
  text += "\n";
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const CertifiedProblem& problem = problems[i];
    int certain = 15;
    for (const CertifiedValue& value : problem.values) certain = std::min(certain, value.digits);
    text += fmt::format("{:{}}  {:7}  {:9}", problem.name, width, problem.level, certain);
    for (const OrderRun& run : runs) {
      text += fmt::format("  {:7.1f}  {:10}", run.scores[i].digits, run.scores[i].worst);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string summary_text(const OrderRun& run) {
  std::vector<double> digits;
  for (const CertifiedScore& score : run.scores) digits.push_back(score.digits);
  std::sort(digits.begin(), digits.end());
  return fmt::format("order {}: {} problems, digits from {:.1f} to {:.1f}, median {:.1f}\n",
                     run.order, digits.size(), digits.front(), digits.back(),
                     0.5 * (digits[(digits.size() - 1) / 2] + digits[digits.size() / 2]));
}

/// A line for each problem that does not reach what its file promises.
std::string broken_promises(const OrderRun& run) {
  std::string text;
  for (std::size_t i = 0; i < run.problems.size(); ++i) {
    const CertifiedProblem& problem = run.problems[i];
    const CertifiedScore& score = run.scores[i];
    if (score.digits >= problem.least_digits) continue;
    text += fmt::format("graspmap: {}: certified.least_digits: is {}, and {} has {:.1f}\n",
                        problem.place.text(), problem.least_digits, score.worst, score.digits);
  }
  return text;
}

int certify_problems(const Arguments& arguments) {
  const std::vector<fs::path> files = problem_files(arguments);
  std::vector<OrderRun> runs;
  for (const int order : orders_of(arguments)) {
    runs.push_back(read_problems(arguments, files, order));
  }
  for (OrderRun& run : runs) {
    for (const CertifiedProblem& problem : run.problems) {
      if (!arguments.has("quiet")) {
        std::cerr << fmt::format("order {}: {}\n", run.order, problem.name);
      }
      run.scores.push_back(score(problem));
    }
  }
  std::cout << score_text(runs) << "\n";
  for (const OrderRun& run : runs) std::cout << summary_text(run);
  if (arguments.has("csv")) {
    Table table;
    for (const OrderRun& run : runs) add_rows(run, table);
    write_file_atomically(arguments.text("csv"), csv_text(table));
  }
  // The promise is one of the default accuracy.
  if (runs.front().order != 2 || arguments.has("step-s") || arguments.has("set")) return 0;
  const std::string broken = broken_promises(runs.front());
  std::cerr << broken;
  return broken.empty() ? 0 : kExitTooFewDigits;
}

}  // namespace

Command certify_command() { return {certify_syntax(), parsed(certify_problems)}; }

}  // namespace graspmap
