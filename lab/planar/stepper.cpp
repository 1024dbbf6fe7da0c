#include "lab/planar/stepper.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"

namespace graspmap {

const char* name(StepperKind kind) {
  switch (kind) {
    case StepperKind::kImplicit:
      return "implicit";
    case StepperKind::kImplicitFull:
      return "implicit-full";
    case StepperKind::kStewartTrinkle:
      return "stewart-trinkle";
    case StepperKind::kStewartTrinkleNonlinear:
      return "stewart-trinkle-nonlinear";
    case StepperKind::kAnitescuPotra:
      return "anitescu-potra";
    case StepperKind::kAnitescuHart:
      return "anitescu-hart";
    case StepperKind::kAnitescuHartUnstabilised:
      return "anitescu-hart-unstabilised";
    case StepperKind::kAnitescuHartConvex:
      return "anitescu-hart-convex";
  }
  return "";
}

std::optional<StepperKind> stepper_kind(std::string_view word) {
  for (const StepperKind kind : kStepperKinds) {
    if (word == name(kind)) return kind;
  }
  return std::nullopt;
}

double PlanarStep::worst_overlap_mm() const {
  double worst = 0.0;
  for (const PlanarContact& contact : contacts) worst = std::max(worst, -contact.at.gap_mm);
  return worst;
}

std::optional<std::array<int, 2>> PlanarStep::worst_bodies() const {
  if (worst_contact < 0) return std::nullopt;
  const ContactKey& key = contacts[static_cast<std::size_t>(worst_contact)].key;
  return std::array{key.body_a, key.body_b};
}

StepScales step_scales(const PlanarScene& scene, const PlanarState& start, double h) {
  GRASPMAP_CHECK(h > 0.0 && start.nu.size() == scene.velocities);
  const Eigen::VectorXd mass = mass_diagonal(scene) + h * damping_diagonal(scene);
  const Eigen::VectorXd push = h * applied_force(scene).cwiseQuotient(mass);
  StepScales scales{0.0, 0.0, 0.0};
  double heaviest = 0.0;
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    const PlanarBody& body = scene.bodies[static_cast<std::size_t>(i)];
    if (!body.moves_freely() && !body.shake) continue;
    const double radius = bounding_radius_mm(body);
    const Vec3 v = body_velocity(scene, start, i);
    double speed = v.head<2>().norm();
    if (std::isfinite(radius)) {
      scales.length_mm = std::max(scales.length_mm, radius);
      speed += radius * std::abs(v[2]);
    }
    for (int axis = 0; axis < 2; ++axis) {
      const Coordinate& coordinate = body.coordinates[static_cast<std::size_t>(axis)];
      if (coordinate.index >= 0) speed += std::abs(coordinate.factor * push[coordinate.index]);
    }
    scales.velocity_mm_s = std::max(scales.velocity_mm_s, speed);
    heaviest = std::max(heaviest, body.mass_kg);
  }
  if (scales.length_mm == 0.0) scales.length_mm = 1.0;
  if (scales.velocity_mm_s == 0.0) scales.velocity_mm_s = scales.length_mm;
  scales.impulse_mn_s = heaviest * scales.velocity_mm_s;
  return scales;
}

namespace {

auto steps_of(const PlanarScene& scene, PlanarStepper& stepper) {
  return [&](const PlanarState& start, double h, PlanarStep& step) {
    stepper.step(scene, start, h, step);
  };
}

bool is_finite(const PlanarState& state) {
  return is_finite_motion(state.nu) &&
         std::all_of(state.poses.begin(), state.poses.end(),
                     [](const Vec3& pose) { return is_finite_motion(pose); });
}

}  // namespace

SceneRun simulate_scene(const PlanarScene& scene, PlanarStepper& stepper,
                        const SceneRunSettings& settings, const SceneObserver& observer) {
  return run_steps<PlanarState, PlanarStep>(settings, start_state(scene), steps_of(scene, stepper),
                                            observer);
}

SceneRun simulate_planar(const PlanarScene& scene, PlanarStepper& stepper,
                         const SceneRunSettings& settings, const PlanarSnapshotObserver& observer) {
  const auto show = [&](const PlanarState& state, const PlanarStep* step, PlanarSnapshot& shown) {
    shown.poses = state.poses;
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
      shown.velocities.push_back(body_velocity(scene, state, static_cast<int>(k)));
    }
    if (step != nullptr) shown.contacts = step->contacts;
    shown.energy = energy(scene, state);
  };
  return run_and_show<PlanarSnapshot, PlanarState, PlanarStep>(
      settings, start_state(scene),
      finite_steps<PlanarState, PlanarStep>(steps_of(scene, stepper), is_finite), show, observer);
}

}  // namespace graspmap
