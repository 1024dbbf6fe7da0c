#pragma once

#include <Eigen/Core>
#include <vector>

#include "lab/articulated/system.hpp"
#include "lab/spatial/contact.hpp"

namespace graspmap {

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
