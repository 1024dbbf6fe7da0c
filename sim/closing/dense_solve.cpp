#include "sim/closing/dense_solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// Makes the row at or below k with the largest entry in column k row k. False when there is none.
bool swap_pivot(double* A, int n, int stride, double* b, int k) {
  int best = k;
  for (int i = k + 1; i < n; ++i) {
    if (std::abs(A[i * stride + k]) > std::abs(A[best * stride + k])) best = i;
  }
  if (!(std::abs(A[best * stride + k]) > 0.0)) return false;
  for (int j = k; j < n; ++j) std::swap(A[k * stride + j], A[best * stride + j]);
  std::swap(b[k], b[best]);
  return true;
}

/// Eliminates column k below its diagonal (rows rarely change places, see kPivotRatio), where the
/// pivot's inverse is left. False when it has no pivot. Inline, so that the loops of a system of
/// known size are unrolled.
[[gnu::always_inline]] inline bool eliminate(double* A, int n, int stride, double* b, int k) {
  double* const row_k = A + k * stride;
  double largest = 0.0;
  for (int i = k + 1; i < n; ++i) largest = std::max(largest, std::abs(A[i * stride + k]));
  if (!(tolerances::kPivotRatio * std::abs(row_k[k]) > largest) &&
      !swap_pivot(A, n, stride, b, k)) {
    return false;
  }
  const double inverse = 1.0 / row_k[k];
  for (int i = k + 1; i < n; ++i) {
    double* const row_i = A + i * stride;
    const double factor = row_i[k] * inverse;
    for (int j = k + 1; j < n; ++j) row_i[j] -= factor * row_k[j];
    b[i] -= factor * b[k];
  }
  row_k[k] = inverse;
  return true;
}

/// Solves for unknown k when those after it are known.
[[gnu::always_inline]] inline void substitute(const double* A, int n, int stride, double* b,
                                              int k) {
  double sum = b[k];
  for (int j = k + 1; j < n; ++j) sum -= A[k * stride + j] * b[j];
  b[k] = sum * A[k * stride + k];
}

bool solve_any(double* A, int n, int stride, double* b) {
  for (int k = 0; k < n; ++k) {
    if (!eliminate(A, n, stride, b, k)) return false;
  }
  for (int k = n - 1; k >= 0; --k) substitute(A, n, stride, b, k);
  return true;
}

template <int N, int... K>
bool solve_fixed(const double* A, int stride, double* b, std::integer_sequence<int, K...>) {
  std::array<double, std::size_t{N} * N> compact;
  for (int i = 0; i < N; ++i) std::copy_n(A + i * stride, N, compact.begin() + i * N);
  double* const C = compact.data();
  if (!(eliminate(C, N, N, b, K) && ...)) return false;
  (substitute(C, N, N, b, N - 1 - K), ...);
  return true;
}

template <int N>
bool solve_fixed(const double* A, int stride, double* b) {
  return solve_fixed<N>(A, stride, b, std::make_integer_sequence<int, N>{});
}

bool solve(double* A, int n, int stride, double* b) {
  switch (n) {
    case 4:
      return solve_fixed<4>(A, stride, b);
    case 5:
      return solve_fixed<5>(A, stride, b);
    case 6:
      return solve_fixed<6>(A, stride, b);
    case 7:
      return solve_fixed<7>(A, stride, b);
    case 8:
      return solve_fixed<8>(A, stride, b);
    case 9:
      return solve_fixed<9>(A, stride, b);
    case 10:
      return solve_fixed<10>(A, stride, b);
    default:
      return solve_any(A, n, stride, b);
  }
}

}  // namespace

bool solve_dense(double* A, int n, int stride, double* b) {
  return solve(A, n, stride, b) && std::all_of(b, b + n, [](double x) { return std::isfinite(x); });
}

}  // namespace graspmap
