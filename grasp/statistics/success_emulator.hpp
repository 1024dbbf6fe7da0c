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
/// were drawn from, p = sum_b v_b g_b, with v_b the shares of the bins of both inputs under the
/// law.
///
/// g is learned from the trials, counted in the bins, by L2 boosting (Buehlmann and Yu 2003,
/// "Boosting with the L2 loss"; with one repetition, Tukey's twicing): a kernel average (Nadaraya
/// 1964, Watson 1964) over bins and nearby sites, then a kernel average of what it left over, and
/// so on, each with the bandwidths that have the least squared error of every trial predicted from
/// all others, as long as this error falls. What the first averages smear along one axis, the next
/// find by averaging along the others. Where all trials agree, p is exactly 0 or 1 under all laws.
///
/// Variance: sum over the site's own trials of (v_b / (n q_b))^2 e^2, with e what is left over of a
/// trial when it is predicted from all others and q_b the share of the trials in its bin: that of
/// importance sampling with g as control variate. Averaging over neighbours makes it smaller.
class SuccessEmulator {
 public:
  SuccessEmulator(std::vector<EmulatorSite> sites, std::span<const EmulatorTrial> trials,
                  const EmulatorGrid& grid);

  [[nodiscard]] std::size_t sites() const { return sites_.size(); }
  [[nodiscard]] int bins_a() const { return grid_.bins_a; }
  [[nodiscard]] int bins_b() const { return grid_.bins_b; }
  /// Of each average, in the order in which they were made.
  [[nodiscard]] const std::vector<EmulatorBandwidths>& bandwidths() const { return bandwidths_; }
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
  void learn(Targets targets);
  void set_tables(const std::vector<double>& average, const Targets& left);
  [[nodiscard]] std::size_t bins() const {
    return static_cast<std::size_t>(grid_.bins_a) * static_cast<std::size_t>(grid_.bins_b);
  }

  std::vector<EmulatorSite> sites_;
  EmulatorGrid grid_;
  std::vector<double> trials_;   ///< by site and bin: site by site, then a, b fastest
  std::vector<double> share_a_;  ///< of all trials in the bins of a
  std::vector<double> share_b_;
  std::vector<EmulatorBandwidths> bandwidths_;
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
