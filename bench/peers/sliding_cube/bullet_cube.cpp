#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "bench/peers/sliding_cube/cube_scene.hpp"

namespace graspmap::bench {
namespace {

btScalar real(double x) { return static_cast<btScalar>(x); }

}  // namespace

/// Bullet's usual world: sequential impulses, ten iterations, single precision as Debian builds it.
/// Friction acts along the slip of each contact point.
CubeEnd bullet_cube(const CubeScene& scene, double step_s) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  world.setGravity({0, 0, real(-scene.gravity_m_s2)});

  btStaticPlaneShape plane({0, 0, 1}, 0);
  btRigidBody ground(0, nullptr, &plane);
  ground.setFriction(1);  // the product of both is taken
  world.addRigidBody(&ground);

  const btScalar half = real(0.5 * scene.side_m);
  btBoxShape box({half, half, half});
  btVector3 inertia;
  box.calculateLocalInertia(real(scene.mass_kg), inertia);
  btRigidBody cube(real(scene.mass_kg), nullptr, &box, inertia);
  cube.setFriction(real(scene.mu));
  cube.setActivationState(DISABLE_DEACTIVATION);
  cube.setWorldTransform(btTransform(btQuaternion::getIdentity(), {0, 0, half}));
  cube.setLinearVelocity({real(scene.velocity_m_s.x()), real(scene.velocity_m_s.y()), 0});
  world.addRigidBody(&cube);

  const auto steps = static_cast<int>(std::lround(scene.duration_s / step_s));
  for (int i = 0; i < steps; ++i) {
    cube.applyCentralForce({real(scene.force_n.x()), real(scene.force_n.y()), 0});
    world.stepSimulation(real(step_s), 0);
  }
  const btTransform& at = cube.getWorldTransform();
  CubeEnd end;
  end.position_m << at.getOrigin().x(), at.getOrigin().y(), at.getOrigin().z();
  end.turned_deg = at.getRotation().getAngleShortestPath() * 180.0 / M_PI;
  world.removeRigidBody(&cube);
  world.removeRigidBody(&ground);
  return end;
}

}  // namespace graspmap::bench
