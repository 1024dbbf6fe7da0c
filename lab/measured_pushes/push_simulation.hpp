#pragma once

#include "lab/measured_pushes/push_data.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {

/// How a plate slides on a surface, and the pusher on it.
struct PushLaw {
  SupportModel support;
  double mu_support = 0.25;  ///< of the table, for the weight of a steel plate
  double mu_pusher = 0.25;
};

/// The start of a push as it is simulated.
struct PushStart {
  Pose2 part;     ///< P on the table
  Vec2 moved_mm;  ///< from where it was measured
};

/// The end of one.
struct SimulatedPush {
  Pose2 end;  ///< P on the table; where it was at the start unless solved
  bool solved = false;
};

/// The outline of a round pusher.
Outline pushing_disc(double radius_mm);

/// A plate and how its motion is stepped, without a pusher.
Scenario sliding_scenario(const PushedShape& shape);

/// Pushes of one plate: the palm of a gripper that moves with the pusher's speed, along a straight
/// path, is the pusher's disc. The gripper's axes are the table's, its jaws far away.
class PushScene {
 public:
  explicit PushScene(const PushedShape& shape);

  /// Where the pusher touches the part: a camera's pose is off by a millimetre or two, while the
  /// robot knows its pusher, and a push begins in contact. The part is moved along the contact's
  /// normal; not where the gap is more than kMostGap_mm, for such a push began apart.
  [[nodiscard]] PushStart in_contact(const RecordedPush& push) const;

  /// The push from a start on. What the start was moved by is taken back at the end: the camera is
  /// taken to be off by as much there.
  SimulatedPush simulated(const RecordedPush& push, const PushStart& start, const PushLaw& law,
                          Workspace& workspace, SimulationResult& result) const;

  static constexpr double kMostGap_mm = 5.0;

 private:
  [[nodiscard]] double gap_mm(const RecordedPush& push, const Pose2& part) const;

  Scenario scenario_;
  Scenario at_center_;  ///< with a pusher that is nearly a point, to which gaps are measured
};

}  // namespace graspmap
