#pragma once

#include <vector>

#include "lab/planar/full/full_contact_set.hpp"

namespace graspmap {

/// A guess of a step's solution.
struct StepGuess {
  Eigen::VectorXd nu;
  struct Impulses {
    double p_n = 0.0;
    double p_nr = 0.0;
    std::array<double, 2> p_core{};
    double s = 0.0;      ///< p_t / (mu p_n)
    Vec2 on_a_mm{0, 0};  ///< where they act, if several features share p_n
    Vec2 on_b_mm{0, 0};
    bool has_point = false;
  };
  std::vector<Impulses> pairs;  ///< by pair
  std::vector<Vec2> pins;       ///< mN s
  std::vector<Vec3> tables;     ///< s, by table of the scene
};

/// Guesses impulses by sweeps of projected Gauss-Seidel over the near features, each a point
/// contact with its rows at the pose of the last guess: nu = nu_free + M^-1 W p,
/// 0 <= p_n orthogonal to psi + h W_n (nu - nu_0) >= 0, |p_t| <= mu p_n. Not a solution, but mostly
/// with the right contacts open, sticking and sliding. Pins are left out.
void guess_step(const PlanarScene& scene, const PlanarState& start, double h,
                const std::vector<PiecePair>& pairs, const Eigen::VectorXd& free_velocity,
                StepGuess& guess);

}  // namespace graspmap
