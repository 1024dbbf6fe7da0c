#include <ode/ode.h>

#include <array>
#include <cmath>

#include "bench/peers/sliding_cube/cube_scene.hpp"

namespace graspmap::bench {
namespace {

/// What the collision call-back needs.
struct OdeContacts {
  dWorldID world;
  dJointGroupID joints;
  double mu;
};

void add_contacts(void* data, dGeomID a, dGeomID b) {
  const auto& contacts = *static_cast<OdeContacts*>(data);
  std::array<dContact, 4> found{};
  const int count =
      dCollide(a, b, static_cast<int>(found.size()), &found[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    dContact& contact = found.at(static_cast<std::size_t>(i));
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = contacts.mu;
    const dJointID joint = dJointCreateContact(contacts.world, contacts.joints, &contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
  }
}

}  // namespace

CubeEnd ode_cube(const CubeScene& scene, double step_s, OdeSolver solver) {
  dInitODE2(0);
  const dWorldID world = dWorldCreate();
  const dSpaceID space = dSimpleSpaceCreate(nullptr);
  OdeContacts contacts{world, dJointGroupCreate(0), scene.mu};
  dWorldSetGravity(world, 0, 0, -scene.gravity_m_s2);
  dCreatePlane(space, 0, 0, 1, 0);

  const dBodyID cube = dBodyCreate(world);
  dMass mass;
  dMassSetBoxTotal(&mass, scene.mass_kg, scene.side_m, scene.side_m, scene.side_m);
  dBodySetMass(cube, &mass);
  dGeomSetBody(dCreateBox(space, scene.side_m, scene.side_m, scene.side_m), cube);
  dBodySetPosition(cube, 0, 0, 0.5 * scene.side_m);
  dBodySetLinearVel(cube, scene.velocity_m_s.x(), scene.velocity_m_s.y(), 0);

  const auto steps = static_cast<int>(std::lround(scene.duration_s / step_s));
  CubeEnd end;
  for (int i = 0; i < steps; ++i) {
    dBodyAddForce(cube, scene.force_n.x(), scene.force_n.y(), 0);
    dSpaceCollide(space, &contacts, &add_contacts);
    const bool is_exact = solver == OdeSolver::kExact;
    const int ok = is_exact ? dWorldStep(world, step_s) : dWorldQuickStep(world, step_s);
    end.is_solved = end.is_solved && ok != 0;
    dJointGroupEmpty(contacts.joints);
  }
  const dReal* at = dBodyGetPosition(cube);
  const dReal* q = dBodyGetQuaternion(cube);
  end.position_m << at[0], at[1], at[2];
  end.turned_deg = 2.0 * std::atan2(std::hypot(q[1], q[2], q[3]), std::abs(q[0])) * 180.0 / M_PI;
  dJointGroupDestroy(contacts.joints);
  dSpaceDestroy(space);
  dWorldDestroy(world);
  dCloseODE();
  return end;
}

}  // namespace graspmap::bench
