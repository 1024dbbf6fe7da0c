#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/decide/sensitivity/grasp_emulator.hpp"
#include "grasp/decide/sensitivity/random_inputs.hpp"

namespace graspmap {

/// Points at which a function of independent random inputs is evaluated to find which of them it
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
  /// Total effects E[Var(f|all but x_i)] / Var(f): the share of x_i, alone and together
  /// with others.
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

/// What one input does to the variance of success (Sobol indices).
struct InputEffect {
  Estimate first;  ///< its main effect: the share that it has alone
  Estimate total;  ///< its total effect: that share and all that it has together with others
};

/// What can be said about a part of the placements.
enum class SensitivityState {
  kKnown,
  kNoVariance,  ///< all grasps succeed, or none does: nothing matters
  kUnreliable,  ///< too few trials of one kind, or the emulator foretells them too badly
  kNoTrials,
  kCorrelated  ///< inputs are correlated: no share of the variance belongs to one of them
};

inline constexpr std::size_t kSensitivityStates = 5;

/// The word for it in files: "known", "no_variance", "unreliable", "no_trials", "correlated".
const char* name(SensitivityState state);

/// The least predictivity at which effects are reported, and the least number of trials that
/// succeed, and that do not, to know it.
inline constexpr double kLeastPredictivity = 0.5;
inline constexpr int kLeastOfEither = 5;

/// The effects of all inputs on the success of a part of the placements.
struct Effects {
  SensitivityState state = SensitivityState::kNoTrials;
  double success_probability =
      std::numeric_limits<double>::quiet_NaN();  ///< of the trials; NaN without any
  double predictivity =
      std::numeric_limits<double>::quiet_NaN();  ///< 1 - (share of trials foretold wrongly) /
                                                 ///< (variance of success); NaN without variance
  std::vector<InputEffect> inputs;               ///< as RandomInputs::varying(); when known
};

/// What a group of inputs does to the variance of success.
struct GroupEffect {
  InputGroup group = InputGroup::kPosition;
  InputEffect effect;
};

/// How groups of inputs share the variance.
struct GroupEffects {
  std::vector<GroupEffect> groups;  ///< two or more, in the order of InputGroup
  Estimate together;  ///< only several groups at once: 1 less the groups' first-order effects
  std::size_t leader =
      0;  ///< among the groups: of two the first, of more that of the largest share
  std::size_t second = 1;  ///< of two the second, of more that of the second largest share
  Estimate surplus;        ///< the leader's first-order effect less the second's
};

/// A trial of a part of the placements, as evidence of what an emulator does not know.
struct WeighedCheck {
  double weight = 1.0;  ///< how much it counts
  std::size_t group = 0;
  bool success = false;
  bool foretold = false;
  std::vector<double> values;  ///< of the varying inputs
};

struct EstimatedEffects {
  Effects effects;
  std::optional<GroupEffects> groups;  ///< when asked for, known, and of two groups or more
};

/// Estimates Sobol indices of success on a part of the placements. What the emulator says of them
/// is corrected by what it foretells wrongly, to first order: for a set s of inputs with m_s =
/// E[f|x_s], p = E[f] and weighted trials (x_j, Y_j), each foretold by the emulator f_j that has
/// not seen it,
///   p   = E[f] + mean_j (Y_j - f_j(x_j)),
///   Var(m_s) = Var(m_s of f) + mean_j 2 (m_s(x_j) - E[f]) (Y_j - f_j(x_j)),
/// the one-step estimator of a functional (Bickel, Klaassen, Ritov, Wellner 1993; with sample
/// splitting: Chernozhukov et al. 2018, "Double/debiased machine learning"). The first-order effect
/// of input i is Var(m_s) / (p (1 - p)) with s = {i}, its total effect 1 - that with s all but i.
/// Intervals by the jackknife over the emulator's groups. `design` is of the same inputs.
EstimatedEffects estimate_effects(const GraspEmulator& emulator, const RandomInputs& inputs,
                                  const SobolDesign& design, std::vector<WeighedCheck> checks,
                                  double confidence, bool with_groups);

/// A confidence interval by the delete-a-group jackknife (Kott 2001, "The delete-a-group
/// jackknife"): `left_out` has the estimates that come out when each of G >= 2 equal groups of the
/// sample is left out in turn. estimate -+ t s with s^2 = (G-1)/G sum (left_out_g - their mean)^2
/// and t the quantile of Student's distribution with G - 1 degrees of freedom. Estimates that are
/// NaN are skipped; with fewer than 2 the interval is infinite.
Interval jackknife_interval(double estimate, std::span<const double> left_out, double confidence);

}  // namespace graspmap
