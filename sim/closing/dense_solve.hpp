#pragma once

namespace graspmap {

/// How many numbers the processor multiplies at once.
#ifdef __AVX__
inline constexpr int kLanes = 4;
#else
inline constexpr int kLanes = 2;
#endif

/// How far rows of n numbers are apart that each begin where kLanes numbers can be loaded at once.
constexpr int row_width(int n) { return (n + kLanes - 1) / kLanes * kLanes; }

/// Solves A x = b in place by Gaussian elimination: b becomes x, A is overwritten. A is n x n,
/// row-major, its rows `stride` apart; fastest where that is row_width(n) and A at a multiple of
/// 16 bytes, as it then must be, and what is beyond the n numbers of a row may change. Rows change
/// places only where a diagonal entry is less than a tenth of one below it. False when x is not
/// finite. Made for the few unknowns of a step (n of about 5 to 10), where the set-up of a general
/// factorisation costs more than the elimination.
[[nodiscard]] bool solve_dense(double* A, int n, int stride, double* b);

}  // namespace graspmap
