#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "geometry/assert.hpp"
#include "lab/grasp_scene/grasp_scene.hpp"
#include "lab/planar/stepper.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/grasp_stepper.hpp"

namespace graspmap {

/// Steps a grasp with one of the time-steppers of planar scenes.
class SceneGraspStepper final : public GraspStepper {
 public:
  SceneGraspStepper(StepperKind kind, int polygon_vertices);

  void begin(const Scenario& scenario, const TrialParameters& trial) override;

  /// Turns and velocity changes are reported for steppers with implicit geometry only,
  /// whose steps are refined by them.
  [[nodiscard]] StepReport try_step(const State& state, double h, bool all_rungs,
                                    const StepHistory& history) override;

  State accept() override;

  void contacts(std::vector<ContactRecord>& records) const override;
  [[nodiscard]] Vec3 support_impulse() const override;
  [[nodiscard]] bool touching() const override;

  [[nodiscard]] BroadPhase& broad_phase() override { return broad_phase_; }

 private:
  [[nodiscard]] double largest_turn(const PlanarState& start) const;
  [[nodiscard]] bool path_is_clear(const PlanarState& start) const;
  void work(StepReport& report) const;

  const Scenario* scenario_ = nullptr;
  StepperKind kind_;
  int polygon_vertices_;
  std::unique_ptr<PlanarStepper> stepper_;
  BroadPhase broad_phase_;
  PlanarScene scene_;
  PlanarStep step_;
};

/// A time-stepper of planar scenes as a scenario has it.
class SceneStepper final : public OtherStepper {
 public:
  /// Inscribed polygons of `vertices` vertices are taken in place of the pieces; 0: the pieces.
  SceneStepper(StepperKind stepper, int vertices) : kind(stepper), polygon_vertices(vertices) {
    GRASPMAP_CHECK(kind != StepperKind::kImplicit && (vertices == 0 || vertices >= 3));
  }

  [[nodiscard]] std::unique_ptr<GraspStepper> make() const override;
  [[nodiscard]] bool replaces_pieces() const override { return polygon_vertices > 0; }
  [[nodiscard]] double gap_mm(const Scenario& scenario, const Piece& piece, const Configuration& q,
                              JawSide side) const override;
  /// Smaller: hopeless trials take minutes. Larger: slow ones fail.
  [[nodiscard]] double work() const override { return 2.5; }
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const override;

  const StepperKind kind;
  const int polygon_vertices;
};

/// The stepper of a kind for a scenario: null for kImplicit, which CondensedStepper is.
std::shared_ptr<const OtherStepper> scene_stepper(StepperKind kind, int polygon_vertices);

}  // namespace graspmap
