#include "grasp/statistics/success_emulator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace graspmap {
namespace {

/// Beyond this many standard deviations the kernel is 0.
constexpr double kReach = 3.0;

/// exp(-d^2 / (2 h^2)); for h = 0, only d = 0 counts.
double kernel(double distance, double bandwidth) {
  if (distance == 0) return 1.0;
  if (std::abs(distance) > kReach * bandwidth) return 0.0;
  const double z = distance / bandwidth;
  return std::exp(-0.5 * z * z);
}

/// Averages along one index of a table of lines: line[i] <- sum_k kernel(i - k) line[k], for
/// elements `stride` apart.
void smooth_line(double* line, std::size_t count, std::size_t stride,
                 const std::vector<double>& weights, std::vector<double>& memory) {
  memory.assign(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t reach = weights.size() - 1;
    const std::size_t first = i > reach ? i - reach : 0;
    const std::size_t last = std::min(count - 1, i + reach);
    for (std::size_t k = first; k <= last; ++k) {
      memory[i] += weights[i > k ? i - k : k - i] * line[k * stride];
    }
  }
  for (std::size_t i = 0; i < count; ++i) line[i * stride] = memory[i];
}

/// kernel(0), kernel(1), ... up to the last that is not 0.
std::vector<double> kernel_weights(double bandwidth, int bins) {
  std::vector<double> weights;
  for (int d = 0; d < bins && kernel(d, bandwidth) > 0; ++d) {
    weights.push_back(kernel(d, bandwidth));
  }
  return weights;
}

/// Smooths each site's table along both inputs.
void smooth_inputs(std::vector<double>& table, const EmulatorGrid& grid,
                   const EmulatorBandwidths& h) {
  const auto a = static_cast<std::size_t>(grid.bins_a);
  const auto b = static_cast<std::size_t>(grid.bins_b);
  const std::vector<double> weights_a = kernel_weights(h.a, grid.bins_a);
  const std::vector<double> weights_b = kernel_weights(h.b, grid.bins_b);
  std::vector<double> memory;
  for (std::size_t begin = 0; begin < table.size(); begin += a * b) {
    for (std::size_t i = 0; i < a; ++i) {
      smooth_line(&table[begin + i * b], b, 1, weights_b, memory);
    }
    for (std::size_t k = 0; k < b; ++k) smooth_line(&table[begin + k], a, b, weights_a, memory);
  }
}

/// sum v^2 / q: 1 when v = q; infinite where there is weight without trials.
double inefficiency(std::span<const double> v, const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v[i] > 0) sum += v[i] * v[i] / q[i];
  }
  return sum;
}

}  // namespace

/// What is to be learned, summed over the trials of each bin: of a trial, its success at first,
/// then what the averages so far left over.
struct SuccessEmulator::Targets {
  std::vector<double> sum;
  std::vector<double> squares;

  [[nodiscard]] double error() const {
    return std::accumulate(squares.begin(), squares.end(), 0.0);
  }
};

/// Weighted by the kernel.
struct SuccessEmulator::Sums {
  std::vector<double> trials;
  std::vector<double> targets;
};

SuccessEmulator::SuccessEmulator(std::vector<EmulatorSite> sites,
                                 std::span<const EmulatorTrial> trials, const EmulatorGrid& grid)
    : sites_(std::move(sites)), grid_(grid) {
  learn(count(trials));
}

SuccessEmulator::Targets SuccessEmulator::count(std::span<const EmulatorTrial> trials) {
  trials_.assign(sites_.size() * bins(), 0.0);
  share_a_.assign(static_cast<std::size_t>(grid_.bins_a), 0.0);
  share_b_.assign(static_cast<std::size_t>(grid_.bins_b), 0.0);
  std::vector<double> successes = trials_;
  const auto bin = [](double u, int count) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(u * count), 0, count - 1));
  };
  for (const EmulatorTrial& trial : trials) {
    const std::size_t i = bin(trial.a, grid_.bins_a);
    const std::size_t k = bin(trial.b, grid_.bins_b);
    const std::size_t at = trial.site * bins() + i * static_cast<std::size_t>(grid_.bins_b) + k;
    trials_[at] += 1;
    successes[at] += trial.success ? 1 : 0;
    share_a_[i] += 1.0 / static_cast<double>(trials.size());
    share_b_[k] += 1.0 / static_cast<double>(trials.size());
  }
  return {successes, successes};
}

SuccessEmulator::Sums SuccessEmulator::smoothed(const Targets& targets,
                                                const EmulatorBandwidths& h) const {
  Sums inputs{trials_, targets.sum};
  smooth_inputs(inputs.trials, grid_, h);
  smooth_inputs(inputs.targets, grid_, h);
  Sums result{std::vector<double>(trials_.size(), 0.0), std::vector<double>(trials_.size(), 0.0)};
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    for (std::size_t other = 0; other < sites_.size(); ++other) {
      const double weight =
          kernel(sites_[s].x - sites_[other].x, h.x) * kernel(sites_[s].y - sites_[other].y, h.y);
      if (weight == 0) continue;
      for (std::size_t n = 0; n < bins(); ++n) {
        result.trials[s * bins() + n] += weight * inputs.trials[other * bins() + n];
        result.targets[s * bins() + n] += weight * inputs.targets[other * bins() + n];
      }
    }
  }
  return result;
}

