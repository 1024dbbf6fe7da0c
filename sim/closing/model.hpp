#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "geometry/closest_points.hpp"
#include "geometry/mass_properties.hpp"
#include "geometry/outline_shapes.hpp"
#include "geometry/part.hpp"
#include "sim/closing/program.hpp"
#include "sim/closing/support_elements.hpp"
#include "sim/support/fourth_order.hpp"

namespace graspmap {

class OtherStepper;

enum class Coupling {
  kSymmetric,    ///< x_l = -x_r as a bilateral constraint: one degree of freedom
  kIndependent,  ///< each jaw moves on its own
  kRightMoves,   ///< the left jaw is fixed in G
  kLeftMoves     ///< the right jaw is fixed in G
};

/// True for a jaw that a drive moves, false for one that is fixed in G.
inline bool moves(Coupling coupling, JawSide jaw) {
  return coupling != (jaw == JawSide::kRight ? Coupling::kLeftMoves : Coupling::kRightMoves);
}

/// In place of a jaw's own coefficient of friction: it has the trial's.
inline constexpr double kFrictionOfTrial = -1.0;

/// How stiff a pad is at a contact: see PadStiffness.
enum class PadLaw {
  kFoundation,  ///< an elastic foundation: the longer the contact, the stiffer
  kSpring       ///< one spring, whatever presses: that of a foundation of length `spread_mm`
};

/// The soft pad of a jaw: a layer of springs that stand side by side along the jaw's boundary, each
/// with a damper, and behind them the jaw, which is rigid. Chakraborty et al. 2014, section 5, with
/// the stiffness of an elastic foundation, Johnson 1985, section 4.3.
struct Pad {
  double normal_n_per_mm2 = 0.0;  ///< > 0, force per deflection and length of contact
  /// > 0, the same along the boundary; infinity: the pad gives way along the normal only.
  /// Then friction on a flat side is not determined, as between rigid bodies: steps take longer.
  double shear_n_per_mm2 = std::numeric_limits<double>::infinity();
  double spread_mm = 0.0;           ///< > 0, the length on which a point bears; about the thickness
  double most_deflection_mm = 0.0;  ///< > 0
  double damping_s = 0.0;           ///< >= 0, over stiffness: how long the pad takes to recover
  PadLaw law = PadLaw::kFoundation;
};

/// A layer of `thickness_mm` that is as deep as `depth_mm`, of a material with Young's modulus and
/// Poisson's ratio 1/2, as rubber: tensile stress E times strain, shear stress E / 3 times strain.
inline Pad pad_of(double modulus_mpa, double thickness_mm, double depth_mm,
                  double most_deflection_mm) {
  const double normal = modulus_mpa * depth_mm / thickness_mm;
  return {normal, normal / 3.0, thickness_mm, most_deflection_mm};
}

/// How a gripper gives way on the robot's arm: G moves against where it would be on a rigid one, N,
/// on springs and dampers. Its own mass is left out.
struct Mount {
  /// > 0, alike in all directions; infinity: rigid
  double sideways_n_per_mm = std::numeric_limits<double>::infinity();
  /// > 0, moment about G's origin per rad
  double turning_n_mm = std::numeric_limits<double>::infinity();
  double damping_s = 0.0;  ///< >= 0, over stiffness: how long it takes to recover
};

/// A parallel-jaw gripper under force control: on each jaw acts F - c v, v its closing speed,
/// c = F / closing_speed. Jaws start at rest at +-opening/2.
/// A finger is the quarter-plane { x >= 0, y <= 0 } (right) or { x <= 0, y <= 0 } (left), or the
/// region of an outline. Its frame has G's axes and its origin at (x_r, 0) or (x_l, 0).
struct Gripper {
  double jaw_mass_kg = 0.2;          ///< > 0, of each jaw
  double closing_force_n = 10.0;     ///< > 0, F on each jaw
  double closing_speed_mm_s = 50.0;  ///< > 0, the free closing speed of each jaw
  double opening_mm = 64.0;          ///< > 0, distance of the fingertips at the start
  Coupling coupling = Coupling::kSymmetric;
  std::optional<Outline> right_finger = {};  ///< in the right finger's frame; both fingers or none
  std::optional<Outline> left_finger = {};   ///< in the left finger's frame
  std::optional<Outline> palm = {};          ///< in G, in which it does not move
  Vec2 offset_mm = Vec2::Zero();       ///< of G from where a placement says that it is, in P's axes
  double mu_right = kFrictionOfTrial;  ///< >= 0, of the right jaw in place of the trial's mu_jaw
  double mu_left = kFrictionOfTrial;   ///< the same for the left jaw
  std::optional<Pad> right_pad = {};   ///< none: the jaw is rigid
  std::optional<Pad> left_pad = {};
  std::optional<Mount> mount = {};  ///< none: the arm is rigid

