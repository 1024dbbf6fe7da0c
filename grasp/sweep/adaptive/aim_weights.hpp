#pragma once

#include <vector>

#include "grasp/sweep/adaptive/cell_beliefs.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// In what proportion trials in the cells show most of the best placement under the robot's error:
///   n_c ~ (E[p_c (1 - p_c)] sum over the aims m of r(m) W_c(m)^2)^(1/3).
/// An aim is the centre of a cell; its success probability is P(m) = sum over the cells of W_c(m)
/// p_c, W_c the error's mass in a cell. With even points the variance of a cell's estimate falls
/// as 1/n^2 at best, so these numbers make the mean of P's variances small (Neyman 1934, for 1/n,
/// has the square root, which relies more on what the pilot happens to show).
///
/// The error is taken for normal and independent in each coordinate, with the robot's standard
/// deviations and those of what is constant but unknown. r(m) = exp(-d^2 / 2) is how well an aim
/// may still be the best one: d is by how many standard deviations, of what is believed of the
/// cells, the P of the best one is greater. The greatest weight is 1, none is 0.
std::vector<double> aim_weights(const CellGrid& grid, const RobotError& error,
                                const std::vector<CellBelief>& beliefs);

}  // namespace graspmap
