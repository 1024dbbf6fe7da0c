#include <utility>

#include "bench/peers/sliding_cube/cube_engine.hpp"
#include "lab/solids/solid.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap::bench {
namespace {

constexpr double kMm = 1e3;  ///< in a metre; also mN in a newton

SpatialScene scene(const CubeCase& cube) {
  SpatialBody ground;
  ground.name = "ground";
  ground.solid = HalfSpace{};
  ground.is_fixed = true;
  SpatialBody body;
  body.name = "cube";
  body.solid = Box3{Vec3::Constant(0.5 * kSide_m * kMm)};
  body.mass_kg = kMass_kg;
  const SolidMass unit_density = solid_mass(body.solid);
  body.inertia_kg_mm2 = unit_density.inertia_mm5 * (kMass_kg / unit_density.volume_mm3);
  body.pose.position_mm = {0.0, 0.0, 0.5 * kSide_m * kMm};
  body.velocity.head<2>() = kMm * cube.velocity_m_s;
  body.force.head<2>() = kMm * cube.force_n;
  SpatialScene scene;
  scene.gravity_mm_s2 = {0.0, 0.0, -kMm * kGravity_m_s2};
  scene.friction = {kMu, 1.0, cube.e_o, kMm * kTorsionArm_m};
  scene.bodies = {ground, body};
  return scene;
}

class GraspmapCube : public CubeEngine {
 public:
  GraspmapCube(const CubeCase& cube, double step_s, SpatialStepperKind kind,
               const SpatialStepperSettings& settings)
      : scene_(scene(cube)),
        stepper_(make_spatial_stepper(kind, settings)),
        step_s_(step_s),
        state_(start_state(scene_)) {}

  [[nodiscard]] bool step() override {
    stepper_->step(scene_, state_, step_s_, step_);
    if (step_.status != mcp::Status::kSolved) return false;
    std::swap(state_, step_.end);
    return true;
  }

  [[nodiscard]] CubeState state() const override {
    const Pose3& pose = state_.poses[1];
    return {pose.position_mm / kMm, pose.orientation, state_.velocities[1].head<3>() / kMm};
  }

 private:
  SpatialScene scene_;
  std::unique_ptr<SpatialStepper> stepper_;
  double step_s_;
  SpatialState state_;
  SpatialStep step_;
};

CubeContestant contestant(std::string name, SpatialStepperKind kind,
                          const SpatialStepperSettings& settings) {
  return {std::move(name), [=](const CubeCase& cube, double step_s) {
            return std::make_unique<GraspmapCube>(cube, step_s, kind, settings);
          }};
}

}  // namespace

std::vector<CubeContestant> graspmap_cubes() {
  SpatialStepperSettings many;
  many.directions = 32;
  return {contestant("graspmap, implicit", SpatialStepperKind::kImplicit, {}),
          contestant("graspmap, LCP, 8 directions", SpatialStepperKind::kStewartTrinkle, {}),
          contestant("graspmap, LCP, 32 directions", SpatialStepperKind::kStewartTrinkle, many)};
}

}  // namespace graspmap::bench
