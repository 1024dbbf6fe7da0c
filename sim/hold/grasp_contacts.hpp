#pragma once

#include <vector>

#include "sim/closing/model.hpp"

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

}  // namespace graspmap
