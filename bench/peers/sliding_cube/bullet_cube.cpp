// The sliding cube in Bullet 3.24, double precision: a box on a static plane, friction mu of the
// one times 1 of the other. As Bullet has it: sequential impulses, ERP 0.2, split impulses, warm
// starts, one friction direction (along the slip) at each contact point; 10 iterations, or more.
// No damping, no sleeping, no restitution.
//
// For a plane and a convex shape Bullet finds one contact point in a step, and more when asked for
// (setPlaneConvexMultipointIterations: the shape is tilted a little N times, 3 by default); a
// manifold keeps up to four over the steps. With N = 8 all four corners are in it from the first
// step on.
//
// Anisotropic friction scales the direction along which friction acts, in the body's axes.

#include <btBulletDynamicsCommon.h>

#include <utility>

#include "bench/peers/sliding_cube/cube_engine.hpp"

namespace graspmap::bench {
namespace {

struct BulletSettings {
  int iterations = 10;
  int tilts = 0;  ///< setPlaneConvexMultipointIterations(tilts, tilts)
};

btRigidBody::btRigidBodyConstructionInfo body_info(double mass_kg, btMotionState& motion,
                                                   btCollisionShape& shape, double friction) {
  btVector3 inertia(0.0, 0.0, 0.0);
  if (mass_kg > 0.0) shape.calculateLocalInertia(mass_kg, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass_kg, &motion, &shape, inertia);
  info.m_friction = friction;
  return info;
}

btTransform at_height(double height_m) {
  return btTransform(btQuaternion::getIdentity(), btVector3(0.0, 0.0, height_m));
}

class BulletCube : public CubeEngine {
 public:
  BulletCube(const CubeCase& cube, double step_s, const BulletSettings& settings)
      : force_n_(cube.force_n.x(), cube.force_n.y(), 0.0), step_s_(step_s) {
    if (settings.tilts > 0) {
      configuration_.setPlaneConvexMultipointIterations(settings.tilts, settings.tilts);
    }
    world_.setGravity({0.0, 0.0, -kGravity_m_s2});
    world_.getSolverInfo().m_numIterations = settings.iterations;
    world_.addRigidBody(&plane_);
    cube_.setActivationState(DISABLE_DEACTIVATION);
    cube_.setLinearVelocity({cube.velocity_m_s.x(), cube.velocity_m_s.y(), 0.0});
    if (cube.e_o != 1.0) cube_.setAnisotropicFriction({1.0, cube.e_o, 1.0});
    world_.addRigidBody(&cube_);
  }

  ~BulletCube() override {
    world_.removeRigidBody(&cube_);
    world_.removeRigidBody(&plane_);
  }

  [[nodiscard]] bool step() override {
    cube_.applyCentralForce(force_n_);
    return world_.stepSimulation(step_s_, 0) == 1;
  }

  [[nodiscard]] CubeState state() const override {
    const btVector3 x = cube_.getWorldTransform().getOrigin();
    const btQuaternion q = cube_.getWorldTransform().getRotation();
    const btVector3 v = cube_.getLinearVelocity();
    return {{x.x(), x.y(), x.z()}, {q.w(), q.x(), q.y(), q.z()}, {v.x(), v.y(), v.z()}};
  }

 private:
  btVector3 force_n_;
  double step_s_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  btStaticPlaneShape plane_shape_{btVector3(0.0, 0.0, 1.0), 0.0};
  btBoxShape box_shape_{btVector3(0.5 * kSide_m, 0.5 * kSide_m, 0.5 * kSide_m)};
  btDefaultMotionState plane_motion_{at_height(0.0)};
  btDefaultMotionState cube_motion_{at_height(0.5 * kSide_m)};
  btRigidBody plane_{body_info(0.0, plane_motion_, plane_shape_, 1.0)};
  btRigidBody cube_{body_info(kMass_kg, cube_motion_, box_shape_, kMu)};
};

CubeContestant contestant(std::string name, const BulletSettings& settings) {
  return {std::move(name), [=](const CubeCase& cube, double step_s) {
            return std::make_unique<BulletCube>(cube, step_s, settings);
          }};
}

}  // namespace

std::vector<CubeContestant> bullet_cubes() {
  return {contestant("Bullet, default", {10, 0}), contestant("Bullet, 200 iterations", {200, 0}),
          contestant("Bullet, more points", {10, 3}), contestant("Bullet, all corners", {10, 8})};
}

}  // namespace graspmap::bench
