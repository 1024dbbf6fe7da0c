#pragma once

#include <string>
#include <vector>

#include "geometry/types.hpp"

namespace graspmap::bench {

/// A cube that slides on the plane z = 0: example VI-A of Xie and Chakraborty 2020. The numbers of
/// that section are lost in our text; these are of the authors' tutorial, the forces our choice.
inline constexpr double kSide_m = 0.5;
inline constexpr double kMass_kg = 3.0;
inline constexpr double kMu = 0.22;
inline constexpr double kGravity_m_s2 = 9.8;
inline constexpr double kBraking_m_s2 = kMu * kGravity_m_s2;  ///< of friction
inline constexpr double kTorsionArm_m = 0.1;                  ///< e_r
inline constexpr double kDuration_s = 4.0;

/// One variant: from rest of all turning, (0, 0, side/2), a flat face down.
struct CubeCase {
  std::string id;
  std::string title;
  Vec2 force_n = Vec2::Zero();  ///< constant, at the centre of mass
  double e_o = 1.0;             ///< friction along y is e_o times that along x
  Vec2 velocity_m_s = {1.0, 2.0};
};

/// D1a to D1d.
std::vector<CubeCase> cube_cases();

}  // namespace graspmap::bench
