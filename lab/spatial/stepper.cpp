#include "lab/spatial/stepper.hpp"

#include <algorithm>

namespace graspmap {

const char* name(SpatialStepperKind kind) {
  switch (kind) {
    case SpatialStepperKind::kImplicit:
      return "implicit";
    case SpatialStepperKind::kImplicitFull:
      return "implicit-full";
    case SpatialStepperKind::kStewartTrinkle:
      return "stewart-trinkle";
    case SpatialStepperKind::kStewartTrinkleNonlinear:
      return "stewart-trinkle-nonlinear";
    case SpatialStepperKind::kAnitescuPotra:
      return "anitescu-potra";
    case SpatialStepperKind::kAnitescuHart:
      return "anitescu-hart";
    case SpatialStepperKind::kAnitescuHartUnstabilised:
      break;
  }
  return "anitescu-hart-unstabilised";
}

double SpatialStep::worst_overlap_mm() const {
  double worst = 0.0;
  for (const SpatialContact& contact : end.contacts) worst = std::max(worst, -contact.gap_mm);
  return worst;
}

std::optional<std::array<int, 2>> SpatialStep::worst_bodies() const {
  if (worst_contact < 0) return std::nullopt;
  const SpatialContact& contact = end.contacts[static_cast<std::size_t>(worst_contact)];
  return std::array{contact.body_a, contact.body_b};
}

std::unique_ptr<SpatialStepper> make_spatial_stepper(SpatialStepperKind kind,
                                                     const SpatialStepperSettings& settings) {
  switch (kind) {
    case SpatialStepperKind::kImplicit:
      return make_spatial_implicit(settings, false);
    case SpatialStepperKind::kImplicitFull:
      return make_spatial_implicit(settings, true);
    case SpatialStepperKind::kStewartTrinkle:
    case SpatialStepperKind::kStewartTrinkleNonlinear:
    case SpatialStepperKind::kAnitescuPotra:
    case SpatialStepperKind::kAnitescuHart:
    case SpatialStepperKind::kAnitescuHartUnstabilised:
      break;
  }
  return make_spatial_stewart_trinkle(kind, settings);
}

namespace {

bool is_finite(const SpatialState& state) {
  return std::all_of(state.poses.begin(), state.poses.end(),
                     [](const Pose3& pose) {
                       return is_finite_motion(pose.position_mm) &&
                              is_finite_motion(pose.orientation.coeffs());
                     }) &&
         std::all_of(state.velocities.begin(), state.velocities.end(),
                     [](const Twist& velocity) { return is_finite_motion(velocity); });
}

}  // namespace

SceneRun simulate_spatial(const SpatialScene& scene, SpatialStepper& stepper,
                          const SceneRunSettings& settings, const SnapshotObserver& observer) {
  const auto take_step = [&](const SpatialState& start, double h, SpatialStep& step) {
    stepper.step(scene, start, h, step);
  };
  const auto show = [&](const SpatialState& state, const SpatialStep*, SpatialSnapshot& shown) {
    shown.poses = state.poses;
    shown.velocities = state.velocities;
    shown.contacts = state.contacts;
    for (const SpatialJoint& joint : scene.joints) {
      const Pose3& pose = state.poses[static_cast<std::size_t>(joint.body_a)];
      shown.joints_mm.push_back(pose.to_world(joint.frame_a.position_mm));
    }
    shown.joint_impulses = state.joint_impulses;
    shown.energy = energy(scene, state);
  };
  return run_and_show<SpatialSnapshot, SpatialState, SpatialStep>(
      settings, start_state(scene), finite_steps<SpatialState, SpatialStep>(take_step, is_finite),
      show, observer);
}

}  // namespace graspmap
