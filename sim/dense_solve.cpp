#include "sim/dense_solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace graspmap {
namespace {

/// The diagonal entry stays the pivot unless one below it is this many times larger: rows rarely
/// change places then, and entries grow by at most this factor and one in each column.
constexpr double kPivotRatio = 10.0;

/// A size that is known when this is compiled, for shorter code in the loops, or one that is not.
template <int N>
struct FixedSize {
  static constexpr int value = N;
};
struct AnySize {
  int value;
};

/// Makes the pivot's row row k. False when column k is zero or not finite.
template <typename Size>
bool choose_pivot(double* A, Size n, int stride, double* b, int k) {
  double largest = 0.0;
  for (int i = k + 1; i < n.value; ++i) largest = std::max(largest, std::abs(A[i * stride + k]));
  if (kPivotRatio * std::abs(A[k * stride + k]) > largest) return true;
  int best = k;
  for (int i = k + 1; i < n.value; ++i) {
    if (std::abs(A[i * stride + k]) > std::abs(A[best * stride + k])) best = i;
  }
  if (!(std::abs(A[best * stride + k]) > 0.0)) return false;
  for (int j = k; j < n.value; ++j) std::swap(A[k * stride + j], A[best * stride + j]);
  std::swap(b[k], b[best]);
  return true;
}

template <typename Size>
bool eliminate(double* __restrict A, Size n, int stride, double* __restrict b) {
  for (int k = 0; k < n.value; ++k) {
    if (!choose_pivot(A, n, stride, b, k)) return false;
    double* const row_k = A + k * stride;
    const double inverse = 1.0 / row_k[k];
    for (int i = k + 1; i < n.value; ++i) {
      double* const row_i = A + i * stride;
      const double factor = row_i[k] * inverse;
      for (int j = k + 1; j < n.value; ++j) row_i[j] -= factor * row_k[j];
      b[i] -= factor * b[k];
    }
    row_k[k] = inverse;
  }
  for (int k = n.value - 1; k >= 0; --k) {
    double sum = b[k];
    for (int j = k + 1; j < n.value; ++j) sum -= A[k * stride + j] * b[j];
    b[k] = sum * A[k * stride + k];
  }
  return std::all_of(b, b + n.value, [](double x) { return std::isfinite(x); });
}

/// The same on a compact copy.
template <int N>
bool eliminate_fixed(const double* A, int stride, double* b) {
  std::array<double, N * N> compact;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) compact[static_cast<std::size_t>(i * N + j)] = A[i * stride + j];
  }
  return eliminate(compact.data(), FixedSize<N>{}, N, b);
}

}  // namespace

bool solve_dense(double* A, int n, int stride, double* b) {
  switch (n) {
    case 4:
      return eliminate_fixed<4>(A, stride, b);
    case 5:
      return eliminate_fixed<5>(A, stride, b);
    case 6:
      return eliminate_fixed<6>(A, stride, b);
    case 7:
      return eliminate_fixed<7>(A, stride, b);
    case 8:
      return eliminate_fixed<8>(A, stride, b);
    case 9:
      return eliminate_fixed<9>(A, stride, b);
    case 10:
      return eliminate_fixed<10>(A, stride, b);
    default:
      return eliminate(A, AnySize{n}, stride, b);
  }
}

}  // namespace graspmap
