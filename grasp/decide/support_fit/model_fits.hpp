#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "grasp/decide/support_fit/pushes.hpp"
#include "grasp/decide/support_fit/sliding_model.hpp"

namespace graspmap {

/// The ellipsoid that explains scaled pushes best, with a full matrix or a diagonal one.
std::shared_ptr<const EllipsoidSliding> fit_ellipsoid(const std::vector<MeasuredPush>& rows,
                                                      bool diagonal);

/// The convex fourth-order surface that explains scaled pushes best.
std::shared_ptr<const FourthOrderSliding> fit_fourth_order(const std::vector<MeasuredPush>& rows);

/// The loads of points (about the centre of mass, scaled) that explain pushes best; with `shares`
/// only their sum is fitted.
std::shared_ptr<const PointsSliding> fit_points(const std::vector<MeasuredPush>& rows,
                                                const std::vector<Eigen::Vector2d>& points,
                                                const std::vector<double>& shares);

/// The least of |A w - b|^2 over w >= 0: Lawson and Hanson 1974. Takes A' A and A' b.
Eigen::VectorXd non_negative_least_squares(const Eigen::MatrixXd& AtA, const Eigen::VectorXd& Atb);

}  // namespace graspmap
