#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace graspmap {

/// The logarithm of a likelihood at a point of the unit cube, -infinity where it is impossible.
using LogLikelihood = std::function<double(std::span<const double> point)>;

/// Calls work(0), ..., work(count - 1), in any order and on any number of threads.
using ForEachIndex =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

struct SamplerSettings {
  int draws = 1000;
  int moves = 5;  ///< Metropolis steps of each draw at each temperature
  std::uint64_t seed = 1;
  double power = 1.0;          ///< of the likelihood at the end: 1 the posterior, 0 the prior
  ForEachIndex for_each = {};  ///< without it, one by one; the draws are the same
};

/// Draws of equal weight from a posterior.
struct PosteriorDraws {
  int dimension = 0;
  std::vector<std::vector<double>> points;  ///< in the unit cube
  std::vector<double> log_likelihood;       ///< of each point
  double effective_draws = 0.0;             ///< independent ones of the same precision
  double log_evidence = 0.0;                ///< log of the likelihood's mean under the prior
  int temperatures = 0;                     ///< the last one is the posterior itself
};

/// No draw of the prior can have given the data.
struct NowhereFinite : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Draws from the density proportional to exp(log_likelihood) on the unit cube: the posterior of a
/// uniform prior. Sequential Monte Carlo (Del Moral, Doucet, Jasra 2006, "Sequential Monte Carlo
/// samplers"): draws of the prior are weighted by the likelihood to rising powers, each chosen so
/// that half of the draws are effective (Jasra, Stephens, Doucet, Tsagaris 2011), resampled, and
/// moved by Metropolis steps that have the draws' covariance and are reflected at the cube's faces.
/// A pure function of its arguments (with for_each the likelihood is called by several threads at
/// once, and the draws are the same). At least 10 draws; log_likelihood must be finite somewhere
/// among the prior's draws (NowhereFinite); where it is not, a point is as good as impossible.
///
/// effective_draws: draws of one ancestor, moved apart to the correlation r with it, count as a
/// cluster: draws / (1 + r^2 (sum m^2 / draws - 1)) with m the sizes of the last clusters (the
/// design effect, Kish 1965), for the coordinate in which it is least.
PosteriorDraws sample_posterior(int dimension, const LogLikelihood& log_likelihood,
                                const SamplerSettings& settings = {});

}  // namespace graspmap
