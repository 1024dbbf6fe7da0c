#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/scene_model/contact_laws.hpp"
#include "lab/scene_model/scene_run.hpp"
#include "lab/solids/solid.hpp"

namespace graspmap {

/// Friction of a contact: the impulses lie in the ellipsoid
/// (p_t/e_t)^2 + (p_o/e_o)^2 + (p_r/e_r)^2 <= (mu p_n)^2, Chakraborty et al. 2014, eq. (5) and (7).
struct EllipticFriction {
  double mu = 0.0;
  double e_t = 1.0;
  double e_o = 1.0;
  double e_r_mm = 0.0;  ///< 0: no torsional friction
};

/// What two bodies in contact share. A contact that carries no impulse is open.
enum class PatchKind : std::uint8_t { kOpen, kPoint, kLine, kSurface };
const char* name(PatchKind kind);

/// A contact of two bodies at the end of a step. The points of a line or surface contact are its
/// equivalent contact point (ECP, Xie and Chakraborty 2020).
struct SpatialContact {
  int body_a = 0;  ///< body_a < body_b; the normal points out of B into A
  int body_b = 0;
  EllipticFriction friction;
  Vec3 on_a_mm = Vec3::Zero();
  Vec3 on_b_mm = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  Vec3 t = Vec3::UnitX();  ///< n, t, o are right-handed
  Vec3 o = Vec3::UnitY();
  double gap_mm = 0.0;
  double p_n = 0.0;                ///< mN s, on A along n, >= 0
  double p_t = 0.0;                ///< mN s, on A along t
  double p_o = 0.0;                ///< mN s, on A along o
  double p_r = 0.0;                ///< mN s mm, on A about n
  std::array<double, 2> p_core{};  ///< of p_n, what the cores of A's and B's soft layers carry
  double v_t_mm_s =
      0.0;  ///< velocity of A on B at the points; of soft layers that of their surfaces
  double v_o_mm_s = 0.0;
  double w_r_rad_s = 0.0;   ///< spin of A on B about n
  double sigma_mm_s = 0.0;  ///< sqrt(e_t^2 v_t^2 + e_o^2 v_o^2 + e_r^2 w_r^2); 0 when open
  PatchKind patch = PatchKind::kOpen;
  int facets_a = 0;  ///< multipliers of A's functions that are not zero; 0 where not computed
  int facets_b = 0;
};

/// n, t, o: right-handed, t in the plane of n and an axis.
struct ContactFrame {
  Vec3 n;
  Vec3 t;
  Vec3 o;
  Vec3 axis;
};

/// The axis for a normal: x, or z where the normal is near x.
inline Vec3 frame_axis(const Vec3& n) {
  return std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
}

/// With the given axis; where the normal is along it, with `frame_axis` of the normal.
inline ContactFrame contact_frame(const Vec3& n, const Vec3& wanted) {
  constexpr double kAlong = 0.999;
  const bool is_along = std::abs(n.dot(wanted)) > kAlong * n.norm();
  const Vec3 axis = is_along ? frame_axis(n.normalized()) : wanted;
  const Vec3 t = (axis - n * n.dot(axis)).normalized();
  return {n, t, n.cross(t), axis};
}

/// How t and o turn with n, at the same axis.
struct ContactFrameTurns {
  Mat3 dt_dn;
  Mat3 do_dn;
};
inline ContactFrameTurns frame_turns(const ContactFrame& frame) {
  const double along = frame.n.dot(frame.axis);
  const double length = (frame.axis - frame.n * along).norm();
  const Mat3 turned = -along * Mat3::Identity() - frame.n * frame.axis.transpose();
  const Mat3 dt_dn = (turned - frame.t * (frame.t.transpose() * turned)) / length;
  return {dt_dn, cross_matrix(frame.n) * dt_dn - cross_matrix(frame.t)};
}

/// What two bodies that are joined may still do.
enum class SpatialJointKind : std::uint8_t {
  kSpherical,  ///< turn freely about a common point
  kRevolute,   ///< turn about a common axis
  kPrismatic   ///< slide along a common axis, without turning
};
const char* name(SpatialJointKind kind);  ///< "spherical", "revolute", "prismatic"

/// A joint of two bodies, at least one of which moves. Its frame is fixed in each of the bodies:
/// the joint's point and axes, z the axis of a revolute or prismatic joint.
struct SpatialJoint {
  SpatialJointKind kind = SpatialJointKind::kSpherical;
  int body_a = 0;
  int body_b = 0;
  Pose3 frame_a;  ///< in A's frame
  Pose3 frame_b;  ///< in B's frame
};

/// The joint of two bodies at given poses, which they satisfy: through the point `at_mm`, along
/// `axis` (unit; of no effect for a spherical joint), both in G.
SpatialJoint joint_at(SpatialJointKind kind, int body_a, const Pose3& pose_a, int body_b,
                      const Pose3& pose_b, const Vec3& at_mm, const Vec3& axis = Vec3::UnitZ());

/// The constraints Theta(q) = 0 of a joint and their gradients, Hart and Anitescu 2003, eq. (2.1)
/// and (2.2). With p the joint's point on each body and x, y, z the joint's axes on each:
///   d . (p_A - p_B) = 0 for d = x_B, y_B and, unless the joint is prismatic, z_B;
///   z_A . x_B = z_A . y_B = 0 of a revolute joint; of a prismatic one also y_A . x_B = 0.
class JointEquations {
 public:
  static constexpr int kMostRows = 5;
  using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostRows, 1>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, kMostRows, 6>;
  using Square = Eigen::Matrix<double, 6, 6>;

