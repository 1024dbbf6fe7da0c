#pragma once

#include <array>
#include <optional>
#include <vector>

#include "bench/compare/trial_end.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap::bench {

/// A small change of a trial, and of the reference's step.
struct Disturbance {
  const char* name;
  double x_mm = 0.0;
  double y_mm = 0.0;
  double mu_jaw = 0.0;
  double mu_support = 0.0;
  double step_factor = 1.0;
};

/// The changes that leave the outcome of a robust trial as it is. Friction: which of several
/// simultaneous impacts comes first is not determined by a rigid model, and moves the threshold of
/// friction between sliding and wedging by up to 0.005. Placement: a model made of other shapes, or
/// with soft contacts, is off by about 0.02 mm.
inline constexpr std::array kDisturbances = {
    Disturbance{"half the step", 0, 0, 0, 0, 0.5},
    Disturbance{"x + 0.02 mm", 0.02, 0, 0, 0},
    Disturbance{"x - 0.02 mm", -0.02, 0, 0, 0},
    Disturbance{"y + 0.02 mm", 0, 0.02, 0, 0},
    Disturbance{"y - 0.02 mm", 0, -0.02, 0, 0},
    Disturbance{"friction of the jaws + 0.005", 0, 0, 0.005, 0},
    Disturbance{"friction of the jaws - 0.005", 0, 0, -0.005, 0},
    Disturbance{"friction of the table + 0.005", 0, 0, 0, 0.005},
    Disturbance{"friction of the table - 0.005", 0, 0, 0, -0.005}};
inline constexpr std::size_t kHalfStep = 0;  ///< in kDisturbances

/// The trial with the change; friction stays >= 0.
TrialParameters disturbed(TrialParameters trial, const Disturbance& disturbance);

/// A trial as the converged reference has it, and what small changes make of it.
struct ReferenceTrial {
  TrialParameters parameters;
  TrialEnd end;
  std::array<TrialEnd, kDisturbances.size()> disturbed;  ///< as kDisturbances

  /// Whether it has an outcome, and no disturbance changes it.
  [[nodiscard]] bool robust() const;
};

/// How many trials a disturbance gives another outcome.
int changed_outcomes(const std::vector<ReferenceTrial>& reference, std::size_t disturbance);

/// How many trials are simulated for a reference of `trials` trials.
std::int64_t reference_runs(int trials);

/// Trials 0, ..., trials - 1 of a sweep with the implicit stepper at a constant step of `step_s`.
/// Nothing when it was stopped. The same for any number of threads.
std::optional<std::vector<ReferenceTrial>> run_reference(const SweepConfig& config, int trials,
                                                         double step_s,
                                                         const SweepControl& control);

}  // namespace graspmap::bench
