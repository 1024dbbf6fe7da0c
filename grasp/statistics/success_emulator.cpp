#include "grasp/statistics/success_emulator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
std::vector<double> kernel_weights(double bandwidth, int nodes) {
  std::vector<double> weights;
  for (int d = 0; d < nodes && kernel(d, bandwidth) > 0; ++d) {
    weights.push_back(kernel(d, bandwidth));
  }
  return weights;
}

/// Smooths each site's table along both inputs.
void smooth_inputs(std::vector<double>& table, const EmulatorGrid& grid,
                   const EmulatorBandwidths& h) {
  const auto a = static_cast<std::size_t>(grid.nodes_a);
  const auto b = static_cast<std::size_t>(grid.nodes_b);
  const std::vector<double> weights_a = kernel_weights(h.a, grid.nodes_a);
  const std::vector<double> weights_b = kernel_weights(h.b, grid.nodes_b);
  std::vector<double> memory;
  for (std::size_t begin = 0; begin < table.size(); begin += a * b) {
    for (std::size_t i = 0; i < a; ++i) {
      smooth_line(&table[begin + i * b], b, 1, weights_b, memory);
    }
    for (std::size_t k = 0; k < b; ++k) smooth_line(&table[begin + k], a, b, weights_a, memory);
  }
}

/// The weights after the kernel, which spreads each over its neighbours; sums of 1.
std::vector<double> spread(std::span<const double> weights, double bandwidth) {
  const auto nodes = weights.size();
  const std::vector<double> kernel_at = kernel_weights(bandwidth, static_cast<int>(nodes));
  std::vector<double> result(nodes, 0.0);
  for (std::size_t i = 0; i < nodes; ++i) {
    if (!(weights[i] > 0)) continue;
    const std::size_t reach = kernel_at.size() - 1;
    const std::size_t first = i > reach ? i - reach : 0;
    const std::size_t last = std::min(nodes - 1, i + reach);
    double sum = 0;
    for (std::size_t k = first; k <= last; ++k) sum += kernel_at[i > k ? i - k : k - i];
    for (std::size_t k = first; k <= last; ++k) {
      result[k] += weights[i] * kernel_at[i > k ? i - k : k - i] / sum;
    }
  }
  return result;
}

/// sum v^2 / q: 1 when v = q; infinite where there is weight without trials.
double inefficiency(const std::vector<double>& v, const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v[i] > 0) sum += v[i] * v[i] / q[i];
  }
  return sum;
}

}  // namespace

/// Weighted trials and successes by site and node.
struct SuccessEmulator::Table {
  std::vector<double> trials;
  std::vector<double> successes;
};

SuccessEmulator::SuccessEmulator(std::vector<EmulatorSite> sites,
                                 std::span<const EmulatorTrial> trials, const EmulatorGrid& grid)
    : sites_(std::move(sites)), grid_(grid) {
  count(trials);
  choose_bandwidths();
  fit();
}

void SuccessEmulator::count(std::span<const EmulatorTrial> trials) {
  trials_.assign(sites_.size() * nodes(), 0.0);
  successes_.assign(sites_.size() * nodes(), 0.0);
  share_a_.assign(static_cast<std::size_t>(grid_.nodes_a), 0.0);
  share_b_.assign(static_cast<std::size_t>(grid_.nodes_b), 0.0);
  const auto node = [](double u, int nodes) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(u * nodes), 0, nodes - 1));
  };
  for (const EmulatorTrial& trial : trials) {
    const std::size_t i = node(trial.a, grid_.nodes_a);
    const std::size_t k = node(trial.b, grid_.nodes_b);
    const std::size_t at = trial.site * nodes() + i * static_cast<std::size_t>(grid_.nodes_b) + k;
    trials_[at] += 1;
    successes_[at] += trial.success ? 1 : 0;
    share_a_[i] += 1.0 / static_cast<double>(trials.size());
    share_b_[k] += 1.0 / static_cast<double>(trials.size());
  }
}

SuccessEmulator::Table SuccessEmulator::smoothed(const EmulatorBandwidths& h) const {
  Table inputs{trials_, successes_};
  smooth_inputs(inputs.trials, grid_, h);
  smooth_inputs(inputs.successes, grid_, h);
  Table result{std::vector<double>(trials_.size(), 0.0), std::vector<double>(trials_.size(), 0.0)};
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    for (std::size_t other = 0; other < sites_.size(); ++other) {
      const double weight =
          kernel(sites_[s].x - sites_[other].x, h.x) * kernel(sites_[s].y - sites_[other].y, h.y);
      if (weight == 0) continue;
      for (std::size_t n = 0; n < nodes(); ++n) {
        result.trials[s * nodes() + n] += weight * inputs.trials[other * nodes() + n];
        result.successes[s * nodes() + n] += weight * inputs.successes[other * nodes() + n];
      }
    }
  }
  return result;
}

