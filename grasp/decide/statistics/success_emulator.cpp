#include "grasp/decide/statistics/success_emulator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/assert.hpp"

namespace graspmap {
namespace {

/// The kernel at 0, 1, 2, ... bins: exp(-d^2 / (2 h^2)) up to three standard deviations.
std::vector<double> kernel_weights(double bandwidth, std::size_t bins) {
  constexpr double kReach = 3.0;
  std::vector<double> weights{1.0};
  for (std::size_t d = 1; d < bins && static_cast<double>(d) <= kReach * bandwidth; ++d) {
    const double z = static_cast<double>(d) / bandwidth;
    weights.push_back(std::exp(-0.5 * z * z));
  }
  return weights;
}

/// The bins in reach of bin i: from first up to and with last.
struct Reach {
  std::size_t first;
  std::size_t last;
};

Reach reach_of(std::size_t i, std::size_t bins, const std::vector<double>& weights) {
  const std::size_t reach = weights.size() - 1;
  return {i > reach ? i - reach : 0, std::min(bins - 1, i + reach)};
}

double weight_between(std::size_t i, std::size_t k, const std::vector<double>& weights) {
  return weights[i > k ? i - k : k - i];
}

/// line[i] <- sum_k kernel(i - k) line[k], for elements that are `stride` apart.
void smooth_line(double* line, std::size_t count, std::size_t stride,
                 const std::vector<double>& weights, std::vector<double>& memory) {
  memory.assign(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const Reach reach = reach_of(i, count, weights);
    for (std::size_t k = reach.first; k <= reach.last; ++k) {
      memory[i] += weight_between(i, k, weights) * line[k * stride];
    }
  }
  for (std::size_t i = 0; i < count; ++i) line[i * stride] = memory[i];
}

/// Each site's table after the kernel along both inputs.
std::vector<double> smoothed(std::vector<double> table, const EmulatorSettings& settings,
                             const EmulatorBandwidths& h) {
  const auto a = static_cast<std::size_t>(settings.bins_a);
  const auto b = static_cast<std::size_t>(settings.bins_b);
  const std::vector<double> weights_a = kernel_weights(h.a, a);
  const std::vector<double> weights_b = kernel_weights(h.b, b);
  std::vector<double> memory;
  for (std::size_t begin = 0; begin < table.size(); begin += a * b) {
    for (std::size_t i = 0; i < a; ++i) smooth_line(&table[begin + i * b], b, 1, weights_b, memory);
    for (std::size_t k = 0; k < b; ++k) smooth_line(&table[begin + k], a, b, weights_a, memory);
  }
  return table;
}

/// The shares after the kernel, which spreads each over its neighbours; sums of 1.
std::vector<double> spread(std::span<const double> shares, double bandwidth) {
  const std::vector<double> weights = kernel_weights(bandwidth, shares.size());
  std::vector<double> result(shares.size(), 0.0);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!(shares[i] > 0)) continue;
    const Reach reach = reach_of(i, shares.size(), weights);
    double sum = 0;
    for (std::size_t k = reach.first; k <= reach.last; ++k) sum += weight_between(i, k, weights);
    for (std::size_t k = reach.first; k <= reach.last; ++k) {
      result[k] += shares[i] * weight_between(i, k, weights) / sum;
    }
  }
  return result;
}

/// sum v^2 / q: 1 when v = q; infinite where there are shares without trials.
double inefficiency(std::span<const double> v, const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v[i] > 0) sum += v[i] * v[i] / q[i];
  }
  return sum;
}

}  // namespace

SuccessEmulator::SuccessEmulator(std::size_t sites, std::span<const EmulatorTrial> trials,
                                 const EmulatorSettings& settings)
    : settings_(settings), site_trials_(sites, 0.0) {
  count(trials);
  bandwidths_ = settings.bandwidths ? *settings.bandwidths : best_bandwidths();
  fit();
}

