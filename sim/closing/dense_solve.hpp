#pragma once

namespace graspmap {

/// Solves A x = b in place by Gaussian elimination: b becomes x, A is overwritten. A is n x n,
/// row-major, its rows `stride` apart. Rows change places only where a diagonal entry is less than
/// a tenth of one below it. False when x is not finite. Made for the few unknowns of a step (n of
/// about 5 to 10), where the set-up of a general factorisation costs more than the elimination.
[[nodiscard]] bool solve_dense(double* A, int n, int stride, double* b);

}  // namespace graspmap
