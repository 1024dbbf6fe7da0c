#pragma once

#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"

namespace graspmap {

/// How the part lies in the hand: a scatter of its positions (up to 3,000 trials, taken evenly by
/// weight), and histograms of x, y and theta with the mean and the means of the modes.
/// pose_plot.gp draws pose_plot.png and pose_plot.svg from pose_plot.csv, the trials of the
/// scatter: x_mm, y_mm, theta_rad, mode (from 1).
Figure pose_figure(const DeliveredPoses& poses);

}  // namespace graspmap