  struct Body {
    Vec3 centre_mm;
    Mat3 R;  ///< body axes to G's
  };

  JointEquations(const SpatialJoint& joint, const Body& A, const Body& B);
  JointEquations(const SpatialJoint& joint, const Pose3& A, const Pose3& B);

  [[nodiscard]] int size() const { return static_cast<int>(theta_.size()); }
  /// Rows before this one are in mm, those from it on in rad.
  [[nodiscard]] int first_angle() const;
  /// Theta: mm, then rad (sines of angles).
  [[nodiscard]] const Values& theta() const { return theta_; }
  /// dTheta/dt by (v, w) of A (side 0) or of B (side 1).
  [[nodiscard]] const Rows& rows(int side) const { return rows_[static_cast<std::size_t>(side)]; }
  /// How the impulses rows(side)^T lambda on one body change when `other` (a side, too) moves and
  /// turns about G's axes.
  [[nodiscard]] Square impulse_by(int side, int other, const Values& lambda) const;
  /// The impulses lambda as they act on A at the joint's point: mN s; mN s mm.
  [[nodiscard]] Twist load(const Values& lambda) const;
  [[nodiscard]] const Vec3& point_on_a_mm() const { return point_; }

 private:
  SpatialJointKind kind_;
  Vec3 point_;                // on A
  std::array<Vec3, 2> arms_;  // from the bodies' centres to that point
  Mat3 axes_a_, axes_b_;      // column by column, in G
  Values theta_;
  std::array<Rows, 2> rows_;
};

/// How far two bodies are from what a joint allows.
struct JointGap {
  double mm = 0.0;
  double rad = 0.0;
};
JointGap joint_gap(const SpatialJoint& joint, const Pose3& pose_a, const Pose3& pose_b);

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
  std::vector<Twist> joint_impulses;     ///< of that step, by joint: on body A at the joint's point
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

/// Two bodies that may touch, body_a < body_b; at least one moves.
struct BodyPair {
  int body_a = 0;
  int body_b = 0;
  bool operator==(const BodyPair&) const = default;
};

/// The pairs with a gap of at most `reach_mm` in a state, in the order of their bodies.
std::vector<BodyPair> near_pairs(const SpatialScene& scene, const SpatialState& state,
                                 double reach_mm);

/// Adds the pairs that overlap in a state and are not among `pairs`. False when no pair does.
bool add_overlapping(const SpatialScene& scene, const SpatialState& state,
                     std::vector<BodyPair>& pairs);

}  // namespace graspmap
