#pragma once

#include <vector>

#include "grasp/decide/statistics/weighted_sample.hpp"

namespace graspmap {

/// The modes of a distribution.
struct DensityModes {
  int count = 0;
  std::vector<int> mode;  ///< of each observation: the mode that it belongs to, the one of the
                          ///< largest share first
};

/// The modes of a weighted sample of up to three coordinates. `label` gives each observation's
/// kind: two of different kinds are not in the same mode (empty: all of one kind).
///
/// 1. Kinds with less than 1 % of the weight or 10 effective observations are set aside; in the end
///    each of their observations joins the mode whose mean is nearest (in standard deviations of
///    all). The steps below look at each other kind by itself.
/// 2. Coordinates with a standard deviation of at most their `resolution` have no spread and are
///    left out; without any other there is one mode. The others are divided by their standard
///    deviations, and turned into principal components of variance 1 (whitened); components with
///    less than 1e-4 of the variance of the first are left out, they repeat the others.
/// 3. Looked at are all whitened coordinates together, each of them alone, and each standardised
///    coordinate alone: along one axis fewer observations are enough to tell groups apart.
/// 4. Each gets a normal kernel density estimate on a grid of 2/3 of the bandwidth, with bandwidth
///    h = (4 / ((d + 2) n))^(1 / (d + 4)) in d coordinates (Silverman 1986, "Density Estimation for
///    Statistics and Data Analysis", eq. 4.14) and with 1.5 h, n the effective number. What
///    lies beyond 11 standard deviations (6 in three coordinates) is left out.
/// 5. Its maxima by persistence (peaks.hpp). A maximum is noise unless the density falls, on the
/// way
///    to a higher one, from f to g with f - g > 3 sqrt(var f + var g), and to g < 0.9 f;
///    var f = (4 pi)^(-d/2) h^-d sum w^2 K / (sum w)^2 (Silverman 1986, section 4.3, for weights).
/// 6. Observations belong to the maximum above their grid node. Those of a maximum with less than
///    1 % of all weight or 10 effective observations go to the nearest other one, and so does what
///    lies where the density is next to nothing. Twins, maxima of one height, share their
///    observations by distance.
/// 7. Most modes win; of equally many those looked at first. Then each mode is looked at by itself,
///    with its own scale and so its own bandwidth, until none falls apart: a bandwidth for all
///    would hide narrow groups beside wide ones.
/// A sample that is its own mirror image has modes that are each other's mirror images.
DensityModes density_modes(const WeightedSample& sample, const Eigen::VectorXd& resolution,
                           const std::vector<int>& label = {});

}  // namespace graspmap
