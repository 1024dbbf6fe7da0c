#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace graspmap {

/// The shares of a weight at `center_mm` that points under it carry by statics: they are not
/// negative, sum up to 1, and their centre is `center_mm`. For three points they are unique; for
/// more they are those with the least sum of squares, which equal springs under a stiff part give.
/// No value when the centre lies outside of the points' convex hull.
std::optional<std::vector<double>> static_loads(const std::vector<Eigen::Vector2d>& points_mm,
                                                const Eigen::Vector2d& center_mm);

}  // namespace graspmap
