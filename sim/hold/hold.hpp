#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/closing/model.hpp"
#include "sim/hold/cone_program.hpp"

namespace graspmap {

/// A point at which the gripper touches the part, in the plane.
struct GraspContact {
  JawSide side = JawSide::kRight;  ///< a jaw or the palm
  Vec2 point_G_mm{0, 0};
  Vec2 normal_G{0, 0};  ///< unit, out of the gripper
  double mu = 0.0;      ///< of the pair
};

/// The contacts of jaws and palm with the part in a state: the closest points of each pair whose
/// gap is below stop.contact_gap_mm, and both ends of what sides share that lie flush. Obstacles
/// are left out.
std::vector<GraspContact> grasp_contacts(const Scenario& scenario, const TrialParameters& trial,
                                         const State& state);

/// Whether a part that is gripped stays in the hand when the robot lifts and moves it.
///
/// Bodies are rigid. The part is a plate of one height between jaws whose faces stand upright:
/// where the two touch in the plane, they touch over a band of heights. At each point of a contact
/// acts a force f with Coulomb's friction, in space:
///
///   f = n p_n + t p_t + z p_z,   p_n >= 0,   sqrt(p_t^2 + p_z^2) <= mu p_n.
///
/// Pressures that are spread over a band add up to forces at its upper and lower edge, and so do
/// those along a flat contact to forces at its ends: with exact cones the forces at such corners
/// give all wrenches that spread ones can give.
///
/// A load is held when forces at the contacts balance it and each jaw presses as its drive does:
/// what statics leaves open is taken to be as it need be, the most that a rigid gripper can hold.
/// Table and obstacles are gone. Not modelled: pads that peel off or creep, torsional friction of
/// one point, shocks, and how the part slides once it does.

/// How high parts of a gripped plate are above its underside.
struct HoldHeights {
  double center_of_mass_mm = 0.0;
  double contact_low_mm = 0.0;
  double contact_high_mm = 0.0;  ///< >= contact_low_mm
};

/// What a drive does when the load moves its jaw.
enum class HeldDrive : std::uint8_t {
  kGivesWay,  ///< it presses with its force, and no other
  kLocks      ///< it holds its jaw: loads add to one jaw's force what they take from the other's
};

/// A force (N) and a moment about the part's centre of mass (N mm), in G with z upwards.
struct Wrench {
  Eigen::Vector3d force_n = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment_n_mm = Eigen::Vector3d::Zero();
};

/// A factor beyond which what a hold can bear is as good as without end.
inline constexpr double kMostHoldFactor = 1000.0;

/// The forces that a gripper can exert on a part that it holds in a state.
class Hold {
 public:
  /// With jaws whose drives press as in the scenario: both together where they are coupled, or
  /// locked; each by itself where they are independent; the one that moves where the other is
  /// fixed.
  Hold(const Scenario& scenario, const std::vector<GraspContact>& contacts,
       const Vec2& center_of_mass_G_mm, const HoldHeights& heights, HeldDrive drive);

  /// The largest f, at most kMostHoldFactor, such that `steady` + f `load` is held; 0 when `steady`
  /// is not. NaN when that could not be found.
  [[nodiscard]] double largest_factor(const Wrench& load, const Wrench& steady = {}) const;

 private:
  void add_contact(const GraspContact& contact, const Vec2& center_of_mass_G_mm, double z_mm);
  [[nodiscard]] ConeProgram::Rows rows_of(const Wrench& wrench) const;
  /// Forces at the contacts that balance a wrench, as a program without an aim.
  [[nodiscard]] ConeProgram program_beside(const Wrench& steady) const;

  /// Units: forces in the program are multiples of a jaw's, lengths of the grasp's size.
  double force_n_ = 1.0;
  double length_mm_ = 1.0;
  std::array<std::array<double, 2>, 2> drive_rows_{};  ///< whether a jaw's force counts in a row
  ConeProgram program_;
  ConeStatus without_load_ = ConeStatus::kInfeasible;  ///< without the table, too
};

/// How a robot moves what it holds.
struct Manoeuvre {
  HoldHeights heights;
  HeldDrive drive = HeldDrive::kGivesWay;
  double acceleration_mm_s2 = 0.0;  ///< of the gripper, which does not turn
  /// In G with z upwards, unit vectors: each is tried by itself.
  std::vector<Eigen::Vector3d> directions = {Eigen::Vector3d::UnitZ()};
  bool all_horizontal = false;  ///< in place of `directions`: all directions in the plane
  /// A body that is fixed to the part: a tool that it carries.
  double tool_mass_kg = 0.0;
  Eigen::Vector3d tool_at_mm = Eigen::Vector3d::Zero();  ///< (x, y) in P, z above the underside
};

/// The safety factor of a manoeuvre with a part that lies in the hand as in `state`: the least over
/// the directions of the largest multiple of weight and inertial forces that is held. Because
/// forces and their cones scale, it is as well the jaws' force over the force that would just do. 0
/// when the part touches no jaw or but one, or does not stay when the table is gone; NaN when it
/// could not be found. Over all horizontal directions the least is found to kWorstWithin.
double hold_factor(const Scenario& scenario, const TrialParameters& trial, const State& state,
                   const Manoeuvre& manoeuvre);

inline constexpr double kWorstWithin = 1e-3;

/// What a grasp can bear: all but the first beside the weight of the part and its tool. Infinite
/// beyond kMostHoldFactor times what a jaw presses with; all 0 where the part touches no jaw or but
/// one; NaN where it could not be found.
struct HoldCapacity {
  double vertical_n = 0.0;  ///< largest weight of the part with its tool: times 1 + a / g
  double in_plane_n =
      0.0;  ///< largest force in the plane, at the centre of mass, in the worst direction
  Vec2 worst_direction_G{0, 0};  ///< that direction
  double moment_x_n_mm = 0.0;  ///< largest moment about x, tilting about the line of the contacts;
  double moment_y_n_mm = 0.0;  ///< about y; and about z, in the plane: of both signs the less
  double moment_z_n_mm = 0.0;
};

HoldCapacity hold_capacity(const Scenario& scenario, const TrialParameters& trial,
                           const State& state, const Manoeuvre& manoeuvre);

}  // namespace graspmap
