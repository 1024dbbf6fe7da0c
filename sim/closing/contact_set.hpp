#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/closest_points.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// A piece as the dynamics sees it: fixed to B, the part's axes at the centre of mass.
struct BodyPiece {
  Superellipse shape;
  Vec2 p_BA_mm{0, 0};
  Rotation2 R_BA;
  double bounding_radius_mm = 0.0;
  bool is_element = false;  ///< of an outline: p_BA_mm is the centre of its bounding circle, and
                            ///< ContactBodies has the rest
  int feature = 0;          ///< of the part (Part)
  double friction_factor = 1.0;
};

/// A piece of a part about the part's centre of mass.
BodyPiece make_body_piece(const Piece& piece, const Vec2& center_of_mass_P_mm);

/// All pieces of a part about its centre of mass, into `pieces` (whose memory is kept).
void make_body_pieces(const Part& part, const Vec2& center_of_mass_P_mm,
                      std::vector<BodyPiece>& pieces);

/// A configuration of part and jaws, with the rotation computed once.
struct Configuration {
  Vec3 part_pose = Vec3::Zero();  ///< (x mm, y mm, theta rad) of B in G
  Rotation2 R_GB;
  double jaw_right_mm = 0.0;
  double jaw_left_mm = 0.0;
  Pose2 gripper;  ///< G in the table's frame T

  Configuration() = default;
  Configuration(const Vec3& pose, double right_mm, double left_mm, const Pose2& X_TG = {})
      : part_pose(pose),
        R_GB(pose[2]),
        jaw_right_mm(right_mm),
        jaw_left_mm(left_mm),
        gripper(X_TG) {}
  explicit Configuration(const State& state)
      : Configuration(state.part_pose, state.jaw_right_mm, state.jaw_left_mm, state.gripper) {}

  /// x_r, x_l or 0, for what does not move in its frame.
  [[nodiscard]] double jaw_mm(JawSide side) const {
    if (side == JawSide::kRight) return jaw_right_mm;
    return side == JawSide::kLeft ? jaw_left_mm : 0.0;
  }
};

/// The pose of B in T.
inline Vec3 pose_on_table(const Vec3& part_pose, const Pose2& X_TG) {
  const Vec2 position = transform(X_TG, part_pose.head<2>());
  return {position.x(), position.y(), part_pose[2] + X_TG.angle_rad};
}

/// True when q is the configuration of a state.
inline bool is_at(const Configuration& q, const State& state) {
  return q.part_pose == state.part_pose && q.jaw_right_mm == state.jaw_right_mm &&
         q.jaw_left_mm == state.jaw_left_mm && q.gripper == state.gripper;
}

/// How far the part moves on the table at most between two configurations, mm.
double motion_on_table_mm(const Vec3& from_pose, const Pose2& from_gripper, const Vec3& to_pose,
                          const Pose2& to_gripper, double reach_mm);

/// How far the part moves relative to a jaw or an obstacle at most between two configurations, mm:
/// no gap changes by more. `From` and `To` are a State or a Configuration; `reach_mm` is the
/// largest distance of a point of the part from its centre of mass.
template <typename From, typename To>
[[gnu::always_inline]] inline double largest_motion_mm(const From& from, const To& to,
                                                       double reach_mm) {
  const Vec3 moved = to.part_pose - from.part_pose;
  const double jaw = std::max(std::abs(to.jaw_right_mm - from.jaw_right_mm),
                              std::abs(to.jaw_left_mm - from.jaw_left_mm));
  const double in_gripper = moved.head<2>().norm() + std::abs(moved[2]) * reach_mm + jaw;
  if (to.gripper == from.gripper) [[likely]] {
    return in_gripper;
  }
  return std::max(in_gripper, motion_on_table_mm(from.part_pose, from.gripper, to.part_pose,
                                                 to.gripper, reach_mm));
}

/// Where a contact sits on the piece. For a piece of exponent > 2 on an edge, the boundary
/// parameter is an unknown of the step (its alignment with the edge is one more equation), because
/// on a flat spot it is no smooth function of the configuration; everywhere else it follows from
/// it.
struct ContactPoint {
  JawFeature feature = JawFeature::kVertex;
  Vec2 direction{0.0, 0.0};  ///< of the piece's boundary point; zero: not known
  int piece = 0;             ///< of outlines: where the contact has walked to
  int finger = 0;
};

/// true_gap_mm of a piece and a jaw in configuration q.
double true_gap_mm(const BodyPiece& piece, const Configuration& q, JawSide side);

/// The gap along the normal of one of the jaw's edges, mm: no more than the gap, which is that
/// along the best of the jaw's normals, and the same where the piece lies beside the edge.
double edge_gap_mm(const BodyPiece& piece, const Configuration& q, JawSide side, JawFeature edge);

