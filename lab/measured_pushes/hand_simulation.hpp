#pragma once

#include <vector>

#include "lab/measured_pushes/push_simulation.hpp"
#include "lab/measured_pushes/repeat_data.hpp"

namespace graspmap {

inline constexpr double kFingerRadius_mm = 2.5;
inline constexpr double kFingerDistance_mm = 18.0;  ///< of their centres

/// How a plate slides, the fingers on it, and where they are.
struct HandLaw {
  Pose2 hand = {};          ///< in the hand as logged
  Pose2 part = {};          ///< P, in P as the camera sees it
  double mu_finger = 0.25;  ///< of the fingers
  double length_mm = 1.0;   ///< e_r of the limit surface; its other axes are equal
};

/// Runs of one plate: a gripper's fingers are two discs. Its jaws are held, and it follows the
/// logged path by a constant twist from row to row.
class HandScene {
 public:
  explicit HandScene(const PushedShape& shape);

  /// Where the part rests after each push, as the camera sees it, from a start on. Where the hand
  /// would come down on the part, the part is first moved the way the hand pushes. Empty where a
  /// push could not be simulated.
  std::vector<Pose2> rests(const RepeatedRun& run, const Pose2& start, const HandLaw& law,
                           Workspace& workspace, SimulationResult& result) const;

 private:
  [[nodiscard]] Pose2 cleared(Pose2 part) const;

  Scenario scenario_;
};

}  // namespace graspmap
