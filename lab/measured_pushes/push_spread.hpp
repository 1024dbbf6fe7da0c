#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/measured_pushes/push_study.hpp"

namespace graspmap {

/// How single pushes differ from what the law of their set makes of them: standard deviations of
/// normal errors, all multiplied by sqrt(nu / chi^2_nu), one for each push, so that ends have the
/// tails of Student's t.
struct PushSpread {
  double axes = 0.1;         ///< of each of the five parameters of the surface's axes
  double friction = 0.2;     ///< of log mu_pusher
  double position_mm = 1.0;  ///< of the camera's x and y, at the start and at the end
  double angle_rad = 0.01;   ///< of its angle
  double freedom = 5.0;      ///< nu
};

/// The spread on a surface that makes the ends of the pushes that its laws were fitted on most
/// likely, with ends linear in all errors.
PushSpread fit_spread(const PushData& data, const PushStudy& study, const std::string& surface,
                      const SweepControl& control);

/// The share of simulated ends that lie further in than the measured one: uniform in (0, 1) where
/// the spread is right. In is a smaller distance of Mahalanobis from the mean of all of them.
/// `pushes` are numbers of PushData::pushes; each is simulated `draws` times, keyed by seed and
/// push.
std::vector<double> ranks_of_ends(const PushData& data, const PushStudy& study,
                                  const PushSpread& spread, const std::vector<std::size_t>& pushes,
                                  int draws, std::uint64_t seed, const SweepControl& control);

/// The share of ranks below a level: how many of the regions of this level have the measured end.
double cover_of(const std::vector<double>& ranks, double level);

}  // namespace graspmap
