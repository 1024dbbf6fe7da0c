#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "geometry/types.hpp"
#include "lab/planar/convex_shape.hpp"
#include "lab/planar/scene.hpp"

namespace graspmap {

/// The bodies of a contact, their shapes, and the features of these. The same from step to step.
struct ContactKey {
  int body_a = 0;  ///< body_a < body_b; the normal points out of B into A
  int shape_a = 0;
  int body_b = 0;
  int shape_b = 0;
  ContactFeature feature;

  bool operator==(const ContactKey&) const = default;
};

/// A contact at the end of a step.
struct PlanarContact {
  ContactKey key;
  ShapeContact at;
  double mu = 0.0;
  double p_n = 0.0;        ///< normal impulse, mN s, >= 0, on A along n
  double p_t = 0.0;        ///< tangential impulse, mN s, on A along t = perp(n)
  double p_core = 0.0;     ///< the part of p_n that a soft contact's rigid core carries; of two
                           ///< layers the larger one
  double slip_mm_s = 0.0;  ///< v_t of A on B; of soft layers that of their surfaces
};

/// A row in the generalised velocities with few entries: W_n^T or W_t^T of one contact.
struct GeneralizedRow {
  std::array<int, 6> index{};
  std::array<double, 6> value{};
  int size = 0;
  double offset = 0.0;  ///< the velocity of a shaken body in it, at the end of the step

  /// The row times nu, without `offset`.
  [[nodiscard]] double dot(const Eigen::VectorXd& nu) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < graspmap::index(size); ++k) sum += value[k] * nu[index[k]];
    return sum;
  }
  /// vector += factor * row.
  void add_to(Eigen::VectorXd& vector, double factor) const {
    for (std::size_t k = 0; k < graspmap::index(size); ++k) {
      vector[index[k]] += factor * value[k];
    }
  }
};

/// The closest points of a contact in a state.
ShapeContact contact_at(const PlanarScene& scene, const PlanarState& state, const ContactKey& key);

/// The rows of the relative velocity of A on B along `direction` at the contact:
/// W = (d; r_a x d) for A and -(d; r_b x d) for B, Chakraborty et al. 2014, section 3.
GeneralizedRow contact_row(const PlanarScene& scene, const PlanarState& state,
                           const ContactKey& key, const ShapeContact& at, const Vec2& direction);

/// All contacts with a gap of at most `reach_mm`, in a fixed order (bodies, shapes, features), by a
/// sweep along x over the bodies' bounding circles.
void near_contacts(const PlanarScene& scene, const PlanarState& state, double reach_mm,
                   std::vector<ContactKey>& contacts);

/// How far the points of the bodies can move within a step from `state`, at most: a bound of
/// h |v| + r h |omega| for the fastest body, with the applied forces acting through the step, mm.
double step_reach_mm(const PlanarScene& scene, const PlanarState& state, double h);

/// The largest overlap of any pair in a state, mm, >= 0: max over contacts of -gap.
double worst_overlap_mm(const PlanarScene& scene, const PlanarState& state);

/// How a contact changes with the poses (x_a, y_a, theta_a, x_b, y_b, theta_b) of its bodies: rows
/// of partial derivatives.
struct ContactKinematics {
  using Row = Eigen::Matrix<double, 1, 6>;
  Row gap = Row::Zero();   ///< d psi
  Row turn = Row::Zero();  ///< d phi, phi the angle of n
  Eigen::Matrix<double, 2, 6> arm_a = Eigen::Matrix<double, 2, 6>::Zero();  ///< d(on_a - p_a)
  Eigen::Matrix<double, 2, 6> arm_b = Eigen::Matrix<double, 2, 6>::Zero();  ///< d(on_b - p_b)
};

/// With u the relative displacement of A on B along t at the closest points and rho the radii of
/// curvature, rolling and sliding of two curves on each other give
///   (rho_a + rho_b + psi) dphi = u + rho_a dtheta_a + rho_b dtheta_b,
/// and the points slide by ds_a = rho_a (dphi - dtheta_a), ds_b = rho_b (dphi - dtheta_b) along
/// their boundaries, counter-clockwise. On an edge (rho infinite) dphi is that body's turn.
/// `p_a_mm` and `p_b_mm` are the bodies' origins in G. The largest finite radius is limited to
/// `largest_radius_mm`: at a flat spot on an edge the point has no derivative.
ContactKinematics contact_kinematics(const ShapeContact& contact, const Vec2& p_a_mm,
                                     const Vec2& p_b_mm, double largest_radius_mm);

}  // namespace graspmap
