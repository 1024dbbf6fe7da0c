#pragma once

#include <Eigen/Core>

namespace graspmap {

/// Friction by maximum power dissipation in an ellipsoid, Chakraborty et al. 2014, eq. (7), in the
/// coordinates that make a ball of it: u_i = e_i v_i the slip, s_i = p_i / (e_i mu p_n) the impulse
/// over its limit. Divided by mu p_n and (mu p_n)^2 the equations are
///   u + s sigma = 0,   0 <= sigma orthogonal to 1 - |s|^2 >= 0,
/// with the same solutions for p_n > 0, and regular at p_n = 0, where (7) leaves sigma
/// undetermined: sigma is |u| there. The same for one tangential direction in the plane (N = 1), a
/// table (N = 3), and a contact in space with torsion (N = 3).
template <typename T, int N>
struct DissipationRows {
  Eigen::Matrix<T, N, 1> slip;  ///< = 0
  T cone;                       ///< >= 0, orthogonal to sigma
};

template <typename T, int N>
DissipationRows<T, N> maximum_dissipation(const Eigen::Matrix<T, N, 1>& u,
                                          const Eigen::Matrix<T, N, 1>& s, const T& sigma) {
  return {u + s * sigma, T(1.0) - s.squaredNorm()};
}

}  // namespace graspmap
