#pragma once

#include <memory>
#include <vector>

#include "lab/grasp_scene/grasp_scene.hpp"
#include "lab/planar/stepper.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/grasp_stepper.hpp"

namespace graspmap {

/// Steps a grasp with one of the time-steppers of planar scenes.
class SceneGraspStepper final : public GraspStepper {
 public:
  void begin(const Scenario& scenario, const TrialParameters& trial) override;

  /// Turns, velocity changes and errors are reported for steppers with implicit geometry only,
  /// whose steps are refined by them.
  [[nodiscard]] StepReport try_step(const State& state, double h, bool all_rungs) override;

  State accept() override;

  void contacts(std::vector<ContactRecord>& records) const override;
  [[nodiscard]] Vec3 support_impulse() const override;
  [[nodiscard]] bool touching() const override;

  [[nodiscard]] BroadPhase& broad_phase() override { return broad_phase_; }

 private:
  [[nodiscard]] double largest_turn(const PlanarState& start) const;
  [[nodiscard]] double position_error(const PlanarState& start, double h) const;
  [[nodiscard]] bool path_is_clear(const PlanarState& start) const;
  void work(StepReport& report) const;

  const Scenario* scenario_ = nullptr;
  StepperKind kind_ = StepperKind::kImplicit;
  std::unique_ptr<PlanarStepper> stepper_;
  BroadPhase broad_phase_;
  PlanarScene scene_;
  PlanarStep step_;
};

}  // namespace graspmap
