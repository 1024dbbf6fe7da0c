// The sliding cube in ODE 0.16: a box on a plane, four contact points by dCollide in each step,
// their friction limits proportional to the normal force (dContactApprox1), all else as ODE has it:
// ERP 0.2, CFM 1e-10 (double precision), no damping, no disabling, no restitution.
//
// The friction limits are a box: up to mu times the normal force along each of two directions. They
// are along x and y here (what dPlaneSpace gives for this plane), or the first along the velocity.

#include <ode/ode.h>

#include <array>
#include <utility>

#include "bench/peers/sliding_cube/cube_engine.hpp"

namespace graspmap::bench {
namespace {

constexpr int kPoints = 4;

enum class OdeSolver { kDirect, kQuick };
enum class OdeDirections { kAxes, kVelocity };

/// ODE's global state.
struct OdeLibrary {
  OdeLibrary() { dInitODE2(0); }
  ~OdeLibrary() { dCloseODE(); }
  OdeLibrary(const OdeLibrary&) = delete;
  OdeLibrary& operator=(const OdeLibrary&) = delete;
};

class OdeCube : public CubeEngine {
 public:
  OdeCube(const CubeCase& cube, double step_s, OdeSolver solver, OdeDirections directions)
      : cube_(cube), step_s_(step_s), solver_(solver), directions_(directions) {
    static const OdeLibrary library;
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0.0, 0.0, -kGravity_m_s2);
    contacts_ = dJointGroupCreate(0);
    plane_ = dCreatePlane(nullptr, 0.0, 0.0, 1.0, 0.0);
    box_ = dCreateBox(nullptr, kSide_m, kSide_m, kSide_m);
    body_ = dBodyCreate(world_);
    dMass mass;
    dMassSetBoxTotal(&mass, kMass_kg, kSide_m, kSide_m, kSide_m);
    dBodySetMass(body_, &mass);
    dGeomSetBody(box_, body_);
    dBodySetPosition(body_, 0.0, 0.0, 0.5 * kSide_m);
    dBodySetLinearVel(body_, cube.velocity_m_s.x(), cube.velocity_m_s.y(), 0.0);
  }

  ~OdeCube() override {
    dJointGroupDestroy(contacts_);
    dGeomDestroy(box_);
    dGeomDestroy(plane_);
    dWorldDestroy(world_);
  }

  [[nodiscard]] bool step() override {
    add_contacts();
    dBodyAddForce(body_, cube_.force_n.x(), cube_.force_n.y(), 0.0);
    const int done = solver_ == OdeSolver::kDirect ? dWorldStep(world_, step_s_)
                                                   : dWorldQuickStep(world_, step_s_);
    dJointGroupEmpty(contacts_);
    return done != 0;
  }

  [[nodiscard]] CubeState state() const override {
    const dReal* x = dBodyGetPosition(body_);
    const dReal* q = dBodyGetQuaternion(body_);
    const dReal* v = dBodyGetLinearVel(body_);
    return {{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]}};
  }

 private:
  void add_contacts() {
    std::array<dContactGeom, kPoints> points{};
    const int found = dCollide(box_, plane_, kPoints, points.data(), sizeof(dContactGeom));
    for (int k = 0; k < found; ++k) {
      dContact contact{};
      contact.geom = points[static_cast<std::size_t>(k)];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = kMu;
      aim(contact);
      dJointAttach(dJointCreateContact(world_, contacts_, &contact), body_, nullptr);
    }
  }

  /// Friction's first direction, and another limit for the second one where friction is
  /// anisotropic.
  void aim(dContact& contact) const {
    const dReal* v = dBodyGetLinearVel(body_);
    const Vec2 velocity(v[0], v[1]);
    contact.surface.mode |= dContactFDir1;
    contact.fdir1[0] = 1.0;
    if (directions_ == OdeDirections::kVelocity && velocity.norm() > 0.0) {
      contact.fdir1[0] = velocity.x() / velocity.norm();
      contact.fdir1[1] = velocity.y() / velocity.norm();
    }
    if (cube_.e_o != 1.0) {
      contact.surface.mode |= dContactMu2;
      contact.surface.mu2 = cube_.e_o * kMu;
    }
  }

  CubeCase cube_;
  double step_s_;
  OdeSolver solver_;
  OdeDirections directions_;
  dWorldID world_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  dGeomID plane_ = nullptr;
  dGeomID box_ = nullptr;
  dBodyID body_ = nullptr;
};

CubeContestant contestant(std::string name, OdeSolver solver, OdeDirections directions) {
  return {std::move(name), [=](const CubeCase& cube, double step_s) -> std::unique_ptr<CubeEngine> {
            // Limits along and across the velocity cannot depend on the axes.
            if (cube.e_o != 1.0 && directions == OdeDirections::kVelocity) return nullptr;
            return std::make_unique<OdeCube>(cube, step_s, solver, directions);
          }};
}

}  // namespace

std::vector<CubeContestant> ode_cubes() {
  return {contestant("ODE, dWorldStep", OdeSolver::kDirect, OdeDirections::kAxes),
          contestant("ODE, dWorldQuickStep", OdeSolver::kQuick, OdeDirections::kAxes),
          contestant("ODE, dWorldStep, along slip", OdeSolver::kDirect, OdeDirections::kVelocity)};
}

}  // namespace graspmap::bench
