#pragma once

#include <algorithm>
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
/// the unit of their positions, along the inputs in nodes.
struct EmulatorBandwidths {
  double x = 0.0;
  double y = 0.0;
  double a = 1.0;
  double b = 1.0;
};

struct EmulatorGrid {
  double site_width_x = 1.0;  ///< the bandwidths along the sites that are tried are multiples of it
  double site_width_y = 1.0;
  int nodes_a = 24;
  int nodes_b = 24;  ///< 1: the success does not depend on b
};

/// The success probability at each site as a function of two inputs, learned from trials with
/// random inputs: a kernel average (Nadaraya 1964, Watson 1964) over the inputs and the sites
/// nearby, at nodes (i + 1/2) / nodes. The bandwidths are those with the least squared error (Brier
/// 1950) of each trial predicted from all others. What inputs there were, and how often, does not
/// matter but for the precision.
class SuccessEmulator {
 public:
  SuccessEmulator(std::vector<EmulatorSite> sites, std::span<const EmulatorTrial> trials,
                  const EmulatorGrid& grid);

  [[nodiscard]] std::size_t sites() const { return sites_.size(); }
  [[nodiscard]] int nodes_a() const { return grid_.nodes_a; }
  [[nodiscard]] int nodes_b() const { return grid_.nodes_b; }
  [[nodiscard]] const EmulatorBandwidths& bandwidths() const { return bandwidths_; }

  /// The success probability of each site when the inputs have these weights on the nodes (sums
  /// of 1).
  void probabilities(std::span<const double> weights_a, std::span<const double> weights_b,
                     std::span<double> result) const;

  /// By how much fewer trials are effective for inputs with these weights on the nodes than for
  /// those that the trials had: 1 / sum_i v_i^2 / q_i, a product over both inputs, with q the share
  /// of the trials at a node and v the weights after the kernel.
  [[nodiscard]] double efficiency(std::span<const double> weights_a,
                                  std::span<const double> weights_b) const;

  /// The effective number of trials behind each site: its own and, with less weight, those of its
  /// neighbours.
  [[nodiscard]] const std::vector<double>& effective_trials() const { return effective_trials_; }

 private:
  struct Table;
  void count(std::span<const EmulatorTrial> trials);
  [[nodiscard]] Table smoothed(const EmulatorBandwidths& bandwidths) const;
  [[nodiscard]] double squared_error(const EmulatorBandwidths& bandwidths) const;
  void choose_bandwidths();
  void fit();
  [[nodiscard]] std::size_t nodes() const {
    return static_cast<std::size_t>(grid_.nodes_a) * static_cast<std::size_t>(grid_.nodes_b);
  }

  std::vector<EmulatorSite> sites_;
  EmulatorGrid grid_;
  std::vector<double> trials_;     ///< by site and node: site-major, then a, b fastest
  std::vector<double> successes_;  ///< likewise
  std::vector<double> share_a_;    ///< of all trials at the nodes of a
  std::vector<double> share_b_;
  EmulatorBandwidths bandwidths_;
  std::vector<double> probability_;  ///< by site and node
  std::vector<double> effective_trials_;
};

/// The weights on `nodes` nodes of a law on [0, 1] with this distribution function: its mass,
/// divided linearly between the nodes at both sides. `cumulative` is called with ascending values.
template <typename Cumulative>
std::vector<double> node_weights(int nodes, const Cumulative& cumulative) {
  constexpr int kParts = 8;  // of the distance of two nodes
  std::vector<double> weights(static_cast<std::size_t>(nodes), 0.0);
  double below = 0.0;
  for (int part = 0; part < nodes * kParts; ++part) {
    const double up_to = part + 1 == nodes * kParts
                             ? 1.0
                             : cumulative(static_cast<double>(part + 1) / (nodes * kParts));
    const double mass = up_to - below;
    below = up_to;
    if (!(mass > 0)) continue;
    double at = (part + 0.5) / kParts - 0.5;  // in nodes from the first
    at = std::clamp(at, 0.0, nodes - 1.0);
    const auto left = static_cast<std::size_t>(at);
    const double right_share = at - static_cast<double>(left);
    weights[left] += mass * (1 - right_share);
    if (right_share > 0) weights[left + 1] += mass * right_share;
  }
  return weights;
}

}  // namespace graspmap
