#pragma once

#include <cmath>
#include <variant>
#include <vector>

#include "geometry/spatial/solid.hpp"

namespace graspmap {

template <typename T>
using Vec3T = Eigen::Matrix<T, 3, 1>;

/// The convex functions f whose sub-level sets f <= 0 a solid is the intersection of, in body axes.
/// Each is a length: its gradient is of length one, or near to it, on the surface f = 0. Values and
/// gradients are for any scalar, so that second derivatives can be had by automatic differentiation
/// of the gradients.
struct PlaneSurface {
  Vec3 normal = Vec3::UnitZ();  ///< unit
  double offset_mm = 0.0;       ///< f = normal . x - offset

  template <typename T>
  [[nodiscard]] T value(const Vec3T<T>& x) const {
    return x.dot(normal.cast<T>()) - T(offset_mm);
  }
  template <typename T>
  [[nodiscard]] Vec3T<T> gradient(const Vec3T<T>& /*x*/) const {
    return normal.cast<T>();
  }
};

/// f = sqrt(x^2 + y^2) - r, about the z axis.
struct TubeSurface {
  double radius_mm = 0.0;

  template <typename T>
  [[nodiscard]] T value(const Vec3T<T>& x) const {
    using std::sqrt;
    return sqrt(T(x[0] * x[0] + x[1] * x[1])) - T(radius_mm);
  }
  template <typename T>
  [[nodiscard]] Vec3T<T> gradient(const Vec3T<T>& x) const {
    using std::sqrt;
    const T rho = sqrt(T(x[0] * x[0] + x[1] * x[1]));
    return {x[0] / rho, x[1] / rho, T(0.0)};
  }
};

/// f = c (|x/a| - 1) with the Euclidean norm, c the least semi-axis.
struct EllipsoidSurface {
  Vec3 semi_axes_mm = Vec3::Ones();

  template <typename T>
  [[nodiscard]] T value(const Vec3T<T>& x) const {
    return T(semi_axes_mm.minCoeff()) * (norm(x) - T(1.0));
  }
  template <typename T>
  [[nodiscard]] Vec3T<T> gradient(const Vec3T<T>& x) const {
    const T scale = T(semi_axes_mm.minCoeff()) / norm(x);
    Vec3T<T> g;
    for (int i = 0; i < 3; ++i) g[i] = x[i] * scale / T(semi_axes_mm[i] * semi_axes_mm[i]);
    return g;
  }

 private:
  template <typename T>
  [[nodiscard]] T norm(const Vec3T<T>& x) const {
    using std::sqrt;
    T sum(0.0);
    for (int i = 0; i < 3; ++i) {
      const T scaled = x[i] / T(semi_axes_mm[i]);
      sum += scaled * scaled;
    }
    return sqrt(sum);
  }
};

/// f = c (|x/a|_e - 1) with the e-norm, c the least semi-axis.
struct SuperquadricSurface {
  Vec3 semi_axes_mm = Vec3::Ones();
  double exponent = 2.0;  ///< >= 2

  template <typename T>
  [[nodiscard]] T value(const Vec3T<T>& x) const {
    return T(semi_axes_mm.minCoeff()) * (norm(x) - T(1.0));
  }
  template <typename T>
  [[nodiscard]] Vec3T<T> gradient(const Vec3T<T>& x) const {
    using std::pow;
    const T scale = T(semi_axes_mm.minCoeff()) * pow(norm(x), 1.0 - exponent);
    Vec3T<T> g;
    for (int i = 0; i < 3; ++i) {
      const T scaled = x[i] / T(semi_axes_mm[i]);
      g[i] = scaled * power(scaled, exponent - 2.0) * scale / T(semi_axes_mm[i]);
    }
    return g;
  }

 private:
  /// |x|^p, with derivative zero at x = 0 where p > 0 does not have one.
  template <typename T>
  [[nodiscard]] static T power(const T& x, double p) {
    using std::abs;
    using std::pow;
    if (p == 0.0) return T(1.0);
    if (x == T(0.0)) return T(0.0);
    return pow(T(abs(x)), p);
  }
  template <typename T>
  [[nodiscard]] T norm(const Vec3T<T>& x) const {
    using std::pow;
    T sum(0.0);
    for (int i = 0; i < 3; ++i) sum += power(T(x[i] / T(semi_axes_mm[i])), exponent);
    return pow(sum, 1.0 / exponent);
  }
};

using Surface = std::variant<PlaneSurface, TubeSurface, EllipsoidSurface, SuperquadricSurface>;

/// The functions of a solid: one, or the facets of a box (+-x, +-y, +-z), or lateral surface and
/// ends (+z, -z) of a cylinder.
std::vector<Surface> surfaces(const Solid& solid);

template <typename T>
T surface_value(const Surface& surface, const Vec3T<T>& x) {
  return std::visit([&](const auto& s) { return s.template value<T>(x); }, surface);
}
template <typename T>
Vec3T<T> surface_gradient(const Surface& surface, const Vec3T<T>& x) {
  return std::visit([&](const auto& s) { return s.template gradient<T>(x); }, surface);
}

}  // namespace graspmap
