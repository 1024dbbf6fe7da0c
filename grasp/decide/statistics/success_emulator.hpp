#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace graspmap {

/// A trial with two inputs, scaled to [0, 1].
struct EmulatorTrial {
  std::size_t site = 0;  ///< where it was made
  double a = 0.0;
  double b = 0.0;
  bool success = false;
};

/// Standard deviations, in bins, of the Gaussian kernel with which trials are averaged.
struct EmulatorBandwidths {
  double a = 0.0;
  double b = 0.0;
};

struct EmulatorSettings {
  int bins_a = 32;
  int bins_b = 32;                                    ///< 1: the success does not depend on b
  std::optional<EmulatorBandwidths> bandwidths = {};  ///< without them, those of least error
};

/// What is expected of a site under some laws: a probability, and how many trials would tell as
/// much of it.
struct EmulatedProbability {
  double value = 0.0;
  double effective_trials = 0.0;
};

/// The success probability at each site for other laws of two inputs than those that the trials
/// were drawn from: p = sum_b v_b g_b, with v_b the shares of the bins of both inputs under the
/// laws.
///
/// g is the average of the site's trials (Nadaraya 1964, Watson 1964) over bins with a Gaussian
/// kernel. Its bandwidths have the least squared error (Brier 1950) of each trial predicted from
/// all others of its site. An input's bandwidth is 0 or at least two bins: a law sums over bins,
/// which lessens the noise as well, but what the kernel smears looks like a broader law. Where
/// success depends little on an input, a wide kernel keeps noise from looking as if it did.
///
/// Effective trials: those of the site times 1 / sum_b u_b^2 / q_b for each input (Kish 1965), with
/// u the shares v after the kernel and q the shares of the trials.
class SuccessEmulator {
 public:
  SuccessEmulator(std::size_t sites, std::span<const EmulatorTrial> trials,
                  const EmulatorSettings& settings);

  [[nodiscard]] int bins_a() const { return settings_.bins_a; }
  [[nodiscard]] int bins_b() const { return settings_.bins_b; }
  [[nodiscard]] const EmulatorBandwidths& bandwidths() const { return bandwidths_; }

  /// What is expected of each site under laws with these shares of the bins (sums of 1).
  void predict(std::span<const double> shares_a, std::span<const double> shares_b,
               std::span<EmulatedProbability> result) const;

  /// The share of the trials that is effective under laws with these shares of the bins, without
  /// the kernel: 1 / sum_b v_b^2 / q_b; 0 when a bin has no trials.
  [[nodiscard]] double efficiency(std::span<const double> shares_a,
                                  std::span<const double> shares_b) const;

 private:
  void count(std::span<const EmulatorTrial> trials);
  [[nodiscard]] double squared_error(const EmulatorBandwidths& bandwidths) const;
  [[nodiscard]] EmulatorBandwidths best_bandwidths() const;
  void fit();
  [[nodiscard]] std::size_t bins() const {
    return static_cast<std::size_t>(settings_.bins_a) * static_cast<std::size_t>(settings_.bins_b);
  }

  EmulatorSettings settings_;
  EmulatorBandwidths bandwidths_;
  std::vector<double> trials_;  ///< by site and bin: site by site, then a, b fastest
  std::vector<double> successes_;
  std::vector<double> share_a_;  ///< of all trials in the bins of a
  std::vector<double> share_b_;
  std::vector<double> site_trials_;
  std::vector<float> value_;  ///< by site and bin; in single precision, for it is read very often
  std::vector<bool> is_constant_;  ///< of each site: one value in all bins
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
