#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/scene_model/energy.hpp"
#include "lab/scene_model/soft_layer.hpp"
#include "lab/solids/solid.hpp"
#include "lab/spatial/contact.hpp"
#include "lab/spatial/joint.hpp"

namespace graspmap {

/// A rigid body in space: one convex solid about its centre of mass.
struct SpatialBody {
  std::string name;
  Solid solid;
  bool is_fixed = false;
  double mass_kg = 0.0;                ///< > 0 unless fixed
  Vec3 inertia_kg_mm2 = Vec3::Zero();  ///< principal, about the body's axes; > 0 unless fixed
  Pose3 pose;                          ///< at the start
  Twist velocity = Twist::Zero();      ///< at the start
  Twist force = Twist::Zero();         ///< constant: mN, and mN mm about the centre of mass, in G
};

/// The contact law of two bodies that differs from the scene's default.
struct SpatialContactLaw {
  int body_a = 0;  ///< body_a < body_b
  int body_b = 0;
  EllipticFriction friction;
  bool touch = true;    ///< false: they pass through each other
  SoftLayers layers{};  ///< of bodies A and B; the implicit steppers know them, the others take
                        ///< rigid bodies
};

/// A force on a body for some time, in G's axes.
struct Push {
  int body = 0;
  double start_s = 0.0;
  double end_s = 0.0;
  Twist force = Twist::Zero();  ///< mN, and mN mm about the centre of mass
};

/// When a kick acts.
enum class KickTrigger : std::uint8_t {
  kTurningStops,   ///< whenever |w_z| < 1e-8 rad/s
  kLineContact,    ///< once, after the first step that ends with a line contact of the body
  kSurfaceContact  ///< once, after the first step that ends with a surface contact
};

/// An impulse on a body within one step, in G's axes.
struct Kick {
  int body = 0;
  KickTrigger when = KickTrigger::kTurningStops;
  Twist impulse = Twist::Zero();  ///< mN s, and mN s mm about the centre of mass
};

/// Rigid bodies in space. All pairs with at least one body that moves may touch.
struct SpatialScene {
  std::vector<SpatialBody> bodies;
  Vec3 gravity_mm_s2{0.0, 0.0, -9810.0};
  EllipticFriction friction;  ///< of all pairs without a law of their own
  std::vector<SpatialContactLaw> laws;
  std::vector<SpatialJoint> joints;
  std::vector<Push> pushes;
  std::vector<Kick> kicks;
};

/// The law between two bodies, in either order: the default where they have none.
SpatialContactLaw contact_law(const SpatialScene& scene, int body_a, int body_b);

/// The deflections (n, t, o) of a contact's layers at the end of a step, and the axes t and o
/// there. The tangential ones go on as vectors of G, projected on the tangent plane of the next
/// end.
struct SpatialDeflection {
  int body_a = 0;
  int body_b = 0;
  std::array<Vec3, 2> layers_mm{Vec3::Zero(), Vec3::Zero()};
  Vec3 t = Vec3::UnitX();
  Vec3 o = Vec3::UnitY();
};

/// The poses and velocities of a scene at a time.
struct SpatialState {
  double time_s = 0.0;
  std::vector<Pose3> poses;              ///< by body
  std::vector<Twist> velocities;         ///< by body; of fixed ones zero
  std::vector<SpatialContact> contacts;  ///< of the step that ended here
  std::vector<Twist> joint_impulses;     ///< likewise, by joint: on body A at the joint's point
  std::vector<std::uint8_t> kicked;      ///< by kick: it has acted (of those that act once)
  std::vector<SpatialDeflection> deflections;
};

SpatialState start_state(const SpatialScene& scene);

/// True when a kick acts in the step that begins in this state.
bool is_due(const SpatialScene& scene, const SpatialState& state, std::size_t kick);

/// The impulses of gravity, constant forces, pushes and due kicks on each body in a step of h
/// seconds from `start`; of fixed bodies zero.
std::vector<Twist> applied_impulses(const SpatialScene& scene, const SpatialState& start, double h);

/// I = R diag(inertia) R^T of a body at a pose, kg mm^2, in G's axes.
Mat3 inertia_in_world(const SpatialBody& body, const Pose3& pose);

/// The state h later at velocities `velocities`: poses by `moved`, the kicks that were due done.
/// The contacts, the deflections and the impulses of joints are left empty.
void advance(const SpatialScene& scene, const SpatialState& start,
             const std::vector<Twist>& velocities, double h, SpatialState& end);

/// The energies of the bodies, and of their soft layers where a law has any.
SceneEnergy energy(const SpatialScene& scene, const SpatialState& state);

}  // namespace graspmap
