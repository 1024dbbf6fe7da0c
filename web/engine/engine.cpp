// What web/package/src/engine.ts calls in WebAssembly: texts and bytes in, texts and bytes out. The
// functions' names are in CMakeLists.txt too.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "web/engine/asked.hpp"
#include "web/engine/browser/files.hpp"
#include "web/engine/page_run.hpp"
#include "web/engine/trial_json.hpp"
#include "web/engine/what_if.hpp"

namespace {

using namespace graspmap;

constexpr const char* kConfigFile = "config.toml";

std::shared_ptr<PageRun> run;       // null before engine_open and after a wrong configuration
std::shared_ptr<PageRun> pinned;    // what runs are compared with, or null
std::string run_toml;               // the text that it was opened with
std::string run_changes;            // and its changes
std::string trial_changes;          // of single trials, besides those of the run
std::optional<SweepConfig> config;  // of single trials; nothing after a wrong change
std::string answer;                 // the last one: JavaScript reads it before the next call

/// A line of a search as it runs: JavaScript takes what is written to standard output.
void tell(const std::string& line) {
  std::fputs(line.c_str(), stdout);
  std::fflush(stdout);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The address of an answer; its length is at engine_answer_bytes.
const char* answered(std::string text) {
  answer = std::move(text);
  return answer.c_str();
}

/// What `ask` answers, or the error that it throws.
template <typename Ask>
const char* asked(const Ask& ask) {
  try {
    return answered(ask());
  } catch (const std::exception& error) {
    return answered(error_json(error));
  }
}

PageRun& opened() {
  if (!run) throw RequestError("no configuration is open");
  return *run;
}

}  // namespace

extern "C" {

std::uint32_t engine_answer_bytes() { return static_cast<std::uint32_t>(answer.size()); }

/// A file that configurations and options may name.
void engine_add_file(const char* name, const char* bytes, std::uint32_t size) {
  browser_files()[name] = std::string(bytes, size);
}

/// Reads a configuration with changes, "gripper.closing_force_n=20", one a line, and begins its
/// run. Answers config_json.
const char* engine_open(const char* toml, const char* changes) {
  const std::shared_ptr<PageRun> before = std::exchange(run, nullptr);
  config.reset();
  return asked([&] {
    run_toml = toml;
    run_changes = changes;
    browser_files()[kConfigFile] = run_toml;
    const SweepConfig read = parse_sweep_config(run_toml, kConfigFile, lines_of(run_changes));
    run = std::make_shared<PageRun>(read, "");
    if (before) run->keep(*before);
    trial_changes.clear();
    config = read;
    return config_json(read, kConfigFile);
  });
}

/// Answers the ranges of trials that are to be taken next: "0 100\n250 300\n".
const char* engine_missing() {
  return asked([] {
    std::string text;
    for (const TrialRange& range : opened().missing()) {
      text += std::to_string(range.first) + " " + std::to_string(range.end) + "\n";
    }
    return text;
  });
}

/// Answers the records of trials, or JSON.
const char* engine_simulate(double first, double end) {
  return asked([&] {
    return opened().simulate({static_cast<std::int64_t>(first), static_cast<std::int64_t>(end)});
  });
}

/// Takes records. Answers "".
const char* engine_take(const char* records, std::uint32_t size) {
  return asked([&] {
    opened().take({records, size});
    return std::string();
  });
}

/// Takes outcomes, a byte each, of the trials of ranges (lines, as engine_missing has them).
/// Answers "".
const char* engine_take_outcomes(const char* ranges, const char* outcomes, std::uint32_t size) {
  return asked([&] {
    TrialRanges trials;
    std::istringstream numbers(ranges);
    for (TrialRange range; numbers >> range.first >> range.end;) trials.push_back(range);
    opened().take_outcomes(trials, {outcomes, size});
    return std::string();
  });
}

/// Answers "".
const char* engine_extend(std::int32_t trials_per_cell) {
  return asked([&] {
    opened().extend(trials_per_cell);
    return std::string();
  });
}

/// Answers PageRun::part.
const char* engine_part(const char* name) {
  return asked([&] { return opened().part(name); });
}

/// Answers decision_json; options are lines.
const char* engine_decide(const char* command, const char* options) {
  return asked([&] {
    const std::string_view name = command;
    if (name == "pose" || name == "hold") opened().need_ends();
    browser_files()[kConfigFile] = opened().store().config_toml();
    return decision_json(command, opened().store(), kConfigFile, lines_of(options), tell);
  });
}

/// Simulates a trial of the configuration with changes besides those of the run. Answers
/// live_trial_json.
const char* engine_trial(double x_mm, double y_mm, double theta_rad, double mu_jaw,
                         double mu_support, const char* changes) {
  return asked([&] {
    opened();
    if (!config || trial_changes != changes) {
      config.reset();
      std::vector<std::string> all = lines_of(run_changes);
      for (std::string& change : lines_of(changes)) all.push_back(std::move(change));
      config = parse_sweep_config(run_toml, kConfigFile, all);
      trial_changes = changes;
    }
    return live_trial_json(*config, {x_mm, y_mm, theta_rad, mu_jaw, mu_support});
  });
}

/// Simulates a trial of the run, with what is drawn for it. Answers live_trial_json.
const char* engine_trial_of_run(double index) {
  return asked(
      [&] { return live_trial_json(opened().store().config(), static_cast<std::int64_t>(index)); });
}

/// Answers drawn_trial_json of a trial of the run.
const char* engine_drawn(double index) {
  return asked([&] {
    return drawn_trial_json(opened().store().config(), static_cast<std::int64_t>(index));
  });
}

/// Answers expected_at_centers: doubles.
const char* engine_expected(double sigma_x_mm, double sigma_y_mm, double sigma_theta_rad,
                            std::int32_t cell_theta) {
  return asked([&] {
    const std::vector<double> probabilities = expected_at_centers(
        opened().field(), {sigma_x_mm, sigma_y_mm, sigma_theta_rad}, cell_theta);
    return std::string(reinterpret_cast<const char*>(probabilities.data()),
                       probabilities.size() * sizeof(double));
  });
}

/// Answers expected_json.
const char* engine_expected_at(double sigma_x_mm, double sigma_y_mm, double sigma_theta_rad,
                               double x_mm, double y_mm, double theta_rad) {
  return asked([&] {
    return expected_json(opened().field(), {sigma_x_mm, sigma_y_mm, sigma_theta_rad},
                         {x_mm, y_mm, theta_rad});
  });
}

/// Answers best_placement_json.
const char* engine_best_placement(double sigma_x_mm, double sigma_y_mm, double sigma_theta_rad) {
  return asked([&] {
    return best_placement_json(opened().store().config(), opened().field(),
                               {sigma_x_mm, sigma_y_mm, sigma_theta_rad});
  });
}

/// The run by now is what others are compared with, from now on; false: none is. Answers "".
const char* engine_pin(bool is_pinned) {
  return asked([&] {
    if (is_pinned) opened();  // throws without a run
    pinned = is_pinned ? run : nullptr;
    return std::string();
  });
}

/// Answers difference_json.
const char* engine_difference() {
  return asked([] {
    if (!pinned) throw RequestError("no run is pinned");
    return difference_json(pinned->store(), opened().store());
  });
}

/// Answers reweighted_json; distributions are lines.
const char* engine_reweight(const char* distributions) {
  return asked([&] { return reweighted_json(opened().store(), lines_of(distributions)); });
}

/// Answers first_config_json; options are lines.
const char* engine_first_config(const char* drawing, const char* options) {
  return asked([&] { return first_config_json(drawing, lines_of(options)); });
}

/// Answers the JSON schema of configurations.
const char* engine_schema() { return asked(config_schema); }

/// Answers the grippers that a configuration may name.
const char* engine_grippers() { return asked(gripper_list_json); }
}
