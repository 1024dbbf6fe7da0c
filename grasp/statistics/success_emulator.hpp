#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace graspmap {

/// Where trials were made: the centre of a cell.
struct EmulatorSite {
  double x = 0.0;
  double y = 0.0;
};

/// A trial with two inputs, scaled to [0, 1].
struct EmulatorTrial {
  std::size_t site = 0;
  double a = 0.0;
  double b = 0.0;
  bool success = false;
};

/// Standard deviations of the Gaussian kernel with which trials are averaged: along the sites in
/// the unit of their positions, along the inputs in bins.
struct EmulatorBandwidths {
  double x = 0.0;
  double y = 0.0;
  double a = 1.0;
  double b = 1.0;
};

struct EmulatorGrid {
  double site_width_x = 1.0;  ///< the bandwidths along the sites that are tried are multiples of it
  double site_width_y = 1.0;
  int bins_a = 32;
  int bins_b = 32;  ///< 1: the success does not depend on b
};

/// What is expected of a site.
struct EmulatedProbability {
  double value = 0.0;     ///< may lie outside of [0, 1] by its noise
  double variance = 0.0;  ///< for the finite number of trials
};

/// The success probability at each site for other laws of two inputs than those that the trials
/// were drawn from. Trials are counted in bins of both inputs. For a law with shares v_b of the
/// bins,
///   p = sum_b v_b g_b + sum over the site's trials i of v_b(i) / (n q_b(i)) (s_i - g_i),
/// with q_b the shares of the trials. g is a kernel average (Nadaraya 1964, Watson 1964) over bins
/// and nearby sites, whose bandwidths have the least squared error (Brier 1950) of each trial
/// predicted from all others; g_i is that prediction. The second sum, importance sampling of what
/// the average misses, takes out the bias of the first, which in turn takes most of the noise out
/// of the second: the augmented estimator of Robins, Rotnitzky and Zhao (1994, "Estimation of
/// regression coefficients when some regressors are not always observed"). Where all trials agree,
/// p is exactly 0 or 1 under all laws. Variance: sum_i (v / (n q))^2 (s_i - g_i)^2.
class SuccessEmulator {
 public:
  SuccessEmulator(std::vector<EmulatorSite> sites, std::span<const EmulatorTrial> trials,
                  const EmulatorGrid& grid);

  [[nodiscard]] std::size_t sites() const { return sites_.size(); }
  [[nodiscard]] int bins_a() const { return grid_.bins_a; }
  [[nodiscard]] int bins_b() const { return grid_.bins_b; }
  [[nodiscard]] const EmulatorBandwidths& bandwidths() const { return bandwidths_; }
  /// The mean squared error of trials predicted from all others.
  [[nodiscard]] double squared_error() const { return squared_error_; }

  /// What is expected of each site under laws with these shares of the bins (sums of 1).
  void predict(std::span<const double> shares_a, std::span<const double> shares_b,
               std::span<EmulatedProbability> result) const;

  /// The share of the trials that is effective under laws with these shares of the bins:
  /// 1 / sum_b v_b^2 / q_b, a product over both inputs; 0 where there is a bin without trials.
  [[nodiscard]] double efficiency(std::span<const double> shares_a,
                                  std::span<const double> shares_b) const;

 private:
  struct Targets;
  struct Sums;
  [[nodiscard]] Targets count(std::span<const EmulatorTrial> trials);
  [[nodiscard]] Sums smoothed(const Targets& targets, const EmulatorBandwidths& bandwidths) const;
  [[nodiscard]] Targets left_over(const Targets& targets, const Sums& sums) const;
  [[nodiscard]] EmulatorBandwidths best_bandwidths(const Targets& targets) const;
  void learn(const Targets& targets);
  void fill_tables(std::size_t site, const Sums& sums, const Targets& left);
  [[nodiscard]] std::size_t bins() const {
    return static_cast<std::size_t>(grid_.bins_a) * static_cast<std::size_t>(grid_.bins_b);
  }

  std::vector<EmulatorSite> sites_;
  EmulatorGrid grid_;
  std::vector<double> trials_;   ///< by site and bin: site by site, then a, b fastest
  std::vector<double> share_a_;  ///< of all trials in the bins of a
  std::vector<double> share_b_;
  EmulatorBandwidths bandwidths_;
  double squared_error_ = 0.0;
  std::vector<float> value_;       ///< by site and bin; single precision: read very often
  std::vector<float> variance_;    ///< likewise, for a share of 1
  std::vector<bool> is_constant_;  ///< of each site: the same value in all bins, no variance
};

/// The shares of `bins` equal bins of [0, 1] under a law with this distribution function, which is
/// called with ascending values.
template <typename Cumulative>
std::vector<double> bin_shares(int bins, const Cumulative& cumulative) {
  std::vector<double> shares;
  double below = 0.0;
  for (int i = 1; i <= bins; ++i) {
    const double up_to = i == bins ? 1.0 : cumulative(static_cast<double>(i) / bins);
    shares.push_back(up_to - below);
    below = up_to;
  }
  return shares;
}

}  // namespace graspmap
