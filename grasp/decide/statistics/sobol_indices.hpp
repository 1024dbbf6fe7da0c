#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace graspmap {

/// Points at which a function of independent random inputs is evaluated to tell which of them it
/// depends on.
struct SobolDesign {
  std::vector<std::vector<double>> base;    ///< points: a value for each input
  std::vector<std::vector<double>> levels;  ///< for each input: values, all equally probable
};

/// The value of input `input` at u in (0, 1): its quantile function.
using InputQuantile = std::function<double(std::size_t input, double u)>;

/// A design of `points` points of Sobol's low-discrepancy sequence and `levels` midpoints of
/// equally probable classes per input. The same for the same numbers.
SobolDesign sobol_design(std::size_t inputs, std::size_t points, std::size_t levels,
                         const InputQuantile& quantile);

/// A function of the values of the inputs.
using InputFunction = std::function<double(std::span<const double>)>;

/// How much of a function's variance comes from which input (Sobol 1993; Homma and Saltelli 1996).
struct SobolIndices {
  double mean = 0.0;
  double variance = 0.0;
  /// First-order effects Var(E[f|x_i]) / Var(f): what is left without x_i is that much less on
  /// average. All NaN when the variance is 0.
  std::vector<double> first;
  /// Total effects E[Var(f|all but x_i)] / Var(f): the share in which x_i takes part, alone or
  /// together with others.
  std::vector<double> total;
};

/// Each base point is moved along each input in turn over that input's levels. With n base points
/// and m levels, f_ak the value at level k of line a: the total effect is the mean over the lines
/// of the variance along a line; the first-order effect the variance over k of the mean over a,
/// less (1/n) of the mean over k of the variance over a, which is its noise.
SobolIndices sobol_indices(const SobolDesign& design, const InputFunction& f);

/// The shares of the variance that belong to two groups of inputs; they sum to 1. All NaN when the
/// variance is 0.
struct GroupShares {
  double first_alone = 0.0;   ///< Var(E[f|first group]) / Var(f)
  double second_alone = 0.0;  ///< Var(E[f|second group]) / Var(f)
  double together = 0.0;      ///< the rest: only both at once make it
};

/// Combines the first `points` base points' values of the first group (`in_first` true) with as
/// many of the second, each with each, and takes the table's variance apart as that of rows,
/// columns and the rest. Rows and columns are corrected for the noise of their finite number as
/// above.
GroupShares group_shares(const SobolDesign& design, const std::vector<bool>& in_first,
                         std::size_t points, const InputFunction& f);

}  // namespace graspmap