/// True for closest points at the fingertip with a normal that the jaw does not have there: the tip
/// has gone through a thin piece, and their distance is no gap.
bool is_behind(const ClosestPoints& closest, JawSide side);

/// Exact closest points of a piece and a jaw in a configuration.
ClosestPoints closest_points(const BodyPiece& piece, const Configuration& q, JawSide side);

/// The same, faster where they are near `guess`. For a piece that overlaps the jaw by more than its
/// smallest radius of curvature it may be another local optimum of the overlap than without a
/// guess.
ClosestPoints closest_points(const BodyPiece& piece, const Configuration& q, JawSide side,
                             const ContactPoint& guess);

/// The gap of a circle fixed to the part and a jaw, mm: cheap.
inline double circle_gap_mm(const Vec2& center_B_mm, double radius_mm, const Configuration& q,
                            JawSide side) {
  const Vec2 c = q.part_pose.head<2>() + q.R_GB * center_B_mm;
  const double before_inside =
      side == JawSide::kRight ? q.jaw_right_mm - c.x() : c.x() - q.jaw_left_mm;
  const double above_top = c.y();
  const double distance = before_inside > 0.0 && above_top > 0.0
                              ? std::sqrt(before_inside * before_inside + above_top * above_top)
                              : std::max(before_inside, above_top);
  return distance - radius_mm;
}

/// The same to the nearer jaw.
double circle_gap_mm(const Vec2& center_B_mm, double radius_mm, const Configuration& q);

/// A lower bound of the gap from the piece's bounding circle, mm: cheap.
inline double gap_lower_bound_mm(const BodyPiece& piece, const Configuration& q, JawSide side) {
  return circle_gap_mm(piece.p_BA_mm, piece.bounding_radius_mm, q, side);
}

/// True when the contact's boundary point is an unknown of the step.
inline bool is_tracked(const BodyPiece& piece, const ContactPoint& point) {
  return piece.shape.exponent > 2.0 && point.feature != JawFeature::kVertex;
}

/// The contact in configuration q, continued from `point`, which is updated: a tracked point keeps
/// its place as long as it stays on its edge; everything else is the exact closest point.
ClosestPoints follow_contact(const BodyPiece& piece, const Configuration& q, JawSide side,
                             ContactPoint& point);

/// The sine of the angle between the piece's normal and the edge's: zero when aligned, and for
/// every contact that is not tracked.
inline double misalignment(const BodyPiece& piece, const Configuration& q,
                           const ClosestPoints& closest) {
  if (closest.feature == JawFeature::kVertex) return 0.0;
  return cross(-closest.normal, q.R_GB * (piece.R_BA * closest.boundary.normal));
}

/// The place of a side in arrays by side.
inline std::size_t side_index(JawSide side) { return static_cast<std::size_t>(side); }

inline constexpr std::array kJawSides = {JawSide::kRight, JawSide::kLeft, JawSide::kPalm,
                                         JawSide::kObstacle};
inline constexpr std::size_t kSideCount = kJawSides.size();

/// The right and left jaw's quarter-plane as elements: inside edge, fingertip and top edge, in the
/// order of JawFeature. Edges end far away.
std::vector<ContactElement> quarter_plane_elements(JawSide side);

/// What touches the part at one side, in its own frame: that of a jaw, G or, for all obstacles
/// together, T.
struct Finger {
  std::vector<ContactElement> elements;
  std::vector<int> obstacle;  ///< by element, of obstacles
  /// The rectangle that holds it.
  Vec2 low_mm = Vec2::Constant(std::numeric_limits<double>::infinity());
  Vec2 high_mm = -low_mm;
  bool is_quarter_plane = false;  ///< its elements are then in the order of JawFeature
};

/// The fingers and the palm of a gripper, and the obstacles.
struct Fingers {
  std::array<Finger, kSideCount> by_side;
  bool quarter_planes = true;  ///< no outlines: by_side has the quarter-planes' elements
  int sides = 2;               ///< 3 with a palm, 4 with obstacles

  explicit Fingers(const Gripper& gripper = {}, const std::vector<Obstacle>& obstacles = {});
};

/// True when two grippers have the same fingers and palm, to the last bit.
bool same_fingers(const Gripper& a, const Gripper& b);

/// True for obstacles of the same shapes, to the last bit.
bool same_obstacles(const std::vector<Obstacle>& a, const std::vector<Obstacle>& b);

/// True for the same points, bulges and holes, to the last bit.
bool same_shape(const Outline& a, const Outline& b);

}  // namespace graspmap
