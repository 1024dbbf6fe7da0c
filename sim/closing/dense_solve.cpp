#include "sim/closing/dense_solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// Two numbers that are multiplied and subtracted at once, each as by itself.
using TwoNumbers [[gnu::vector_size(16), gnu::may_alias]] = double;

/// The rows [A b] of a system of known size, of an even width.
template <int N>
struct Rows {
  static constexpr int kWidth = N / 2 * 2 + 2;
  alignas(16) std::array<double, std::size_t{N} * kWidth> entries;

  double* row(int i) { return entries.data() + i * kWidth; }
};

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

/// Row k is subtracted from row i so that its entry in column k would vanish: it is not looked at
/// again, nor what is before it.
template <int N, int K>
[[gnu::always_inline]] inline void subtract_row(Rows<N>& rows, int i, double inverse) {
  double* const row_i = rows.row(i);
  const double* const row_k = rows.row(K);
  const double factor = row_i[K] * inverse;
  for (int j = (K + 1) / 2 * 2; j < Rows<N>::kWidth; j += 2) {
    auto& two = *reinterpret_cast<TwoNumbers*>(row_i + j);
    two -= factor * *reinterpret_cast<const TwoNumbers*>(row_k + j);
  }
}

/// Eliminates column K below its diagonal, where the pivot's inverse is left. False when it has no
/// pivot.
template <int N, int K>
[[gnu::always_inline]] inline bool eliminate(Rows<N>& rows) {
  if (!is_pivot(rows.row(0), N, Rows<N>::kWidth, K)) {
    const int pivot = pivot_row(rows.row(0), N, Rows<N>::kWidth, K);
    if (pivot < 0) return false;
    std::swap_ranges(rows.row(K) + K, rows.row(K) + N + 1, rows.row(pivot) + K);
  }
  const double inverse = 1.0 / rows.row(K)[K];
  for (int i = K + 1; i < N; ++i) subtract_row<N, K>(rows, i, inverse);
  rows.row(K)[K] = inverse;
  return true;
}

/// Solves for unknown K when those after it are known.
template <int N, int K>
[[gnu::always_inline]] inline void substitute(Rows<N>& rows, double* x) {
  const double* const row = rows.row(K);
  double sum = row[N];
  for (int j = K + 1; j < N; ++j) sum -= row[j] * x[j];
  x[K] = sum * row[K];
}

template <int N, int... K>
bool solve_fixed(const double* A, int stride, double* b, std::integer_sequence<int, K...>) {
  Rows<N> rows;
  for (int i = 0; i < N; ++i) {
    std::copy_n(A + i * stride, N, rows.row(i));
    rows.row(i)[N] = b[i];
    if constexpr (N + 1 < Rows<N>::kWidth) rows.row(i)[N + 1] = 0.0;
  }
  if (!(eliminate<N, K>(rows) && ...)) return false;
  (substitute<N, N - 1 - K>(rows, b), ...);
  return true;
}

template <int N>
bool solve_fixed(const double* A, int stride, double* b) {
  return solve_fixed<N>(A, stride, b, std::make_integer_sequence<int, N>{});
}

/// The same for any size, in place.
bool solve_any(double* A, int n, int stride, double* b) {
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
    case 11:
      return solve_fixed<11>(A, stride, b);
    case 12:
      return solve_fixed<12>(A, stride, b);
    case 13:
      return solve_fixed<13>(A, stride, b);
    default:
      return solve_any(A, n, stride, b);
  }
}

}  // namespace

bool solve_dense(double* A, int n, int stride, double* b) {
  return solve(A, n, stride, b) && std::all_of(b, b + n, [](double x) { return std::isfinite(x); });
}

}  // namespace graspmap
