#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "grasp/stepper_study/stepper_study.hpp"
#include "grasp/trial_sampler.hpp"
#include "grasp/validation/examples.hpp"
#include "sim/planar/grasp_scene.hpp"
#include "sim/simulate.hpp"

namespace graspmap {
namespace {

constexpr const char* kPaper =
    "000_14f00f4ae61b7d54.txt section 6.4, eq. (56)-(67), section 7 for the active index";
constexpr int kTrials = 1000;
constexpr double kAgreement = 1e-8;

/// The steps of the sweep's stepper, taken again as the full problem.
struct StepAgreement {
  std::int64_t steps = 0;
  std::int64_t unsolved = 0;
  std::int64_t apart = 0;  ///< solved, and further apart than kAgreement
  double worst = 0.0;

  void add(const StepAgreement& other) {
    steps += other.steps;
    unsolved += other.unsolved;
    apart += other.apart;
    worst = std::max(worst, other.worst);
  }
};

/// Velocities relative to the closing speed, turning ones at the radius of gyration.
double difference(const Scenario& scenario, const State& a, const State& b) {
  const double gyration = std::sqrt(scenario.mass.inertia_kg_mm2 / scenario.mass.mass_kg);
  const Vec3 part = a.part_velocity - b.part_velocity;
  return std::max({part.head<2>().norm(), gyration * std::abs(part[2]),
                   std::abs(a.jaw_right_mm_s - b.jaw_right_mm_s),
                   std::abs(a.jaw_left_mm_s - b.jaw_left_mm_s)}) /
         scenario.gripper.closing_speed_mm_s;
}

StepAgreement compare_trial(const SweepConfig& config, std::int64_t index, Workspace& workspace,
                            SimulationResult& result) {
  const TrialParameters trial = sample_trial(config, index).parameters;
  const PlanarScene scene = grasp_scene(config.scenario, trial);
  const auto full = make_stepper(StepperKind::kImplicitFull, {});
  StepAgreement agreement;
  State start;
  PlanarStep step;
  const StepObserver observer = [&](const StepRecord& record) {
    if (record.step_s > 0.0) {
      ++agreement.steps;
      full->step(scene, planar_state(scene, start), record.step_s, step);
      if (step.status == mcp::Status::kSolved) {
        const double apart =
            difference(config.scenario, grasp_state(scene, step.end), *record.state);
        agreement.worst = std::max(agreement.worst, apart);
        agreement.apart += apart > kAgreement;
      } else {
        ++agreement.unsolved;
      }
    }
    start = *record.state;
  };
  simulate(config.scenario, trial, workspace, result, &observer);
  return agreement;
}

}  // namespace

ExampleReport validate_lock_piece(const ValidationContext& context) {
  ExampleReport report{"A4", "grasping the lock piece", kPaper, {}};
  const SweepConfig config = read_sweep_config(context.lock_piece, {});
  StepAgreement all;
  std::mutex mutex;
  run_trials(kTrials, {}, [&](std::int64_t k, Workspace& workspace, SimulationResult& result) {
    const StepAgreement one = compare_trial(config, studied_trial(config, k), workspace, result);
    const std::lock_guard lock(mutex);
    all.add(one);
    return Outcome::kSuccess;
  });
  const std::string source = "both solve the same equations";
  auto& checks = report.checks;
  checks.push_back({fmt::format("implicit-full on each step of {} trials: steps", kTrials),
                    10.0 * kTrials, "more than ten a trial", static_cast<double>(all.steps), 0.0,
                    CheckRelation::kAtLeast});
  checks.push_back({"steps that the full problem does not solve", 0.0, source,
                    static_cast<double>(all.unsolved), 0.0});
  checks.push_back(
      {"steps further apart than 1e-8", 0.0, source, static_cast<double>(all.apart), 0.0});
  checks.push_back({"largest difference of velocities, relative", kAgreement, source, all.worst,
                    0.0, CheckRelation::kAtMost});
  return report;
}

}  // namespace graspmap
