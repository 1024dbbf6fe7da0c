#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lab/mcp/problem.hpp"
#include "lab/scene_model/scene_run.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// The time-steppers of scenes in space.
enum class SpatialStepperKind : std::uint8_t {
  kImplicit,        ///< geometrically implicit MNCP; closest points in closed form where they are
                    ///< unique and have one
  kImplicitFull,    ///< the same with the closest points of all contacts among the unknowns
  kStewartTrinkle,  ///< one LCP, geometry at q^l + h v^l, eight directions
  kStewartTrinkleNonlinear,  ///< the same as a fixed point: geometry at the step's end
  kAnitescuPotra,            ///< n^T v >= 0 for contacts that touch
  kAnitescuHart,  ///< Hart and Anitescu 2003: one LCP, geometry at q^l, gaps and joints linearised
  kAnitescuHartUnstabilised  ///< the same without the gaps: n^T v >= 0, joints nu^T v = 0
};
const char* name(SpatialStepperKind kind);

struct SpatialStepperSettings {
  double tolerance = 1e-10;               ///< scaled residual that a step aims at
  int max_iterations = 100;               ///< Newton or fixed-point iterations of a step
  int directions = 8;                     ///< of the linearised friction cone: even, >= 4
  std::function<bool()> is_stopped = {};  ///< asked within long steps; true: the step is given up

  [[nodiscard]] bool stops() const { return is_stopped && is_stopped(); }
};

/// The result of one step. On failure `end` is that of the last iterate.
struct SpatialStep {
  mcp::Status status = mcp::Status::kIterationLimit;
  SpatialState end;        ///< with the contacts that took part
  double residual = 0.0;   ///< scaled natural residual of the step's equations
  int worst_contact = -1;  ///< index into `end.contacts` of the largest residual, -1: another row
  int iterations = 0;
  int unknowns = 0;  ///< of the step's last problem

  [[nodiscard]] double worst_overlap_mm() const;  ///< of the contacts, >= 0
  [[nodiscard]] std::optional<std::array<int, 2>> worst_bodies() const;
};

/// A time-stepper: from a state to the state h later. The same input gives the same bits.
class SpatialStepper {
 public:
  SpatialStepper() = default;
  SpatialStepper(const SpatialStepper&) = delete;
  SpatialStepper& operator=(const SpatialStepper&) = delete;
  virtual ~SpatialStepper() = default;

  /// One step of h > 0 seconds; fills all of `step`.
  virtual void step(const SpatialScene& scene, const SpatialState& start, double h,
                    SpatialStep& step) = 0;
};

std::unique_ptr<SpatialStepper> make_spatial_stepper(SpatialStepperKind kind,
                                                     const SpatialStepperSettings& settings);
std::unique_ptr<SpatialStepper> make_spatial_implicit(const SpatialStepperSettings& settings,
                                                      bool is_full);
/// The linear ones: friction polygons are stretched by e_t and e_o; no friction acts about the
/// normal (e_r is left out). Boxes and cylinders stand on half-spaces and on each other by their
/// corners
/// (`contact_points`); other pairs have one contact each. The fixed point may fail to converge
/// where sharp edges meet in motion. Joints have the contacts' gap terms, see `LinearContactStep`.
std::unique_ptr<SpatialStepper> make_spatial_stewart_trinkle(
    SpatialStepperKind kind, const SpatialStepperSettings& settings);

/// A snapshot of rigid bodies in space or of an articulated system.
struct SpatialSnapshot : SceneSnapshot {
  std::vector<Pose3> poses;              ///< by body, of an articulated system by link and obstacle
  std::vector<Twist> velocities;         ///< in the order of the poses
  std::vector<Vec3> joints_mm;           ///< of rigid bodies by joint; of links by link its joint
  std::vector<SpatialContact> contacts;  ///< none at the start
  std::vector<Twist> joint_impulses;     ///< of rigid bodies: see `SpatialState`
};

/// Sees the start and each solved step; returns false to end the run.
using SnapshotObserver = std::function<bool(const SpatialSnapshot&)>;

/// Runs a scene from its start, see `run_steps`.
SceneRun simulate_spatial(const SpatialScene& scene, SpatialStepper& stepper,
                          const SceneRunSettings& settings, const SnapshotObserver& observer);

}  // namespace graspmap