  [[nodiscard]] double closing_force_mn() const { return kMillinewtonsPerNewton * closing_force_n; }
  /// How long the jaws take to come near their closing speed, in free travel, s.
  [[nodiscard]] double speed_up_s() const {
    return jaw_mass_kg * closing_speed_mm_s / closing_force_mn();
  }
};

/// The pad of what is at a side; null: it is rigid.
inline const Pad* pad_at(const Gripper& gripper, JawSide side) {
  if (side == JawSide::kRight) return gripper.right_pad ? &*gripper.right_pad : nullptr;
  return side == JawSide::kLeft && gripper.left_pad ? &*gripper.left_pad : nullptr;
}

/// The largest deflection of a gripper's pads, mm; 0 without any.
double most_deflection_mm(const Gripper& gripper);

/// Support friction as one ellipsoid limit surface at the centre of mass:
/// (f_t/e_t)^2 + (f_o/e_o)^2 + (f_r/e_r)^2 <= (mu_s m g)^2, Chakraborty et al. 2014, eq. (5).
/// (t, o) are the gripper frame's x and y.
struct EllipsoidSupport {
  double e_t = 1.0;
  double e_o = 1.0;
  double e_r_mm = 1.0;

  /// Multiplies all lengths by a factor.
  void scale_lengths(double factor) { e_r_mm *= factor; }
  /// Adds the law's elements, at the angle zero, to the support of a part with this centre of mass.
  void add_to(Support& support, const Vec2& center_of_mass_P_mm) const;
};

/// Support friction at three points fixed to the part, at `radius_mm` from the centre of mass, each
/// carrying a third of the weight with isotropic Coulomb friction.
struct TripodSupport {
  double radius_mm = 1.0;
  std::array<double, 3> angles_rad{};

  void scale_lengths(double factor) { radius_mm *= factor; }
  void add_to(Support& support, const Vec2& center_of_mass_P_mm) const;
};

/// A point fixed to the part that carries some of its weight, with isotropic Coulomb friction.
struct SupportPoint {
  Vec2 point_P_mm = Vec2::Zero();
  double load_share = 0.0;       ///< >= 0, of the weight
  double friction_factor = 1.0;  ///< >= 0, of mu_support
};

inline constexpr int kMaxSupportPoints = kMaxSupportElements;

/// Support friction at any number of points, at most kMaxSupportPoints.
struct PointsSupport {
  std::vector<SupportPoint> points;

  void scale_lengths(double factor) {
    for (SupportPoint& point : points) point.point_P_mm *= factor;
  }
  void add_to(Support& support, const Vec2& center_of_mass_P_mm) const;
};

/// Support friction as one ellipsoid limit surface that is fixed in the part: y' A y <= 1 with
/// y = (f_x, f_y, m / length) / (mu_s m g), force and moment about the centre of mass in P's axes.
struct PartEllipsoidSupport {
  double length_mm = 1.0;                                ///< > 0
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Identity();  ///< A: symmetric, positive definite

  void scale_lengths(double factor) { length_mm *= factor; }
  void add_to(Support& support, const Vec2& center_of_mass_P_mm) const;
};

/// Support friction by a convex fourth-order polynomial, Zhou, Paolini, Bagnell and Mason 2016:
/// H(y) <= 1 with y as for PartEllipsoidSupport.
struct FourthOrderSupport {
  double length_mm = 1.0;                  ///< > 0
  FourthOrderCoefficients coefficients{};  ///< of a convex, positive H

