#pragma once

#include <optional>

namespace graspmap {

inline constexpr double kJoulesPerMillinewtonMillimetre = 1e-6;  ///< 1 mN mm = 1 kg mm^2/s^2

/// The mechanical energies of a scene in J.
struct SceneEnergy {
  double kinetic_j = 0.0;
  double potential_j = 0.0;         ///< of gravity, zero at the origin of G
  std::optional<double> elastic_j;  ///< of the deflected soft layers; in space where there are any

  [[nodiscard]] double total_j() const { return kinetic_j + potential_j + elastic_j.value_or(0.0); }
};

}  // namespace graspmap
