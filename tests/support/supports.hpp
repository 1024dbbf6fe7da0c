#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "sim/closing/model.hpp"
#include "sim/closing/support_friction.hpp"
#include "sim/support/fourth_order.hpp"
#include "sim/support/static_loads.hpp"
#include "tests/support/random.hpp"

/// Supports other than today's ellipsoid and tripod, for tests.

namespace graspmap::testing {

inline Support make_support(const SupportModel& model,
                            const Vec2& center_of_mass_P_mm = Vec2::Zero()) {
  Support support;
  set_model(model, center_of_mass_P_mm, support);
  return support;
}

/// The coefficients of the sum of (l . y)^4 over the rows l: convex, with flat spots where rows are
/// orthogonal.
inline FourthOrderCoefficients sum_of_powers(const std::vector<Vec3>& rows) {
  FourthOrderCoefficients coefficients{};
  for (const Vec3& l : rows) {
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      const auto& [a, b, c] = kFourthOrderPowers[k];
      double times = 24.0;
      for (const int power : {a, b, c}) times /= std::tgamma(power + 1.0);
      coefficients[k] += times * std::pow(l[0], a) * std::pow(l[1], b) * std::pow(l[2], c);
    }
  }
  return coefficients;
}

/// The coefficients of (y' A y)^2.
inline FourthOrderCoefficients squared_form(const Eigen::Matrix3d& A) {
  FourthOrderCoefficients coefficients{};
  for (int i = 0; i < 81; ++i) {
    const int at[] = {i % 3, i / 3 % 3, i / 9 % 3, i / 27};
    std::array<int, 3> powers{};
    for (const int k : at) ++powers[static_cast<std::size_t>(k)];
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      if (kFourthOrderPowers[k] == powers) coefficients[k] += A(at[0], at[1]) * A(at[2], at[3]);
    }
  }
  return coefficients;
}

/// Five points with unequal loads and frictions, about (0.5, -1).
inline PointsSupport some_support_points() {
  return {{{{9.0, 1.0}, 0.3, 1.0},
           {{-4.0, 8.0}, 0.2, 0.7},
           {{-7.0, -6.0}, 0.15, 1.0},
           {{2.0, -9.0}, 0.25, 1.4},
           {{0.0, 0.5}, 0.1, 1.0}}};
}

inline PartEllipsoidSupport tilted_ellipsoid() {
  Eigen::Matrix3d A;
  A << 1.3, 0.4, -0.2, 0.4, 0.9, 0.3, -0.2, 0.3, 1.1;
  return {9.0, A};
}

/// Flat spots along the axes of a turned frame.
inline FourthOrderSupport cornered_surface() {
  return {9.0, sum_of_powers({Vec3(0.8, 0.6, 0.0), Vec3(-0.6, 0.8, 0.1), Vec3(0.1, 0.0, 0.9)})};
}

/// The largest d . y over H(y) <= 1: with g the minimum of H(g) - d . g, found by Newton's method
/// with a line search, it is d . g / H(g)^(1/4).
inline double most_on_surface(const FourthOrderForm& form, const Vec3& direction) {
  const double size = direction.norm();
  if (size == 0.0) return 0.0;
  const Vec3 d = direction / size;
  const auto objective = [&](const Vec3& g) { return form.value(g) - d.dot(g); };
  Vec3 g = d * std::cbrt(0.25 / form.value(d));
  for (int k = 0; k < 200; ++k) {
    const Vec3 gradient = form.gradient(g) - d;
    if (gradient.norm() < 1e-9) break;  // the value is off by the square of that
    const Eigen::Matrix3d H = form.hessian(g) + 1e-10 * Eigen::Matrix3d::Identity();
    const Vec3 step = -H.ldlt().solve(gradient);
    double alpha = 1.0;
    while (alpha > 1e-12 && objective(g + alpha * step) > objective(g)) alpha *= 0.5;
    g += alpha * step;
  }
  return size * d.dot(g) / std::sqrt(std::sqrt(form.value(g)));
}

/// Drawn one after the other: a compiler may draw a call's arguments in any order.
inline Vec3 three_between(auto& random, double least, double most) {
  const double z = random.uniform(least, most);
  const double y = random.uniform(least, most);
  const double x = random.uniform(least, most);
  return {x, y, z};
}

inline Vec3 random_direction(auto& random) {
  for (;;) {
    const Vec3 v = three_between(random, -1.0, 1.0);
    if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
  }
}

/// A random positive definite matrix with eigenvalues from 0.3 to 3.
inline Eigen::Matrix3d random_matrix(auto& random) {
  Eigen::Matrix3d axes;
  axes.col(0) = random_direction(random);
  axes.col(1) = axes.col(0).cross(random_direction(random)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  const Vec3 values = three_between(random, 0.3, 3.0);
  return axes * values.asDiagonal() * axes.transpose();
}

/// Convex, from nearly an ellipsoid to three orthogonal powers, which have flat spots.
inline FourthOrderCoefficients random_fourth_order(auto& random) {
  const Eigen::Matrix3d root = random_matrix(random).llt().matrixL();
  std::vector<Vec3> rows;
  for (int k = 0; k < 3; ++k) rows.push_back(root.row(k));
  for (int k = random.index(4); k > 0; --k) rows.push_back(0.8 * random_direction(random));
  return sum_of_powers(rows);
}

/// 3 to 16 points around the centre of mass with the loads of statics or random ones.
inline PointsSupport random_points(auto& random, double reach_mm, const Vec2& center) {
  const int count = 3 + random.index(kMaxSupportPoints - 2);
  std::vector<Vec2> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 2.0 * std::numbers::pi * (k + random.uniform(0.0, 0.4)) / count;
    points.push_back(center +
                     random.uniform(0.2, 1.0) * reach_mm * Vec2(std::cos(angle), std::sin(angle)));
  }
  const auto loads = static_loads(points, center);
  PointsSupport support;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double load = loads ? (*loads)[k] : 1.0 / count;
    const double factor = random.index(3) == 0 ? random.uniform(0.0, 2.0) : 1.0;
    support.points.push_back({points[k], load, factor});
  }
  return support;
}

/// Any of the models that are fixed in the part, for a part of this size.
inline SupportModel random_support(auto& random, double reach_mm, const Vec2& center) {
  const double length = random.uniform(0.3, 0.8) * reach_mm;
  switch (random.index(3)) {
    case 0:
      return random_points(random, reach_mm, center);
    case 1:
      return PartEllipsoidSupport{length, random_matrix(random)};
    default:
      return FourthOrderSupport{length, random_fourth_order(random)};
  }
}

}  // namespace graspmap::testing
