#include "bench/cost_against_size.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/part_family.hpp"
#include "bench/timing.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap::bench {
namespace {

/// A point of a curve: a sweep, and what was measured of it.
struct Case {
  std::string series;
  std::string value;  ///< of what is varied
  SweepConfig config;

  std::vector<double> us_per_trial;  ///< of each turn
  std::vector<double> us_per_step;
  double steps_per_trial = 0.0;
  double near_pairs = 0.0;  ///< in a step, on average
  int failed = 0;
};

Case piece_case(PartFamily family, int pieces) {
  return {fmt::format("pieces {}", name(family)),
          fmt::format("{}", pieces),
          parse_sweep_config(family_config(family, pieces), "generated"),
          {},
          {}};
}

Case lock_piece_case(const std::string& series, double value,
                     const std::vector<std::string>& settings) {
  return {series,
          fmt::format("{}", value),
          read_sweep_config(GRASPMAP_SOURCE_DIR "/configs/lock_piece_quick.toml", settings),
          {},
          {}};
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const PartFamily family : {PartFamily::kInside, PartFamily::kRim}) {
    for (const int pieces : {7, 22, 70, 220, 700}) cases.push_back(piece_case(family, pieces));
  }
  for (const double step_ms : {10.0, 5.0, 2.0, 1.0, 0.5}) {
    cases.push_back(lock_piece_case(
        "step (ms)", step_ms,
        {"simulation.order=1", fmt::format("simulation.step_s={}", 1e-3 * step_ms)}));
  }
  for (const double tolerance_mm : {0.3, 0.1, 0.03, 0.01, 0.003}) {
    cases.push_back(lock_piece_case("tolerance (mm)", tolerance_mm,
                                    {fmt::format("simulation.tolerance_mm={}", tolerance_mm)}));
  }
  return cases;
}

/// The k-th of some trials all over the map.
std::int64_t index_of(const SweepConfig& config, int k) {
  constexpr std::int64_t kPrime = 7919;
  return kPrime * k % config.trials();
}

/// What does not depend on the clock.
void count(Case& c, int trials) {
  Workspace workspace;
  SimulationResult result;
  std::int64_t steps = 0;
  std::size_t pairs = 0;
  const StepObserver count_pairs = [&](const StepRecord& record) {
    if (record.step_s > 0.0) pairs += record.contacts->size();
  };
  for (int k = 0; k < trials; ++k) {
    const SampledTrial trial = sample_trial(c.config, index_of(c.config, k));
    simulate(c.config.scenario, trial.parameters, workspace, result, &count_pairs);
    steps += result.statistics.steps;
    if (result.end == EndReason::kFailed) ++c.failed;
  }
  c.steps_per_trial = static_cast<double>(steps) / trials;
  c.near_pairs = static_cast<double>(pairs) / static_cast<double>(steps);
}

void measure(Case& c, int trials) {
  Workspace workspace;
  SimulationResult result;
  run_trial(c.config, 0, workspace, result);  // warm
  const double start_s = thread_seconds();
  for (int k = 0; k < trials; ++k) {
    run_trial(c.config, index_of(c.config, k), workspace, result);
  }
  const double us_per_trial = 1e6 * (thread_seconds() - start_s) / trials;
  c.us_per_trial.push_back(us_per_trial);
  c.us_per_step.push_back(us_per_trial / c.steps_per_trial);
}

std::string table(const std::vector<Case>& cases) {
  TextTable text({"series", "value", "near pairs", "steps/trial", "us/trial", "us/step", "failed"});
  for (const Case& c : cases) {
    text.add({c.series, c.value, fmt::format("{:.1f}", c.near_pairs),
              fmt::format("{:.0f}", c.steps_per_trial),
              fmt::format("{:.0f}", median(c.us_per_trial)),
              fmt::format("{:.2f}", median(c.us_per_step)), fmt::format("{}", c.failed)});
  }
  return text.text();
}

