#include "sim/closing/dense_solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geometry/assert.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// Numbers that are multiplied and subtracted at once, each as by itself.
using Numbers [[gnu::vector_size(8 * kLanes), gnu::aligned(16), gnu::may_alias]] = double;

/// The row at or below k with the largest entry in column k; -1 when all are zero.
int pivot_row(const double* A, int n, int stride, int k) {
  int best = k;
  for (int i = k + 1; i < n; ++i) {
    if (std::abs(A[i * stride + k]) > std::abs(A[best * stride + k])) best = i;
  }
  return std::abs(A[best * stride + k]) > 0.0 ? best : -1;
}

/// True when row k can stay where it is: see kPivotRatio.
[[gnu::always_inline]] inline bool is_pivot(const double* A, int n, int stride, int k) {
  double largest = 0.0;
  for (int i = k + 1; i < n; ++i) largest = std::max(largest, std::abs(A[i * stride + k]));
  return tolerances::kPivotRatio * std::abs(A[k * stride + k]) > largest;
}

/// True when rows have room for their entries of b, which are then part of them.
template <int N>
constexpr bool kHasRoom = row_width(N) > N;

template <int N>
[[gnu::always_inline]] inline double& rhs(double* A, double* b, int i) {
  return kHasRoom<N> ? A[i * row_width(N) + N] : b[i];
}

/// Row k is subtracted from row i so that its entry in column k would vanish: it is not looked at
/// again, nor what is before it.
template <int N, int K>
[[gnu::always_inline]] inline void subtract_row(double* A, int i, double* b, double inverse) {
  constexpr int kWidth = row_width(N);
  double* const row_i = A + i * kWidth;
  const double* const row_k = A + K * kWidth;
  const double factor = row_i[K] * inverse;
  for (int j = (K + 1) / kLanes * kLanes; j < kWidth; j += kLanes) {
    // By its name: with auto GCC 12 forgets how it is aligned.
    Numbers& some = *reinterpret_cast<Numbers*>(row_i + j);
    some -= factor * *reinterpret_cast<const Numbers*>(row_k + j);
  }
  if (!kHasRoom<N>) b[i] -= factor * b[K];
}

/// Eliminates column K below its diagonal, where the pivot's inverse is left. False when it has no
/// pivot.
template <int N, int K>
[[gnu::always_inline]] inline bool eliminate(double* A, double* b) {
  constexpr int kWidth = row_width(N);
  double* const row = A + K * kWidth;
  if (!is_pivot(A, N, kWidth, K)) {
    const int pivot = pivot_row(A, N, kWidth, K);
    if (pivot < 0) return false;
    std::swap_ranges(row + K, row + kWidth, A + pivot * kWidth + K);
    if (!kHasRoom<N>) std::swap(b[K], b[pivot]);
  }
  const double inverse = 1.0 / row[K];
  for (int i = K + 1; i < N; ++i) subtract_row<N, K>(A, i, b, inverse);
  row[K] = inverse;
  return true;
}

/// Solves for unknown K when those after it are known.
template <int N, int K>
[[gnu::always_inline]] inline void substitute(double* A, double* b) {
  const double* const row = A + K * row_width(N);
  double sum = rhs<N>(A, b, K);
  for (int j = K + 1; j < N; ++j) sum -= row[j] * b[j];
  b[K] = sum * row[K];
}

template <int N, int... K>
[[gnu::always_inline]] inline bool solve_fixed(double* A, double* b,
                                               std::integer_sequence<int, K...>) {
  ((rhs<N>(A, b, K) = b[K]), ...);
  if (!(eliminate<N, K>(A, b) && ...)) return false;
  (substitute<N, N - 1 - K>(A, b), ...);
  return true;
}

template <int N>
[[gnu::noinline]] bool solve_fixed(double* A, double* b) {
  return solve_fixed<N>(A, b, std::make_integer_sequence<int, N>{});
}

/// The same for any size and stride.
[[gnu::noinline]] bool solve_any(double* A, int n, int stride, double* b) {
  for (int k = 0; k < n; ++k) {
    double* const row_k = A + k * stride;
    if (!is_pivot(A, n, stride, k)) {
      const int pivot = pivot_row(A, n, stride, k);
      if (pivot < 0) return false;
      std::swap_ranges(row_k + k, row_k + n, A + pivot * stride + k);
      std::swap(b[k], b[pivot]);
    }
    const double inverse = 1.0 / row_k[k];
    for (int i = k + 1; i < n; ++i) {
      double* const row_i = A + i * stride;
      const double factor = row_i[k] * inverse;
      for (int j = k + 1; j < n; ++j) row_i[j] -= factor * row_k[j];
      b[i] -= factor * b[k];
    }
    row_k[k] = inverse;
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= A[k * stride + j] * b[j];
    b[k] *= A[k * stride + k];
  }
  return true;
}

bool solve(double* A, int n, int stride, double* b) {
  if (stride != row_width(n)) return solve_any(A, n, stride, b);
  switch (n) {
    case 4:
      return solve_fixed<4>(A, b);
    case 5:
      return solve_fixed<5>(A, b);
    case 6:
      return solve_fixed<6>(A, b);
    case 7:
      return solve_fixed<7>(A, b);
    case 8:
      return solve_fixed<8>(A, b);
    case 9:
      return solve_fixed<9>(A, b);
    case 10:
      return solve_fixed<10>(A, b);
    case 11:
      return solve_fixed<11>(A, b);
    case 12:
      return solve_fixed<12>(A, b);
    case 13:
      return solve_fixed<13>(A, b);
    case 14:
      return solve_fixed<14>(A, b);
    case 15:
      return solve_fixed<15>(A, b);
    case 16:
      return solve_fixed<16>(A, b);
    default:
      return solve_any(A, n, stride, b);
  }
}

}  // namespace

/// The first unknown is found last, from all others: it is not finite where one of them is not.
bool solve_dense(double* A, int n, int stride, double* b) {
  GRASPMAP_ASSERT(n >= 1 && stride >= n);
  return solve(A, n, stride, b) && std::isfinite(b[0]);
}

}  // namespace graspmap
