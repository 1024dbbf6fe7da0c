#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/mcp/problem.hpp"
#include "lab/planar/contact.hpp"
#include "lab/scene_model/scene_run.hpp"

namespace graspmap {

/// The time-steppers of the papers.
enum class StepperKind : std::uint8_t {
  kImplicit,        ///< condensed: closest points as functions of the end configuration
  kImplicitFull,    ///< the full MNCP, Chakraborty et al. 2014, eq. (21)-(22), (28)-(32), (37)-(40)
  kStewartTrinkle,  ///< LCP, gap linearised at q^l + h v^l, Stewart and Trinkle 2000, eq. (13)-(20)
  kStewartTrinkleNonlinear,   ///< its fixed-point iteration, section 3.4
  kAnitescuPotra,             ///< velocity level, section 3.3
  kAnitescuHart,              ///< stabilised LCP, Hart and Anitescu 2003, eq. (2.11)-(2.12)
  kAnitescuHartUnstabilised,  ///< the same with Upsilon = Delta = 0
  kAnitescuHartConvex         ///< the optimisation variant, eq. (2.10)
};

inline constexpr std::array<StepperKind, 8> kStepperKinds{StepperKind::kImplicit,
                                                          StepperKind::kImplicitFull,
                                                          StepperKind::kStewartTrinkle,
                                                          StepperKind::kStewartTrinkleNonlinear,
                                                          StepperKind::kAnitescuPotra,
                                                          StepperKind::kAnitescuHart,
                                                          StepperKind::kAnitescuHartUnstabilised,
                                                          StepperKind::kAnitescuHartConvex};

/// The word for a stepper in scenes, configurations and options, such as "stewart-trinkle".
const char* name(StepperKind kind);

/// The stepper of a word, or nothing.
std::optional<StepperKind> stepper_kind(std::string_view word);

/// True when contact geometry is solved together with the motion at the end of the step.
constexpr bool is_implicit(StepperKind kind) {
  return kind == StepperKind::kImplicit || kind == StepperKind::kImplicitFull;
}

/// Settings of a stepper. All tolerances are relative to the scales of the scene, see
/// `StepScales`.
struct StepperSettings {
  double tolerance = 1e-10;         ///< scaled residual that a step aims at
  int max_iterations = 50;          ///< Newton or fixed-point iterations of a step
  bool linearise_at_start = false;  ///< stewart-trinkle: at q^l, as the dVC program of
                                    ///< Chakraborty et al. 2014, section 1, not at q^l + h v^l
  double active_gap_mm = -1.0;      ///< contacts closer than this count (Anitescu-Hart eq. (2.13));
                                    ///< < 0: those that the step could close
  int table_directions = 26;  ///< of the polytope in the table friction's ellipsoid: 6, 14 or 26
  std::function<bool()> is_stopped = {};  ///< asked within long steps; true: the step is given up

  [[nodiscard]] bool stops() const { return is_stopped && is_stopped(); }
};

/// The result of one step. On failure `end` and `contacts` are those of the last iterate.
struct PlanarStep {
  mcp::Status status = mcp::Status::kIterationLimit;
  PlanarState end;
  std::vector<PlanarContact> contacts;  ///< that took part, at the end of the step
  std::vector<Vec2> pin_impulses;       ///< mN s, on body A
  std::vector<Vec3> table_impulses;     ///< (mN s, mN s, mN s mm), on the body
  double residual = 0.0;                ///< scaled natural residual of the step's equations
  int worst_contact = -1;  ///< index into `contacts` of the largest residual, -1: another row
  int iterations = 0;      ///< Newton or fixed-point iterations
  int unknowns = 0;        ///< of the step's last problem

  [[nodiscard]] double worst_overlap_mm() const;  ///< of `contacts`, >= 0
  /// The bodies of `worst_contact`.
  [[nodiscard]] std::optional<std::array<int, 2>> worst_bodies() const;
};

/// A time-stepper: from a state to the state h later. Deterministic, and without memory that could
/// change results, warm starts included: the same input gives the same bits.
class PlanarStepper {
 public:
  PlanarStepper() = default;
  PlanarStepper(const PlanarStepper&) = delete;
  PlanarStepper& operator=(const PlanarStepper&) = delete;
  virtual ~PlanarStepper() = default;

  /// One step of h > 0 seconds; fills all of `step`.
  virtual void step(const PlanarScene& scene, const PlanarState& start, double h,
                    PlanarStep& step) = 0;
};

/// The units of the unknowns and equations of a step.
struct StepScales {
  double length_mm = 1.0;      ///< the largest bounding radius of a moving body
  double velocity_mm_s = 1.0;  ///< the largest speed at the start, plus what the forces add
  double impulse_mn_s = 1.0;   ///< the heaviest moving body at that speed
};

/// The scales of a step of h seconds from `start`.
StepScales step_scales(const PlanarScene& scene, const PlanarState& start, double h);

/// Called at the start (with no step) and after each solved step; returns false to end the run.
using SceneObserver = std::function<bool(const PlanarState&, const PlanarStep*)>;

/// Runs a scene from its start, see `run_steps`.
SceneRun simulate_scene(const PlanarScene& scene, PlanarStepper& stepper,
                        const SceneRunSettings& settings, const SceneObserver& observer);

/// A snapshot of bodies in the plane.
struct PlanarSnapshot : SceneSnapshot {
  std::vector<Vec3> poses;              ///< by body: x mm, y mm, theta rad
  std::vector<Vec3> velocities;         ///< by body: mm/s, mm/s, rad/s
  std::vector<PlanarContact> contacts;  ///< that took part in the step; none at the start
};

/// Sees the start and each solved step; returns false to end the run.
using PlanarSnapshotObserver = std::function<bool(const PlanarSnapshot&)>;

/// Runs a scene from its start and shows snapshots, see `run_steps`.
SceneRun simulate_planar(const PlanarScene& scene, PlanarStepper& stepper,
                         const SceneRunSettings& settings, const PlanarSnapshotObserver& observer);

}  // namespace graspmap
