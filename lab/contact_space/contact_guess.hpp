#pragma once

#include <optional>

#include "lab/contact_space/contact_space.hpp"

namespace graspmap {

/// The `number`-th impulses from which an iterative solver of a (scaled) contact space may start,
/// or none when there are no more: 0 no impulses; 1 those that stop all contacts which close, as
/// far as the cones allow; then those after ever more sweeps of projected Gauss-Seidel over the
/// contacts.
std::optional<Eigen::VectorXd> contact_guess(const ContactSpace& space, int number);

}  // namespace graspmap
