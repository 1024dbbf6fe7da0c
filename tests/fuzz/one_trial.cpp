#include "tests/fuzz/one_trial.hpp"

#include <algorithm>

#include "tests/fuzz/readers.hpp"

namespace graspmap::fuzz {
namespace {

constexpr double kSteps = 20;
constexpr std::size_t kMostPieces = 8;
constexpr std::size_t kMostElements = 60;
constexpr std::size_t kMostPhases = 4;

/// Under the sanitizers a step of a part of many pieces takes long.
bool is_small(const SweepConfig& config) {
  const Part& part = config.scenario.part;
  std::size_t elements = 0;
  for (const auto& piece : part.outlines) elements += piece.outline.outer.size();
  for (const Obstacle& obstacle : config.scenario.obstacles) {
    elements += obstacle.outline.outer.size();
  }
  return part.pieces.size() + part.outlines.size() <= kMostPieces && elements <= kMostElements;
}

/// Phases that wait for their duration are cut; where the others are, the trial ends.
void shorten(double most_s, GripperProgram& program) {
  for (Phase& phase : program) phase.duration_s = std::min(phase.duration_s, most_s);
  if (program.size() > kMostPhases) program.resize(kMostPhases);
}

}  // namespace

void try_one_trial(const SweepConfig& config) {
  try_one_trial(config, sample_trial(config, 0).parameters);
}

void try_one_trial(SweepConfig config, const TrialParameters& parameters) {
  if (!is_small(config)) return;
  Scenario& scenario = config.scenario;
  const double most_s = kSteps * scenario.step_s;
  scenario.stop.timeout_s = std::min(scenario.stop.timeout_s, most_s);
  shorten(most_s, scenario.program);
  Workspace workspace;
  SimulationResult result;
  must_accept([&] { static_cast<void>(run_trial(config, parameters, workspace, result)); });
}

}  // namespace graspmap::fuzz