  void scale_lengths(double factor) { length_mm *= factor; }
  void add_to(Support& support, const Vec2& center_of_mass_P_mm) const;
};

using SupportModel = std::variant<EllipsoidSupport, TripodSupport, PointsSupport,
                                  PartEllipsoidSupport, FourthOrderSupport>;

/// The models' names in configurations, in the order of SupportModel.
inline constexpr std::array kSupportModelNames{"ellipsoid", "tripod", "points", "part-ellipsoid",
                                               "fourth-order"};
static_assert(kSupportModelNames.size() == std::variant_size_v<SupportModel>);

inline const char* support_model_name(const SupportModel& support) {
  return kSupportModelNames[support.index()];
}

/// A body that is fixed to the table: a wall, a pin, a nest, a guide.
struct Obstacle {
  std::string name;
  Outline outline;               ///< in the table's frame T
  double mu = kFrictionOfTrial;  ///< >= 0, of the obstacle in place of the trial's mu_jaw
};

inline double friction_of(const Obstacle& obstacle, double mu_jaw) {
  return obstacle.mu < 0.0 ? mu_jaw : obstacle.mu;
}

/// Which frame the table's frame T is at the start of a trial.
enum class TableFrame {
  kGripper,  ///< G: the obstacles lie at known places before the gripper
  kPart      ///< P: they lie at known places about the part, as a nest does
};

/// When a trial ends, and which gaps count as contact then.
struct StopRule {
  double stopped_speed_mm_s = 0.1;  ///< closing speed below which the jaws count as stopped
  double stopped_time_s = 0.02;     ///< for how long, after the first contact
  double closed_opening_mm = 2.0;   ///< opening below which the jaws count as closed
  double timeout_s = 3.0;
  double contact_gap_mm = 0.05;  ///< a pair with a gap below this touches
};

/// Everything about a grasp that does not change from trial to trial.
struct Scenario {
  Part part;
  MassProperties mass;
  Gripper gripper;
  SupportModel support;
  double gravity_mm_s2 = 9810.0;
  StopRule stop;
  int order = 1;              ///< of the steps: 1, fixed ones; 2, sized by their error
  double step_s = 0.002;      ///< > 0; with order 2 the largest
  double tolerance_mm = 0.0;  ///< of the error of a step; > 0 with order 2, else 0
  std::shared_ptr<const OtherStepper> other_stepper = {};  ///< null: CondensedStepper
  GripperProgram program = {};  ///< legal phases; empty: one closing until the stop rule ends it
  std::vector<Obstacle> obstacles = {};
  TableFrame table = TableFrame::kGripper;
};

/// True where it matters where on the table the gripper is.
inline bool uses_table(const Scenario& scenario) {
  return !scenario.program.empty() || !scenario.obstacles.empty();
}

/// The parameters of one trial. The placement is the position of G's origin relative to P's origin:
/// the part starts at (-x, -y) in G with the angle theta.
struct TrialParameters {
  double placement_x_mm = 0.0;
  double placement_y_mm = 0.0;
  double theta_rad = 0.0;
  double mu_jaw = 0.0;      ///< >= 0; of jaws and obstacles without one of their own, and the palm
  double mu_support = 0.0;  ///< >= 0
};

/// The coefficients of friction of the right jaw, the left one and the palm on a piece whose factor
/// is 1.
std::array<double, 3> friction_by_side(const Gripper& gripper, const TrialParameters& trial);

/// Configuration and velocity of part and jaws in G, relative to G where that moves, and where G is
/// on the table. The part's position is that of B, the part's axes at its centre of mass.
struct State {
  Vec3 part_pose = Vec3::Zero();      ///< (x mm, y mm, theta rad) of B
  Vec3 part_velocity = Vec3::Zero();  ///< (mm/s, mm/s, rad/s)
  double jaw_right_mm = 0.0;          ///< x_r
  double jaw_left_mm = 0.0;           ///< x_l
  double jaw_right_mm_s = 0.0;
  double jaw_left_mm_s = 0.0;
  Pose2 gripper;                       ///< G in the table's frame T; where !uses_table its start
  Vec3 mount = Vec3::Zero();           ///< (x mm, y mm, rad) of G in N, by Gripper::mount
  Vec3 mount_velocity = Vec3::Zero();  ///< in N
};

/// G in N, by how the mount gives way.
inline Pose2 pose_on_mount(const State& state) { return {state.mount.head<2>(), state.mount[2]}; }

/// N in T, where a scenario uses_table.
Pose2 mount_frame(const State& state);

/// The part's velocity in N.
Vec3 velocity_in_mount(const State& state);

/// How the robot's arm, which moves N with `twist`, moves a G that does not give way on its mount
/// any more; and how G moves against the table. In G's axes; without a mount both are `twist`.
GripperTwist arm_twist(const GripperTwist& twist, const State& state);
GripperTwist gripper_twist(const GripperTwist& twist, const State& state);

/// The energy of the mount's springs, mN mm; 0 without one.
double mount_energy(const Gripper& gripper, const State& state);

/// The state at the start of a trial: part at rest at its placement, jaws open and at rest.
State initial_state(const Scenario& scenario, const TrialParameters& trial);

/// The speed below which jaws count as stopped, mm/s: the larger closing speed. On pads they swing,
/// and rebounding is not standing.
double standing_speed_mm_s(const Gripper& gripper, const State& state);

/// The pose of the part frame P in G (position mm, angle rad).
Pose2 part_pose_in_gripper(const Scenario& scenario, const State& state);

}  // namespace graspmap
