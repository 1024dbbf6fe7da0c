#pragma once

#include <Eigen/Core>
#include <type_traits>

namespace graspmap::testing {

/// df/dx by the central difference of fourth order, for f scalar or a fixed-size vector. The error
/// is h^4 f^(5) / 30 by truncation and about 1.5 eps |f| / h by rounding.
template <typename F>
std::invoke_result_t<F, double> central_derivative(const F& f, double x, double h) {
  using Value = std::invoke_result_t<F, double>;
  const Value near = f(x + h) - f(x - h);
  const Value far = f(x + 2.0 * h) - f(x - 2.0 * h);
  return (8.0 * near - far) / (12.0 * h);
}

/// The gradient of a scalar f at a fixed-size vector x.
template <typename F, int N>
Eigen::Matrix<double, N, 1> central_gradient(const F& f, const Eigen::Matrix<double, N, 1>& x,
                                             double h) {
  Eigen::Matrix<double, N, 1> gradient;
  for (int i = 0; i < N; ++i) {
    const auto along = [&](double s) { return f(x + s * Eigen::Matrix<double, N, 1>::Unit(i)); };
    gradient[i] = central_derivative(along, 0.0, h);
  }
  return gradient;
}

/// The Jacobian (M x N) of f, from fixed-size vectors of N to fixed-size vectors of M.
template <int M, typename F, int N>
Eigen::Matrix<double, M, N> central_jacobian(const F& f, const Eigen::Matrix<double, N, 1>& x,
                                             double h) {
  using Column = Eigen::Matrix<double, M, 1>;
  Eigen::Matrix<double, M, N> jacobian;
  for (int i = 0; i < N; ++i) {
    const auto along = [&](double s) -> Column {
      return f(x + s * Eigen::Matrix<double, N, 1>::Unit(i));
    };
    jacobian.col(i) = central_derivative(along, 0.0, h);
  }
  return jacobian;
}

}  // namespace graspmap::testing
