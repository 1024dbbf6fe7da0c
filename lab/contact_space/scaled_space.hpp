#pragma once

#include <vector>

#include "lab/contact_space/contact_space.hpp"

namespace graspmap {

/// A contact space whose numbers are of order one, and the way back. With s_i = 1/sqrt(r_i), r_i
/// the effective inverse mass of a row (the mean one of the three rows of a contact, so that cones
/// stay circular), and V the largest |s_i u_free_i|:
///   p_i = V s_i p^_i,   u_i = V u^_i / s_i,   R^ = s R s,
/// so that masses, units and velocities do not matter. Bilateral rows that depend on others are
/// left out: a consistent problem does not need them.
struct ScaledContactSpace {
  ContactSpace space;
  std::vector<int> rows;         ///< of the original space, by row
  std::vector<int> left_out;     ///< bilateral rows of the original space
  Eigen::VectorXd impulse_unit;  ///< V s_i by row of the original space
  Eigen::VectorXd speed_unit;    ///< V / s_i likewise
};

/// R and u_free are finite, and u_free is not zero.
ScaledContactSpace scaled_contact_space(const ContactSpace& space);

/// Impulses of the original space; zero in rows that are left out.
Eigen::VectorXd unscaled_impulses(const ScaledContactSpace& scaled, const Eigen::VectorXd& p);

/// The largest |u_i| of the bilateral rows that are left out, in scaled units; `u` is of the
/// original space.
double residual_of_left_out(const ScaledContactSpace& scaled, const Eigen::VectorXd& u);

}  // namespace graspmap
