#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lab/planar/convex_shape.hpp"
#include "lab/scene_model/contact_laws.hpp"
#include "lab/scene_model/scene_run.hpp"

namespace graspmap {

/// How one of a body's three velocities (v_x, v_y, omega) follows from the generalised ones:
/// factor * nu[index], or zero without an index. Two bodies that share an index move together.
struct Coordinate {
  int index = -1;
  double factor = 1.0;
};

/// A body that is moved by hand: displaced along y by amplitude sin^2(pi t / duration) during the
/// first `duration_s` of every `period_s`.
struct Shake {
  double amplitude_mm = 0.0;
  double duration_s = 1.0;  ///< > 0, <= period_s
  double period_s = 1.0;
};

/// A rigid body in the plane: a union of convex shapes about its centre of mass.
struct PlanarBody {
  std::string name;
  std::vector<PlacedShape> shapes;
  double mass_kg = 0.0;                   ///< > 0 for a body with coordinates
  double inertia_kg_mm2 = 0.0;            ///< about the centre of mass
  std::array<Coordinate, 3> coordinates;  ///< none: fixed, or moved by `shake`
  Vec3 pose = Vec3::Zero();               ///< at the start: x mm, y mm, theta rad
  std::optional<Shake> shake;

  /// True for a body with at least one coordinate.
  [[nodiscard]] bool moves_freely() const {
    return coordinates[0].index >= 0 || coordinates[1].index >= 0 || coordinates[2].index >= 0;
  }
};

/// The largest distance of a point of the body from its centre of mass, from above; infinity when
/// one of its shapes is open.
double bounding_radius_mm(const PlanarBody& body);

/// The contact law of two bodies that differs from the scene's default.
struct ContactLaw {
  int body_a = 0;  ///< body_a < body_b
  int body_b = 0;
  double mu = 0.0;
  bool touch = true;              ///< false: they pass through each other
  std::optional<SoftLayer> soft;  ///< one layer that gives way along the normal only
  SoftLayers layers{};            ///< in its place, of bodies A and B: `implicit` and
                                  ///< `implicit-full` know them, the others take rigid bodies
};

/// A pin joint: a point of one body stays on a point of another one.
struct PinJoint {
  int body_a = 0;
  int body_b = 0;
  Vec2 point_a_mm{0, 0};  ///< in body A's frame
  Vec2 point_b_mm{0, 0};  ///< in body B's frame
};

/// A force F - c nu on a generalised coordinate, with c taken implicitly.
struct Drive {
  int coordinate = 0;
  double force_mn = 0.0;
  double damping_mn_s_per_mm = 0.0;
};

/// Friction of a body on the table that it lies on (2.5D): an ellipsoid limit surface at its centre
/// of mass, eq. (5): (f_t/e_t)^2 + (f_o/e_o)^2 + (f_r/e_r)^2 <= limit^2, (t, o) along x and y.
struct TableFriction {
  int body = 0;
  double e_t = 1.0;
  double e_o = 1.0;
  double e_r_mm = 1.0;
  double limit_mn = 0.0;  ///< mu_s m g
};

/// A planar multibody system. Velocities nu are generalised: each body's follow from its
/// coordinates.
struct PlanarScene {
  std::vector<PlanarBody> bodies;
  int velocities = 0;              ///< size of nu
  Eigen::VectorXd start_velocity;  ///< nu at t = 0
  Vec2 gravity_mm_s2{0.0, -9810.0};
  double mu = 0.0;  ///< friction of all pairs without a law of their own
  std::vector<ContactLaw> laws;
  std::vector<PinJoint> pins;
  std::vector<Drive> drives;
  std::vector<TableFriction> tables;
};

/// Gives a body three coordinates of its own, with the velocity (mm/s, mm/s, rad/s) at the start.
void set_free(PlanarScene& scene, int body, const Vec3& velocity);

/// The law between two bodies: the scene's default where they have none of their own.
ContactLaw contact_law(const PlanarScene& scene, int body_a, int body_b);

/// The deflection of a soft contact at the end of a step, which its layers remember.
struct Deflection {
  std::array<int, 4> contact{};  ///< bodies and shapes: a, shape of a, b, shape of b
  double delta_mm = 0.0;
  ContactFeature feature{};  ///< which of several contacts of the two shapes
  /// For a law with `layers`: (n, t, 0) of each body's layer, turning with the normal.
  std::array<Vec3, 2> layers_mm{Vec3::Zero(), Vec3::Zero()};
};

/// The poses, velocities and deflections of a scene at a time.
struct PlanarState {
  double time_s = 0.0;
  std::vector<Vec3> poses;  ///< by body: x mm, y mm, theta rad
  Eigen::VectorXd nu;       ///< generalised velocities
  std::vector<Deflection> deflections;
};

/// The state at t = 0: the bodies' poses and start_velocity, no deflections.
PlanarState start_state(const PlanarScene& scene);

/// The diagonal of the constant mass matrix M in the generalised coordinates.
Eigen::VectorXd mass_diagonal(const PlanarScene& scene);

/// The diagonal of the drives' damping, mN s/mm.
Eigen::VectorXd damping_diagonal(const PlanarScene& scene);

/// Gravity and the drives' constant forces in the generalised coordinates.
Eigen::VectorXd applied_force(const PlanarScene& scene);

/// The velocity (mm/s, mm/s, rad/s) of a body; of a shaken one at the state's time.
Vec3 body_velocity(const PlanarScene& scene, const PlanarState& state, int body);

/// q^(l+1) = q^l + h nu^(l+1), the shaken bodies at the end's time. Keeps the deflections.
void advance(const PlanarScene& scene, const PlanarState& start, const Eigen::VectorXd& nu,
             double h, PlanarState& end);

/// The energies of the bodies and their soft layers.
SceneEnergy energy(const PlanarScene& scene, const PlanarState& state);

}  // namespace graspmap