/// The mean squared error of each trial predicted from all others: at a node, its own weight is 1.
double SuccessEmulator::squared_error(const EmulatorBandwidths& h) const {
  const Table table = smoothed(h);
  double sum = 0;
  double count = 0;
  for (std::size_t n = 0; n < trials_.size(); ++n) {
    if (!(trials_[n] > 0)) continue;
    const double others = table.trials[n] - 1;
    const bool alone = !(others > 1e-9);
    const double after_success = alone ? 0.5 : (table.successes[n] - 1) / others;
    const double after_failure = alone ? 0.5 : table.successes[n] / others;
    sum += successes_[n] * (1 - after_success) * (1 - after_success) +
           (trials_[n] - successes_[n]) * after_failure * after_failure;
    count += trials_[n];
  }
  return sum / count;
}

/// One bandwidth after the other goes to the neighbour in the list that lessens the error, until
/// none does.
void SuccessEmulator::choose_bandwidths() {
  constexpr std::array kAlongSites{0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0};
  constexpr std::array kAlongInputs{0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0};
  std::array<std::size_t, 4> place{2, 2, 3, 3};
  const auto at = [&](const std::array<std::size_t, 4>& p) {
    return EmulatorBandwidths{kAlongSites[p[0]] * grid_.site_width_x,
                              kAlongSites[p[1]] * grid_.site_width_y, kAlongInputs[p[2]],
                              kAlongInputs[p[3]]};
  };
  double least = squared_error(at(place));
  for (bool better = true; better;) {
    better = false;
    for (std::size_t k = 0; k < place.size(); ++k) {
      for (const int step : {-1, 1}) {
        std::array<std::size_t, 4> next = place;
        next[k] += static_cast<std::size_t>(step);
        if (next[k] >= kAlongSites.size()) continue;
        const double error = squared_error(at(next));
        if (error >= least) continue;
        least = error;
        place = next;
        better = true;
      }
    }
  }
  bandwidths_ = at(place);
}

void SuccessEmulator::fit() {
  const Table table = smoothed(bandwidths_);
  probability_.resize(trials_.size());
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    double all = 0;
    double successful = 0;
    for (std::size_t n = s * nodes(); n < (s + 1) * nodes(); ++n) {
      all += table.trials[n];
      successful += table.successes[n];
    }
    const double site_mean = all > 0 ? successful / all : 0.5;
    constexpr double kPriorTrials = 0.01;  // decides only where there is next to nothing
    for (std::size_t n = s * nodes(); n < (s + 1) * nodes(); ++n) {
      probability_[n] =
          (table.successes[n] + kPriorTrials * site_mean) / (table.trials[n] + kPriorTrials);
    }
  }
  std::vector<double> own(sites_.size(), 0.0);
  for (std::size_t n = 0; n < trials_.size(); ++n) own[n / nodes()] += trials_[n];
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    double sum = 0;
    double squares = 0;
    for (std::size_t other = 0; other < sites_.size(); ++other) {
      const double weight = kernel(sites_[s].x - sites_[other].x, bandwidths_.x) *
                            kernel(sites_[s].y - sites_[other].y, bandwidths_.y);
      sum += weight * own[other];
      squares += weight * weight * own[other];
    }
    effective_trials_.push_back(squares > 0 ? sum * sum / squares : 0.0);
  }
}

void SuccessEmulator::probabilities(std::span<const double> weights_a,
                                    std::span<const double> weights_b,
                                    std::span<double> result) const {
  const std::size_t b = weights_b.size();
  std::vector<double> mixed(b);
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    std::fill(mixed.begin(), mixed.end(), 0.0);
    for (std::size_t i = 0; i < weights_a.size(); ++i) {
      const double w = weights_a[i];
      if (w == 0) continue;
      const double* row = &probability_[s * nodes() + i * b];
      for (std::size_t k = 0; k < b; ++k) mixed[k] += w * row[k];
    }
    double p = 0;
    for (std::size_t k = 0; k < b; ++k) p += weights_b[k] * mixed[k];
    result[s] = p;
  }
}

double SuccessEmulator::efficiency(std::span<const double> weights_a,
                                   std::span<const double> weights_b) const {
  return 1.0 / (inefficiency(spread(weights_a, bandwidths_.a), share_a_) *
                inefficiency(spread(weights_b, bandwidths_.b), share_b_));
}

}  // namespace graspmap
