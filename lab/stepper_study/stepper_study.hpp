#pragma once

#include <optional>
#include <vector>

#include "grasp/sweep/trials/sweep.hpp"
#include "lab/planar/stepper.hpp"

namespace graspmap {

/// One way to simulate a trial.
struct StepperSetting {
  StepperKind stepper = StepperKind::kImplicit;
  int polygon_vertices = 0;  ///< of the inscribed polygons in place of the pieces; 0: the pieces
  double step_s = 0.0;
};

struct StepperStudyRequest {
  SweepConfig config;
  int trials = 0;
  std::vector<StepperSetting> settings;
  double reference_step_s = 1e-4;  ///< of the implicit stepper
};

/// What a trial came to, and the processor time that it took.
struct StudiedTrial {
  Outcome outcome = Outcome::kFailed;
  Pose2 final_pose;
  double worst_gap_mm = 0.0;  ///< <= 0, at the end of a step
  double seconds = 0.0;
  std::int64_t steps = 0;
  std::int64_t iterations = 0;  ///< linear problems solved: a Newton system, or an LCP or QP
};

/// A trial of the study with its reference: `robust` when the implicit stepper finds the same
/// outcome with the reference's step, with half and with twice of it.
struct ReferenceTrial {
  std::int64_t index = 0;
  TrialParameters parameters;
  StudiedTrial result;
  bool robust = false;
};

/// The trials with one setting, compared with the reference's.
struct StepperScore {
  StepperSetting setting;
  std::vector<StudiedTrial> trials;  ///< as the references
  int agreeing = 0;                  ///< robust trials with the reference's outcome
  int failed = 0;                    ///< of all trials
  double seconds_per_trial = 0.0;    ///< mean processor time, of one core
  double steps_per_trial = 0.0;      ///< mean
  /// Mean number of linear problems solved: the solver's work, whatever assembles and solves them.
  double iterations_per_trial = 0.0;
  /// Distances of the final pose from the reference's, over robust trials that agree.
  double median_error_mm = 0.0;
  double p95_error_mm = 0.0;
  double worst_error_mm = 0.0;
  double median_error_rad = 0.0;
  double worst_error_rad = 0.0;
  double worst_gap_mm = 0.0;

  /// Processor time over linear problems solved.
  [[nodiscard]] double seconds_per_iteration() const {
    return iterations_per_trial > 0.0 ? seconds_per_trial / iterations_per_trial : 0.0;
  }
};

struct StepperStudy {
  StepperStudyRequest request;
  std::vector<ReferenceTrial> reference;
  std::vector<StepperScore> scores;  ///< as the request's settings

  [[nodiscard]] int robust() const;
};

/// The index of trial k of a study: spread over the cells of the map, and over their trials, by the
/// golden ratio.
std::int64_t studied_trial(const SweepConfig& config, std::int64_t k);

/// How many trials a study runs: those of all settings and of the three references.
std::int64_t trials_of(const StepperStudyRequest& request);

/// Runs the same trials under all settings and the references. Nothing when it was stopped.
/// Results, except for the times, are the same for any number of threads.
std::optional<StepperStudy> study_steppers(const StepperStudyRequest& request,
                                           const SweepControl& control);

}  // namespace graspmap
