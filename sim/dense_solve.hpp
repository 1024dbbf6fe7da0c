#pragma once

namespace graspmap {

/// Solves A x = b in place by Gaussian elimination with partial pivoting: b becomes x, A is
/// overwritten. A is n x n, row-major, its rows `stride` apart. False when a pivot is zero or not
/// finite. Made for the few unknowns of a step (n of about 5 to 15), where the set-up of a general
/// factorisation costs more than the elimination: a third of the instructions of
/// Eigen::PartialPivLU of run-time size.
[[nodiscard]] bool solve_dense(double* A, int n, int stride, double* b);

}  // namespace graspmap
