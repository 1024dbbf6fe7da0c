#include "grasp/decide/calibrate/stored_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/assert.hpp"

namespace graspmap {
namespace {

/// The kernel at 0, 1, 2, ... bins: exp(-d^2 / (2 h^2)) up to three standard deviations.
std::vector<double> kernel_weights(double width, std::size_t bins) {
  constexpr double kReach = 3.0;
  std::vector<double> weights{1.0};
  for (std::size_t d = 1; d < bins && static_cast<double>(d) <= kReach * width; ++d) {
    const double z = static_cast<double>(d) / width;
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

/// Each cell's table of a x b bins after the kernel along both coefficients.
std::vector<double> smoothed(std::vector<double> table, std::size_t a, std::size_t b,
                             const KernelWidths& widths) {
  const std::vector<double> weights_a = kernel_weights(widths.jaw, a);
  const std::vector<double> weights_b = kernel_weights(widths.support, b);
  std::vector<double> memory;
  for (std::size_t begin = 0; begin < table.size(); begin += a * b) {
    for (std::size_t i = 0; i < a; ++i) smooth_line(&table[begin + i * b], b, 1, weights_b, memory);
    for (std::size_t k = 0; k < b; ++k) smooth_line(&table[begin + k], a, b, weights_a, memory);
  }
  return table;
}

/// The shares after the kernel, which spreads each over its neighbours; sums of 1.
std::vector<double> spread(std::span<const double> shares, double width) {
  const std::vector<double> weights = kernel_weights(width, shares.size());
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

/// The shares of equal bins of a coefficient's range under a distribution.
std::vector<double> bin_shares(const FrictionRange& range, const Distribution& distribution,
                               std::size_t bins) {
  if (bins == 1) return {1.0};
  std::vector<double> shares;
  double below = 0.0;
  for (std::size_t i = 1; i <= bins; ++i) {
    const double u = static_cast<double>(i) / static_cast<double>(bins);
    const double up_to =
        i == bins ? 1.0 : distribution.cumulative(range.low + u * (range.high - range.low));
    shares.push_back(up_to - below);
    below = up_to;
  }
  return shares;
}

}  // namespace

StoredModel::StoredModel(const CalibrationData& data, std::span<const StoredTrial> trials,
                         const Unknowns& unknowns, std::optional<KernelWidths> widths)
    : OutcomeModel(data.cells),
      data_(data),
      unknowns_(unknowns),
      cell_trials_(data.cells.size(), 0.0) {
  count(trials);
  widths_ = widths ? *widths : best_widths();
  fit();
}

void StoredModel::count(std::span<const StoredTrial> trials) {
  constexpr std::size_t kBins = 32;
  for (std::size_t k = 0; k < 2; ++k) {
    share_[k].assign(data_.ranges[k].is_fixed() ? 1 : kBins, 0.0);
  }
  trials_.assign(cell_trials_.size() * bins(), 0.0);
  successes_ = trials_;
  const auto bin = [](double u, std::size_t count) {
    const auto n = static_cast<int>(count);
    return static_cast<std::size_t>(std::clamp(static_cast<int>(u * n), 0, n - 1));
  };
  for (const StoredTrial& trial : trials) {
    GRASPMAP_CHECK(trial.site < cell_trials_.size());
    const std::size_t i = bin(trial.jaw, share_[0].size());
    const std::size_t k = bin(trial.support, share_[1].size());
    const std::size_t at = trial.site * bins() + i * share_[1].size() + k;
    trials_[at] += 1;
    successes_[at] += trial.success ? 1 : 0;
    cell_trials_[trial.site] += 1;
    share_[0][i] += 1.0 / static_cast<double>(trials.size());
    share_[1][k] += 1.0 / static_cast<double>(trials.size());
  }
}

/// The sum over all trials of the squared error of the average of all others, in which its own
/// weight, 1, is left out; a trial without others errs by 1/2.
double StoredModel::squared_error(const KernelWidths& h) const {
  const std::vector<double> trials = smoothed(trials_, share_[0].size(), share_[1].size(), h);
  const std::vector<double> successes = smoothed(successes_, share_[0].size(), share_[1].size(), h);
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

KernelWidths StoredModel::best_widths() const {
  constexpr std::array kCandidates{0.0, 2.0, 3.0, 5.0, 8.0, 16.0};
  KernelWidths best;
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

void StoredModel::fit() {
  const std::vector<double> trials = smoothed(trials_, share_[0].size(), share_[1].size(), widths_);
  const std::vector<double> successes =
      smoothed(successes_, share_[0].size(), share_[1].size(), widths_);
  for (std::size_t site = 0; site < cell_trials_.size(); ++site) {
    const std::size_t begin = site * bins();
    const auto first = successes_.begin() + static_cast<std::ptrdiff_t>(begin);
    const double all_successes =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(bins()), 0.0);
    const double mean = cell_trials_[site] > 0 ? all_successes / cell_trials_[site] : 0.5;
    for (std::size_t n = begin; n < begin + bins(); ++n) {
      value_.push_back(static_cast<float>(trials[n] > 0 ? successes[n] / trials[n] : mean));
    }
    is_constant_.push_back(all_successes == 0 || all_successes == cell_trials_[site]);
  }
}

std::vector<CellPrediction> StoredModel::predict(std::span<const double> point) const {
  const auto [jaw, support] = shares(point);
  const double share = 1.0 / (inefficiency(spread(jaw, widths_.jaw), share_[0]) *
                              inefficiency(spread(support, widths_.support), share_[1]));
  std::vector<CellPrediction> cells;
  std::vector<float> mixed(support.size());
  for (std::size_t cell = 0; cell < cell_trials_.size(); ++cell) {
    const float* table = &value_[cell * bins()];
    double p = table[0];
    if (!is_constant_[cell]) {
      std::fill(mixed.begin(), mixed.end(), 0.0F);
      for (std::size_t i = 0; i < jaw.size(); ++i) {
        const auto weight = static_cast<float>(jaw[i]);
        if (weight == 0.0F) continue;
        for (std::size_t k = 0; k < mixed.size(); ++k) {
          mixed[k] += weight * table[i * mixed.size() + k];
        }
      }
      p = std::inner_product(support.begin(), support.end(), mixed.begin(), 0.0);
    }
    const auto stored = static_cast<double>(data_.cells[cell].stored_trials);
    const auto failed = static_cast<double>(data_.cells[cell].stored_failed);
    // Half a trial is taken for certain failure, and 1 minus it for success.
    const double least = 0.5 / (stored + 1);
    // A distribution that reaches where no trial is has none: its counts are as uncertain as can
    // be.
    const double trials = std::max(cell_trials_[cell] * share, 1e-6);
    const double failed_share = failed / (stored + failed);
    cells.push_back(
        {std::clamp(p, least, 1 - least), 1 / (1 / trials + failed_share * failed_share)});
  }
  return cells;
}

double StoredModel::efficiency(std::span<const double> point) const {
  const auto [jaw, support] = shares(point);
  return 1.0 / (inefficiency(jaw, share_[0]) * inefficiency(support, share_[1]));
}

std::array<std::vector<double>, 2> StoredModel::shares(std::span<const double> point) const {
  const auto of = [&](std::size_t k) {
    return bin_shares(data_.ranges[k], unknowns_.friction_distribution(point, k), share_[k].size());
  };
  return {of(0), of(1)};
}

}  // namespace graspmap
