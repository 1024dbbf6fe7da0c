#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenes/scene_run.hpp"

namespace graspmap {

/// Two bodies that overlap.
struct BodyOverlap {
  int body_a = 0;
  int body_b = 0;
  double depth_mm = 0.0;
};

/// The deepest overlap of all samples.
struct SampledOverlap {
  BodyOverlap overlap;
  double time_s = 0.0;
};

/// The deepest `overlap` of samples, of equally deep ones the first; `time_of(sample)` is when.
template <typename Samples, typename TimeOf>
std::optional<SampledOverlap> deepest_of(const Samples& samples, TimeOf time_of) {
  std::optional<SampledOverlap> deepest;
  for (const auto& sample : samples) {
    if (!sample.overlap) continue;
    if (deepest && sample.overlap->depth_mm <= deepest->overlap.depth_mm) continue;
    deepest = {*sample.overlap, time_of(sample)};
  }
  return deepest;
}

/// How a simulation ended.
enum class SceneEnd : std::uint8_t { kFinished, kFailed, kInterrupted };
const char* name(SceneEnd end);

/// What a simulation of a scene of any kind took.
struct SceneOutcome {
  SceneRun run;
  double wall_time_s = 0.0;
  bool interrupted = false;

  [[nodiscard]] SceneEnd end() const;
  [[nodiscard]] double steps_per_s() const;
};

/// Energies in J; elastic ones are of planar scenes only.
struct ReportedEnergy {
  double kinetic_j = 0.0;
  double potential_j = 0.0;
  std::optional<double> elastic_j;

  [[nodiscard]] double total_j() const { return kinetic_j + potential_j + elastic_j.value_or(0.0); }
};

/// What the summaries of scenes of all kinds say.
struct SceneReport {
  std::string name;
  std::string title;
  const char* solver_key = "stepper";  ///< what the solver is called in summary.json
  std::string solver;
  SceneRunSettings settings;
  double tolerance = 0.0;
  std::vector<std::string> bodies;  ///< names
  std::int64_t moving_bodies = 0;
  SceneOutcome outcome;
  double end_s = 0.0;
  ReportedEnergy start_energy;
  ReportedEnergy end_energy;
  std::optional<SampledOverlap> deepest;
  std::int64_t samples = 0;
  std::int64_t steps_per_sample = 1;
};

/// What is printed after a simulation.
std::string summary_text(const SceneReport& report);

/// summary.json.
std::string summary_json(const SceneReport& report);

/// "disc and floor", the bodies of a contact.
std::string bodies_text(const std::vector<std::string>& names, const std::array<int, 2>& bodies);

/// One line on the step that could not be solved: time, size, status, contact and residual.
std::string failure_text(const std::vector<std::string>& names, const SceneRunFailure& failure);

/// What to say when bodies are deeper in each other than a hundredth of `size_mm`, that of the
/// smaller one: contacts were missed, or the steps were too large for them. Nothing when all is
/// well. `advice` is what else than a smaller step may help.
std::optional<std::string> overlap_warning(const std::vector<std::string>& names,
                                           const SampledOverlap& deepest, double size_mm,
                                           const std::string& advice);

}  // namespace graspmap
