#include "lab/stepper_study/stepper_study.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "lab/grasp_scene/scene_grasp_stepper.hpp"

namespace graspmap {
namespace {

SweepConfig with(const SweepConfig& config, const StepperSetting& setting) {
  SweepConfig changed = config;
  changed.scenario.other_stepper = scene_stepper(setting.stepper, setting.polygon_vertices);
  changed.scenario.step_s = setting.step_s;
  changed.scenario.tolerance_mm = 0.0;
  changed.scenario.order = 1;
  return changed;
}

/// All trials under one setting; nothing when it was stopped.
std::optional<std::vector<StudiedTrial>> run_setting(const StepperStudyRequest& request,
                                                     const StepperSetting& setting,
                                                     const SweepControl& control) {
  const SweepConfig config = with(request.config, setting);
  std::vector<StudiedTrial> trials(static_cast<std::size_t>(request.trials));
  const auto run = [&](std::int64_t k, Workspace& workspace, SimulationResult& result) {
    const double begin = thread_seconds();
    const TrialRow row = run_trial(config, studied_trial(config, k), workspace, result);
    trials[static_cast<std::size_t>(k)] = {row.outcome,
                                           row.final_pose,
                                           row.statistics.worst_gap_mm,
                                           thread_seconds() - begin,
                                           row.statistics.steps,
                                           row.statistics.newton_iterations};
    return row.outcome;
  };
  if (run_trials(request.trials, control, run) < request.trials) return std::nullopt;
  return trials;
}

/// The references: with the step asked for, and with half and twice of it.
std::optional<std::vector<ReferenceTrial>> run_reference(const StepperStudyRequest& request,
                                                         const SweepControl& control) {
  std::vector<ReferenceTrial> reference(static_cast<std::size_t>(request.trials));
  for (const double factor : {1.0, 0.5, 2.0}) {
    const StepperSetting setting{StepperKind::kImplicit, 0, factor * request.reference_step_s};
    const auto trials = run_setting(request, setting, control);
    if (!trials) return std::nullopt;
    for (std::size_t k = 0; k < reference.size(); ++k) {
      ReferenceTrial& trial = reference[k];
      if (factor == 1.0) {
        trial.index = studied_trial(request.config, static_cast<std::int64_t>(k));
        trial.parameters = sample_trial(request.config, trial.index).parameters;
        trial.result = (*trials)[k];
        trial.robust = trial.result.outcome != Outcome::kFailed;
      } else {
        trial.robust = trial.robust && (*trials)[k].outcome == trial.result.outcome;
      }
    }
  }
  return reference;
}

StepperScore score(const StepperSetting& setting, const std::vector<ReferenceTrial>& reference,
                   std::vector<StudiedTrial> trials) {
  StepperScore score;
  score.setting = setting;
  std::vector<double> errors_mm;
  std::vector<double> errors_rad;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const StudiedTrial& trial = trials[k];
    const auto count = static_cast<double>(trials.size());
    score.seconds_per_trial += trial.seconds / count;
    score.steps_per_trial += static_cast<double>(trial.steps) / count;
    score.iterations_per_trial += static_cast<double>(trial.iterations) / count;
    score.worst_gap_mm = std::min(score.worst_gap_mm, trial.worst_gap_mm);
    score.failed += trial.outcome == Outcome::kFailed ? 1 : 0;
    if (!reference[k].robust || trial.outcome != reference[k].result.outcome) continue;
    ++score.agreeing;
    const Pose2& right = reference[k].result.final_pose;
    errors_mm.push_back((trial.final_pose.position_mm - right.position_mm).norm());
    errors_rad.push_back(std::abs(trial.final_pose.angle_rad - right.angle_rad));
  }
  score.median_error_mm = sample_quantile(errors_mm, 0.5);
  score.p95_error_mm = sample_quantile(errors_mm, 0.95);
  score.worst_error_mm = sample_quantile(errors_mm, 1.0);
  score.median_error_rad = sample_quantile(errors_rad, 0.5);
  score.worst_error_rad = sample_quantile(errors_rad, 1.0);
  score.trials = std::move(trials);
  return score;
}

}  // namespace

int StepperStudy::robust() const {
  return static_cast<int>(std::count_if(reference.begin(), reference.end(),
                                        [](const ReferenceTrial& trial) { return trial.robust; }));
}

std::int64_t studied_trial(const SweepConfig& config, std::int64_t k) {
  const double turns = static_cast<double>(k) * (std::numbers::phi - 1.0);
  const auto cells = static_cast<std::int64_t>(config.placement.cell_count());
  const auto cell =
      std::min(static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(cells)),
               cells - 1);
  return cell + cells * (k % config.trials_per_cell);
}

std::int64_t trials_of(const StepperStudyRequest& request) {
  return static_cast<std::int64_t>(request.trials) *
         (static_cast<std::int64_t>(request.settings.size()) + 3);
}

std::optional<StepperStudy> study_steppers(const StepperStudyRequest& request,
                                           const SweepControl& control) {
  auto reference = run_reference(request, control);
  if (!reference) return std::nullopt;
  StepperStudy study{request, std::move(*reference), {}};
  for (const StepperSetting& setting : request.settings) {
    auto trials = run_setting(request, setting, control);
    if (!trials) return std::nullopt;
    study.scores.push_back(score(setting, study.reference, std::move(*trials)));
  }
  return study;
}

}  // namespace graspmap