/// What is left over of each trial when it is predicted from all others. Its own weight is 1: of a
/// target t in a bin with the sums N and T, t - (T - t) / (N - 1) = (N t - T) / (N - 1).
SuccessEmulator::Targets SuccessEmulator::left_over(const Targets& targets,
                                                    const Sums& sums) const {
  Targets left = targets;
  for (std::size_t n = 0; n < trials_.size(); ++n) {
    const double all = sums.trials[n];
    const double others = all - 1;
    // A trial without others stays what it is.
    if (!(trials_[n] > 0) || !(others > 1e-6)) continue;
    const double target = sums.targets[n];
    left.sum[n] = (all * targets.sum[n] - trials_[n] * target) / others;
    left.squares[n] = (all * all * targets.squares[n] - 2 * all * target * targets.sum[n] +
                       trials_[n] * target * target) /
                      (others * others);
    left.squares[n] = std::max(left.squares[n], 0.0);  // rounding
  }
  return left;
}

/// One bandwidth after the other goes to the neighbour in its list that lessens the error, until
/// none does.
EmulatorBandwidths SuccessEmulator::best_bandwidths(const Targets& targets) const {
  constexpr std::array kAlongSites{0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0};
  constexpr std::array kAlongInputs{0.4, 0.7, 1.0, 1.5, 2.5, 4.0, 8.0};
  std::array<std::size_t, 4> place{2, 2, 2, 2};
  const auto at = [&](const std::array<std::size_t, 4>& p) {
    return EmulatorBandwidths{kAlongSites[p[0]] * grid_.site_width_x,
                              kAlongSites[p[1]] * grid_.site_width_y, kAlongInputs[p[2]],
                              kAlongInputs[p[3]]};
  };
  const auto error = [&](const std::array<std::size_t, 4>& p) {
    return left_over(targets, smoothed(targets, at(p))).error();
  };
  double least = error(place);
  for (bool better = true; better;) {
    better = false;
    for (std::size_t k = 0; k < place.size(); ++k) {
      for (const int step : {-1, 1}) {
        std::array<std::size_t, 4> next = place;
        next[k] += static_cast<std::size_t>(step);
        if (next[k] >= kAlongSites.size()) continue;
        const double tried = error(next);
        if (tried >= least) continue;
        least = tried;
        place = next;
        better = true;
      }
    }
  }
  return at(place);
}

void SuccessEmulator::learn(const Targets& targets) {
  bandwidths_ = best_bandwidths(targets);
  const Sums sums = smoothed(targets, bandwidths_);
  const Targets left = left_over(targets, sums);
  squared_error_ = left.error() / std::accumulate(trials_.begin(), trials_.end(), 0.0);
  for (std::size_t site = 0; site < sites_.size(); ++site) fill_tables(site, sums, left);
}

/// value = g + sum of what is left over / (n q), variance = sum of its squares / (n q)^2.
void SuccessEmulator::fill_tables(std::size_t site, const Sums& sums, const Targets& left) {
  const auto b = static_cast<std::size_t>(grid_.bins_b);
  const auto first = trials_.begin() + static_cast<std::ptrdiff_t>(site * bins());
  const double own = std::accumulate(first, first + static_cast<std::ptrdiff_t>(bins()), 0.0);
  for (std::size_t k = 0; k < bins(); ++k) {
    const std::size_t n = site * bins() + k;
    double value = sums.trials[n] > 0 ? sums.targets[n] / sums.trials[n] : 0.0;
    double variance = 0;
    if (trials_[n] > 0) {
      const double expected = own * share_a_[k / b] * share_b_[k % b];
      value += left.sum[n] / expected;
      variance = left.squares[n] / (expected * expected);
    }
    value_.push_back(static_cast<float>(value));
    variance_.push_back(static_cast<float>(variance));
  }
  const auto value = value_.begin() + static_cast<std::ptrdiff_t>(site * bins());
  const auto [low, high] = std::minmax_element(value, value_.end());
  is_constant_.push_back(*low == *high);
}

void SuccessEmulator::predict(std::span<const double> shares_a, std::span<const double> shares_b,
                              std::span<EmulatedProbability> result) const {
  const std::size_t b = shares_b.size();
  std::vector<float> value(b);
  std::vector<float> variance(b);
  for (std::size_t site = 0; site < sites_.size(); ++site) {
    const std::size_t begin = site * bins();
    if (is_constant_[site]) {
      result[site] = {value_[begin], 0.0};
      continue;
    }
    std::fill(value.begin(), value.end(), 0.0F);
    std::fill(variance.begin(), variance.end(), 0.0F);
    for (std::size_t i = 0; i < shares_a.size(); ++i) {
      const auto share = static_cast<float>(shares_a[i]);
      if (share == 0.0F) continue;
      const float* value_row = &value_[begin + i * b];
      const float* variance_row = &variance_[begin + i * b];
      for (std::size_t k = 0; k < b; ++k) value[k] += share * value_row[k];
      for (std::size_t k = 0; k < b; ++k) variance[k] += share * share * variance_row[k];
    }
    EmulatedProbability sum;
    for (std::size_t k = 0; k < b; ++k) {
      sum.value += shares_b[k] * static_cast<double>(value[k]);
      sum.variance += shares_b[k] * shares_b[k] * static_cast<double>(variance[k]);
    }
    result[site] = sum;
  }
}

double SuccessEmulator::efficiency(std::span<const double> shares_a,
                                   std::span<const double> shares_b) const {
  return 1.0 / (inefficiency(shares_a, share_a_) * inefficiency(shares_b, share_b_));
}

}  // namespace graspmap