void SuccessEmulator::count(std::span<const EmulatorTrial> trials) {
  trials_.assign(site_trials_.size() * bins(), 0.0);
  successes_ = trials_;
  share_a_.assign(static_cast<std::size_t>(settings_.bins_a), 0.0);
  share_b_.assign(static_cast<std::size_t>(settings_.bins_b), 0.0);
  const auto bin = [](double u, int count) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(u * count), 0, count - 1));
  };
  for (const EmulatorTrial& trial : trials) {
    GRASPMAP_CHECK(trial.site < site_trials_.size());
    const std::size_t i = bin(trial.a, settings_.bins_a);
    const std::size_t k = bin(trial.b, settings_.bins_b);
    const std::size_t at = trial.site * bins() + i * share_b_.size() + k;
    trials_[at] += 1;
    successes_[at] += trial.success ? 1 : 0;
    site_trials_[trial.site] += 1;
    share_a_[i] += 1.0 / static_cast<double>(trials.size());
    share_b_[k] += 1.0 / static_cast<double>(trials.size());
  }
}

/// The sum over all trials of the squared error of the average of all others, in which its own
/// weight, 1, is left out; a trial without others errs by 1/2.
double SuccessEmulator::squared_error(const EmulatorBandwidths& h) const {
  const std::vector<double> trials = smoothed(trials_, settings_, h);
  const std::vector<double> successes = smoothed(successes_, settings_, h);
  double sum = 0;
  for (std::size_t n = 0; n < trials_.size(); ++n) {
    if (!(trials_[n] > 0)) continue;
    const double others = trials[n] - 1;
    const bool alone = !(others > 1e-9);
    const double of_success = alone ? 0.5 : 1 - (successes[n] - 1) / others;
    const double of_failure = alone ? 0.5 : successes[n] / others;
    sum += successes_[n] * of_success * of_success +
           (trials_[n] - successes_[n]) * of_failure * of_failure;
  }
  return sum;
}

EmulatorBandwidths SuccessEmulator::best_bandwidths() const {
  constexpr std::array kCandidates{0.0, 2.0, 3.0, 5.0, 8.0, 16.0};
  EmulatorBandwidths best;
  double least = std::numeric_limits<double>::infinity();
  for (const double a : kCandidates) {
    for (const double b : kCandidates) {
      const double error = squared_error({a, b});
      if (error >= least) continue;
      least = error;
      best = {a, b};
    }
  }
  return best;
}

void SuccessEmulator::fit() {
  const std::vector<double> trials = smoothed(trials_, settings_, bandwidths_);
  const std::vector<double> successes = smoothed(successes_, settings_, bandwidths_);
  for (std::size_t site = 0; site < site_trials_.size(); ++site) {
    const std::size_t begin = site * bins();
    const auto first = successes_.begin() + static_cast<std::ptrdiff_t>(begin);
    const double all_successes =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(bins()), 0.0);
    const double mean = site_trials_[site] > 0 ? all_successes / site_trials_[site] : 0.5;
    for (std::size_t n = begin; n < begin + bins(); ++n) {
      value_.push_back(static_cast<float>(trials[n] > 0 ? successes[n] / trials[n] : mean));
    }
    is_constant_.push_back(all_successes == 0 || all_successes == site_trials_[site]);
  }
}

void SuccessEmulator::predict(std::span<const double> shares_a, std::span<const double> shares_b,
                              std::span<EmulatedProbability> result) const {
  GRASPMAP_ASSERT(shares_a.size() == share_a_.size() && shares_b.size() == share_b_.size());
  GRASPMAP_ASSERT(result.size() == site_trials_.size());
  const double share = 1.0 / (inefficiency(spread(shares_a, bandwidths_.a), share_a_) *
                              inefficiency(spread(shares_b, bandwidths_.b), share_b_));
  const std::size_t b = shares_b.size();
  std::vector<float> mixed(b);
  for (std::size_t site = 0; site < site_trials_.size(); ++site) {
    const float* table = &value_[site * bins()];
    result[site] = {table[0], site_trials_[site] * share};
    if (is_constant_[site]) continue;
    std::fill(mixed.begin(), mixed.end(), 0.0F);
    for (std::size_t i = 0; i < shares_a.size(); ++i) {
      const auto weight = static_cast<float>(shares_a[i]);
      if (weight == 0.0F) continue;
      for (std::size_t k = 0; k < b; ++k) mixed[k] += weight * table[i * b + k];
    }
    result[site].value = std::inner_product(shares_b.begin(), shares_b.end(), mixed.begin(), 0.0);
  }
}

double SuccessEmulator::efficiency(std::span<const double> shares_a,
                                   std::span<const double> shares_b) const {
  return 1.0 / (inefficiency(shares_a, share_a_) * inefficiency(shares_b, share_b_));
}

}  // namespace graspmap