std::string csv(const std::vector<Case>& cases) {
  std::string text = "series,value,near_pairs,steps_per_trial,us_per_trial,us_per_step\n";
  for (const Case& c : cases) {
    text += fmt::format("{},{},{},{},{},{}\n", c.series, c.value, c.near_pairs, c.steps_per_trial,
                        median(c.us_per_trial), median(c.us_per_step));
  }
  return text;
}

/// A curve of `column` over the value for the rows of one series.
std::string curve(const std::string& series, const char* column, const char* style,
                  const std::string& title) {
  return fmt::format(
      "data using (strcol('series') eq {0} ? column('value') : NaN):'{1}' with linespoints {2} "
      "title {3}",
      gnuplot_string(series), column, style, gnuplot_string(title));
}

Figure figure(const std::vector<Case>& cases, int trials) {
  constexpr const char* kTrial = "lc rgb '#0072b2' pt 7 ps 1.6 lw 2";
  constexpr const char* kStep = "lc rgb '#0072b2' pt 6 ps 1.6 lw 2 dt 2";
  constexpr const char* kRimTrial = "lc rgb '#d55e00' pt 5 ps 1.6 lw 2";
  constexpr const char* kRimStep = "lc rgb '#d55e00' pt 4 ps 1.6 lw 2 dt 2";
  std::string script =
      script_start("cost_against_size", "Processor time of a trial and of a step against size.",
                   gnuplot_string("Cost against size"),
                   gnuplot_string(fmt::format(
                       "{} trials at each point; full lines: a trial, broken: a step", trials)),
                   {2100, 800});
  script += kPictures;
  script += "\ndata = figure.'.csv'\nset datafile separator ','\nset datafile missing NaN\n";
  script += "set logscale xy\nset grid lc rgb '#d0d0d0' lt 1\nset format xy '%g'\n";
  script += "set ylabel 'processor time (microseconds)'\nset yrange [0.5:10000]\n";
  script += for_each_picture(
      fmt::format("  set multiplot layout 1,3 title name.\"\\n\".subtitle noenhanced margins "
                  "0.07,0.98,0.13,0.84 spacing 0.06\n"
                  "  set key top left\n  set xlabel 'pieces of the part'\n  set xrange [5:1000]\n"
                  "  set xtics (7, 22, 70, 220, 700)\n"
                  "  plot {}, \\\n       {}, \\\n       {}, \\\n       {}\n"
                  "  unset ylabel\n  set xlabel 'step (ms)'\n  set xtics (0.5, 1, 2, 5, 10)\n  set "
                  "xrange [0.4:12]\n  set key top right\n"
                  "  plot {}, \\\n       {}\n"
                  "  set xlabel 'tolerance (mm)'\n"
                  "  set xtics (0.003, 0.01, 0.03, 0.1, 0.3)\n  set xrange [0.002:0.5]\n  plot {}, "
                  "\\\n       {}\n"
                  "  unset multiplot\n",
                  curve("pieces rim", "us_per_trial", kRimTrial, "more at the rim"),
                  curve("pieces rim", "us_per_step", kRimStep, ""),
                  curve("pieces inside", "us_per_trial", kTrial, "more within, out of reach"),
                  curve("pieces inside", "us_per_step", kStep, ""),
                  curve("step (ms)", "us_per_trial", kTrial, "7 pieces"),
                  curve("step (ms)", "us_per_step", kStep, ""),
                  curve("tolerance (mm)", "us_per_trial", kTrial, "7 pieces"),
                  curve("tolerance (mm)", "us_per_step", kStep, "")));
  return {"cost_against_size", script, csv(cases)};
}

}  // namespace

void cost_against_size(int trials, int rounds, const std::filesystem::path& folder) {
  std::vector<Case> cases = all_cases();
  for (Case& c : cases) count(c, trials);
  for (int round = 0; round < rounds; ++round) {
    for (Case& c : cases) measure(c, trials);
  }
  fmt::print("{}", table(cases));
  if (!folder.empty()) draw_figures(folder, {figure(cases, trials)});
}

}  // namespace graspmap::bench
