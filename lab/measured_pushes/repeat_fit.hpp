#pragma once

#include <map>
#include <string>

#include "grasp/sweep/trials/sweep.hpp"
#include "lab/measured_pushes/hand_simulation.hpp"

namespace graspmap {

/// x and y (mm) and the angle (rad) of HandLaw::hand, the same of HandLaw::part, log mu_finger /
/// kPriorFriction, and the log of the limit surface's length over that of uniform pressure.
inline constexpr int kHandParameters = 8;
inline constexpr int kLogFriction = 6;
inline constexpr int kLogLength = 7;
using HandParameters = Eigen::Matrix<double, kHandParameters, 1>;

/// Normal priors about 0. The length's is wide: what a part stands on is not known.
inline const HandParameters kHandPriorSd{{1.0, 1.0, 0.02, 1.0, 1.0, 0.02, 0.3, 0.3}};

/// The law of a shape with these parameters.
HandLaw hand_law(const PushedShape& shape, const HandParameters& parameters);

struct HandFit {
  HandParameters parameters = HandParameters::Zero();
  double misfit = 0.0;
  int runs = 0;   ///< that it was fitted on
  int rests = 0;  ///< poses after their pushes
};

/// The law of each object that explains best where its parts rest after each push of the runs that
/// are fitted on: least end_residual and (parameter / its standard deviation)^2. Throws
/// AnalysisStopped.
std::map<std::string, HandFit> fit_hands(const RepeatedPushes& data, const SweepControl& control);

}  // namespace graspmap
