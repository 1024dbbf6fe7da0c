#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/pictures/shapes.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "sim/closing/contact_set.hpp"

namespace graspmap {

/// The name of an outline's element or corner, and where it is.
struct ElementLabel {
  std::string text;
  Vec2 at_G_mm{0, 0};
  Vec2 inward_G{0, 0};  ///< a unit vector into the part
};

/// The names that a picture of a sample shows at the outlines' boundaries, each once: of what is
/// touched, where it is touched, and of what the success rule names. Superellipses have theirs
/// inside.
std::vector<ElementLabel> element_labels(const TrialStory& story, const TrajectorySample& sample);

/// How a contact holds.
enum class Grip {
  kResting,   ///< no force acts
  kSticking,  ///< friction holds it
  kSliding
};

/// A contact as it is drawn.
struct SceneContact {
  int feature = 0;  ///< of the part
  JawSide side = JawSide::kRight;
  Vec2 point_G_mm{0, 0};
  Vec2 normal_G{0, 0};  ///< out of the jaw or the palm
  Vec2 force_n{0, 0};   ///< on the part, in G
  Grip grip = Grip::kResting;
  double friction = 0.0;    ///< the coefficient
  int finger_feature = -1;  ///< as in ContactRecord
  int obstacle = -1;        ///< the same

  /// Half the opening of its friction cone.
  [[nodiscard]] double cone_rad() const { return std::atan(friction); }
};

/// What a picture shows of one moment of a trial.
struct Scene {
  double time_s = 0.0;
  Pose2 part_pose;  ///< X_GP
  double jaw_right_mm = 0.0;
  double jaw_left_mm = 0.0;
  std::vector<SceneContact> contacts;
  std::vector<ElementLabel> labels;
  /// On the table, with a program or obstacles: then the table moves below G.
  std::optional<Pose2> gripper = {};
  int phase = 0;  ///< of a program
};

/// Where the frame of what is at a side is in G.
Pose2 side_pose(const Scene& scene, JawSide side);

/// The scene at sample `k` of a trial. Forces are means over moment_s: the shortest steps are those
/// of impacts, whose force is as large as the step is short. A contact whose force is next to
/// nothing beside the closing force rests.
Scene scene_at(const TrialStory& story, std::size_t k);

/// The scene between two scenes that follow each other, `share` of the time from `a` to `b`, 0 to
/// 1: part and jaws, and the points of contacts that both have, are between theirs; all else is as
/// in the nearer one.
Scene scene_between(const Scene& a, const Scene& b, double share);

/// The samples of a trajectory for a moving picture: at most `most` >= 2, evenly in time, first and
/// last among them.
std::vector<std::size_t> evenly_in_time(const std::vector<TrajectorySample>& trajectory,
                                        std::size_t most);

/// Points of a grid on the table, in G, that lie in a window of G: by them one sees the table move
/// below the gripper.
std::vector<Vec2> table_marks(const Box& window, const Pose2& gripper);

/// The largest force of all contacts, N; 0 without contacts.
double largest_force_n(const std::vector<Scene>& scenes);

/// The rectangle of G, in mm, that shows a trial: the part all the way, the fingertips at the
/// start, and of outlines of fingers and palm what is not far above or below. Its height is 0.6
/// to 1.2 of its width.
Box scene_window(const TrialStory& story, const PartShape& shape);

/// The scale of force arrows the longest of which is a share of the window's lesser side; 0 without
/// a force.
double arrow_mm_per_n(const Box& window, const std::vector<Scene>& scenes, double share);

/// A window made larger until the force arrows of scenes lie in it, with room for their labels.
Box with_arrows(const Box& window, const std::vector<Scene>& scenes, double mm_per_n);

/// The outline of a finger, the palm or an obstacle; nullptr: a quarter-plane, or no palm.
const Outline* side_outline(const Scenario& scenario, JawSide side, int obstacle = 0);

/// What a place on a finger, the palm or an obstacle is called: of a quarter-plane "inside edge",
/// "fingertip", "top edge"; of an outline the name of the element or "corner 3"
/// (ContactRecord::finger_feature).
std::string finger_place(const Scenario& scenario, JawSide side, JawFeature feature,
                         int finger_feature, int obstacle = 0);

/// The outlines of fingers, palm and obstacles as polygons (outline_polygons), each in its own
/// frame, by their side; none for a quarter-plane and where there is no palm.
using FingerShapes = std::array<std::vector<Points>, kJawSides.size()>;

/// The tolerance of pictures.
inline constexpr double kFingerTolerance_px = 0.1;

FingerShapes finger_shapes(const Scenario& scenario, double tolerance_mm);

}  // namespace graspmap
