#include "sim/dense_solve.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

/// The row at or below `k` with the largest entry in column k.
int pivot_row(const double* A, int n, int stride, int k) {
  int best = k;
  double largest = std::abs(A[k * stride + k]);
  for (int i = k + 1; i < n; ++i) {
    const double entry = std::abs(A[i * stride + k]);
    if (entry > largest) {
      largest = entry;
      best = i;
    }
  }
  return best;
}

}  // namespace

bool solve_dense(double* A, int n, int stride, double* b) {
  for (int k = 0; k < n; ++k) {
    const int p = pivot_row(A, n, stride, k);
    double* const row_k = A + k * stride;
    if (p != k) {
      std::swap_ranges(row_k + k, row_k + n, A + p * stride + k);
      std::swap(b[k], b[p]);
    }
    if (!(std::abs(row_k[k]) > 0.0) || !std::isfinite(row_k[k])) return false;
    const double inverse = 1.0 / row_k[k];
    for (int i = k + 1; i < n; ++i) {
      double* const row_i = A + i * stride;
      const double factor = row_i[k] * inverse;
      if (factor == 0.0) continue;
      for (int j = k + 1; j < n; ++j) row_i[j] -= factor * row_k[j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* const row_k = A + k * stride;
    double sum = b[k];
    for (int j = k + 1; j < n; ++j) sum -= row_k[j] * b[j];
    b[k] = sum / row_k[k];
  }
  return true;
}

}  // namespace graspmap
