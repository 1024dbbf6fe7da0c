#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <optional>

#include "geometry/assert.hpp"

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

/// Stiffness and damping of a layer in the directions (n, t, o) of a contact, Chakraborty et al.
/// 2014, section 5. Both symmetric; K positive definite, C positive semidefinite. In the plane o
/// is not coupled to n and t, and nothing deflects along it.
struct SoftMatrices {
  Eigen::Matrix3d stiffness_mn_per_mm = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d damping_mn_s_per_mm = Eigen::Matrix3d::Zero();
};

/// A compliant layer around a rigid core, Chakraborty et al. 2014, eq. (33)-(36): springs and
/// dampers, along the normal up to a largest deflection.
struct SoftLayer {
  double stiffness_mn_per_mm = 0.0;  ///< K_nn > 0
  double damping_mn_s_per_mm = 0.0;  ///< C_nn >= 0
  double max_deflection_mm = 0.0;    ///< delta_max > 0: the core stands behind it
  /// K and C of all directions, whose entries nn are those above; without them the layer gives way
  /// along the normal only.
  std::optional<SoftMatrices> matrices = std::nullopt;
};

/// The layers of bodies A and B of a contact, in series.
using SoftLayers = std::array<std::optional<SoftLayer>, 2>;

inline bool is_soft(const SoftLayers& layers) { return layers[0] || layers[1]; }

/// How deep the cores let two bodies overlap.
inline double max_deflection_mm(const SoftLayers& layers) {
  double sum = 0.0;
  for (const auto& layer : layers) sum += layer ? layer->max_deflection_mm : 0.0;
  return sum;
}

/// A layer in a step of h, eq. (37) solved for the deflection:
///   P - p_core e_n = h K delta + C (delta - delta^l),   delta = Y (P - p_core e_n) + Z delta^l,
/// with P = (p_n, p_t, p_o) the impulse on A, Y = (h K + C)^-1 and Z = Y C. delta_n is how far the
/// surface is pressed in, (delta_t, delta_o) how far it is shifted along the impulse on its body.
struct LayerStep {
  bool exists = false;
  Eigen::Matrix3d Y = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d Z = Eigen::Matrix3d::Zero();
  double max_mm = 0.0;

  [[nodiscard]] Eigen::Vector3d deflection(const Eigen::Vector3d& P, double p_core,
                                           const Eigen::Vector3d& before_mm) const {
    return Y * P - p_core * Y.col(0) + Z * before_mm;
  }
};

/// The layers of a contact in a step. The same impulse acts on both; the contact's deflection is
/// their sum, and each has a core of its own:
///   0 <= p_n orthogonal to gap + sum delta_n >= 0,   0 <= p_core orthogonal to delta_max -
///   delta_n,
/// and the surfaces slip on each other by W^T nu + (delta - delta^l) / h along t and o.
struct SoftContactStep {
  std::array<LayerStep, 2> layers;  ///< of A and B
  double h = 0.0;
};

inline LayerStep layer_step(const SoftLayer& layer, double h) {
  GRASPMAP_CHECK(h > 0.0 && layer.stiffness_mn_per_mm > 0.0);
  LayerStep step;
  step.exists = true;
  step.max_mm = layer.max_deflection_mm;
  if (layer.matrices) {
    const Eigen::Matrix3d& C = layer.matrices->damping_mn_s_per_mm;
    step.Y = (h * layer.matrices->stiffness_mn_per_mm + C).inverse();
    step.Z = step.Y * C;
  } else {
    step.Y(0, 0) = 1.0 / (h * layer.stiffness_mn_per_mm + layer.damping_mn_s_per_mm);
    step.Z(0, 0) = step.Y(0, 0) * layer.damping_mn_s_per_mm;
  }
  return step;
}

inline SoftContactStep soft_contact_step(const SoftLayers& layers, double h) {
  SoftContactStep step;
  step.h = h;
  for (std::size_t i = 0; i < 2; ++i) {
    if (layers[i]) step.layers[i] = layer_step(*layers[i], h);
  }
  return step;
}

/// The energy in layers with these deflections (n, t, o), mN mm.
inline double elastic_energy(const SoftLayers& layers,
                             const std::array<Eigen::Vector3d, 2>& deflections_mm) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Eigen::Vector3d& delta = deflections_mm[i];
    if (!layers[i]) continue;
    sum += 0.5 * (layers[i]->matrices ? delta.dot(layers[i]->matrices->stiffness_mn_per_mm * delta)
                                      : layers[i]->stiffness_mn_per_mm * delta[0] * delta[0]);
  }
  return sum;
}

}  // namespace graspmap
