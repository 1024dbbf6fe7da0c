#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/solids/solid.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// A joint between a link and its parent; its frame is the link's frame, which at q = 0 has the
/// parent's axes.
enum class JointKind : std::uint8_t {
  kPin,     ///< turns about an axis: 1 coordinate, rad
  kSlider,  ///< moves along an axis: 1 coordinate, mm
  kBall,  ///< turns freely: a unit quaternion (w, x, y, z); 3 velocities, rad/s, in the link's axes
  kFree   ///< a position (mm) and a unit quaternion; 6 velocities: mm/s of the link's origin in the
          ///< parent's axes, and rad/s in the link's axes
};

struct Joint {
  JointKind kind = JointKind::kPin;
  Vec3 axis = Vec3::UnitX();  ///< unit, of a pin or slider
  Vec3 at_mm = Vec3::Zero();  ///< where it is in the parent's frame (in G for a root)
};

/// A sphere on a link, the part of it that others touch.
struct LinkBall {
  Vec3 centre_mm = Vec3::Zero();  ///< in the link's frame
  double radius_mm = 0.0;
};

struct Link {
  std::string name;
  int parent = -1;  ///< an earlier link; -1: the ground
  Joint joint;
  double mass_kg = 0.0;                   ///< >= 0
  Vec3 centre_of_mass_mm = Vec3::Zero();  ///< in the link's frame
  Mat3 inertia_kg_mm2 = Mat3::Zero();     ///< about the centre of mass, link's axes
  std::optional<LinkBall> ball;
  Eigen::VectorXd position;  ///< q at the start: 1, 1, 4 or 7 numbers; none: q = 0, unturned
  Eigen::VectorXd velocity;  ///< nu at the start: 1, 1, 3 or 6 numbers; none: zero
};

/// The solid half-space behind a plane.
struct ArmObstacle {
  std::string name;
  Vec3 point_mm = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of the solid
};

/// A point of one link that stays on a point of another link or of the ground: closes a loop by
/// three bilateral rows.
struct Closure {
  int link_a = 0;
  int link_b = -1;                 ///< -1: the ground
  Vec3 point_a_mm = Vec3::Zero();  ///< in link A's frame
  Vec3 point_b_mm = Vec3::Zero();  ///< in link B's frame, or in G
};

/// A tree of links in minimal coordinates, with contacts between balls and obstacles, and between
/// balls of links that are not joined (Mylapilli and Jain 2017, section 2).
struct ArticulatedSystem {
  std::vector<Link> links;  ///< parents before children
  std::vector<ArmObstacle> obstacles;
  std::vector<Closure> closures;
  Vec3 gravity_mm_s2{0.0, 0.0, -9810.0};
  double mu = 0.0;
  double restitution = 0.0;  ///< Newton's, in [0, 1]
  /// Between balls of two links, but not of those that a joint or a closure joins, nor of those
  /// that are joined to the same link. (Those on the ground may touch.)
  bool self_contact = true;
};

/// The number of entries of q of a joint.
int position_size(JointKind kind);
/// The number of entries of nu of a joint.
int velocity_size(JointKind kind);

/// The place of each link's entries in q and nu.
struct CoordinateLayout {
  std::vector<int> q_begin;   ///< by link
  std::vector<int> nu_begin;  ///< by link
  int q_size = 0;
  int nu_size = 0;
};
CoordinateLayout coordinate_layout(const ArticulatedSystem& system);

/// Minimal coordinates and their velocities at a time.
struct ArticulatedState {
  double time_s = 0.0;
  Eigen::VectorXd q;
  Eigen::VectorXd nu;
  std::vector<SpatialContact> contacts;  ///< of the step that ended here
};

/// The system's start; quaternions are made unit.
ArticulatedState start_state(const ArticulatedSystem& system);

/// The coordinates `h` seconds after `q` at constant `nu`: q + h nu, Mylapilli and Jain 2017,
/// eq. (26), but quaternions turn by 2 atan(h |w| / 2) about w and stay unit, as in `moved`.
void advance_coordinates(const ArticulatedSystem& system, const CoordinateLayout& layout,
                         const Eigen::VectorXd& q, const Eigen::VectorXd& nu, double h,
                         Eigen::VectorXd& end);

}  // namespace graspmap
