// What page/live.ts calls in WebAssembly: texts in, texts out. The functions' names are in
// CMakeLists.txt too.

#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/show/report/live/live_trial.hpp"

namespace graspmap {

// The page reads no files: the configuration of a run has its outlines written point by point.
Outline read_outline(const std::filesystem::path& file, const DrawingOptions& /*options*/) {
  throw ConfigError(file.string() + ": the page of a report reads no drawings");
}

std::string example_hint(const std::filesystem::path& /*path*/) { return ""; }

}  // namespace graspmap

namespace {

using graspmap::SweepConfig;

std::string toml_text;              // the configuration of the run
std::string changes_text;           // those of `config`
std::optional<SweepConfig> config;  // nothing before live_open and after a wrong change
std::string answer;                 // the last one: JavaScript reads it before the next call

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

const char* answered(std::string text) {
  answer = std::move(text);
  return answer.c_str();
}

void read(const std::string& changes) {
  config.reset();
  config = graspmap::parse_sweep_config(toml_text, "config.toml", lines_of(changes));
  changes_text = changes;
}

}  // namespace

extern "C" {

/// Reads a configuration, resolved as a run keeps it. Answers "", or what is wrong with it.
const char* live_open(const char* toml) {
  toml_text = toml;
  try {
    read("");
  } catch (const std::exception& error) {
    return answered(error.what());
  }
  return answered("");
}

/// Simulates a trial. `changes`: overrides of the configuration, "gripper.closing_force_n=20", one
/// a line. Answers the JSON of live_trial_json, or what is wrong with the changes: a text that does
/// not begin with a brace.
const char* live_simulate(double x_mm, double y_mm, double theta_rad, double mu_jaw,
                          double mu_support, const char* changes) {
  try {
    if (!config || changes_text != changes) read(changes);
    return answered(
        graspmap::live_trial_json(*config, {x_mm, y_mm, theta_rad, mu_jaw, mu_support}));
  } catch (const std::exception& error) {
    return answered(error.what());
  }
}
}
