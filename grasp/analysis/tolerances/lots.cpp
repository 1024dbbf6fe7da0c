#include "grasp/analysis/tolerances/lots.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "grasp/analysis/tolerances/widened_trials.hpp"
#include "grasp/process/stop.hpp"
#include "grasp/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

/// Seeds of a run and of other samples are others.
constexpr std::uint64_t kSeedOfLots = 0xf46f'6c01'0000'0000;
constexpr std::uint64_t kSeedOfParts = 0xf46f'6c02'0000'0000;
constexpr double kLowQuantile = 0.05;

/// Calls `visit` for each law of a configuration, in a fixed order.
template <typename Config, typename F>
void for_each_law(Config& config, const F& visit) {
  for (auto& number : config.uncertain) visit(number.law);
  visit(config.mu_jaw);
  visit(config.mu_support);
  visit(config.placement.noise_x_mm);
  visit(config.placement.noise_y_mm);
  visit(config.placement.noise_theta_rad);
}

/// What each law's lot has in common: the draws of the lots' own laws, in the order of
/// for_each_law; for laws without lots anything.
std::vector<double> lot_shifts(const SweepConfig& config, std::uint64_t seed, std::uint64_t lot) {
  SweepConfig of_lots = config;
  for_each_law(of_lots, [](Distribution& law) {
    if (law.lot_sigma > 0) law = {DistributionKind::kNormal, 0.0, law.lot_sigma};
  });
  std::vector<double> shifts = sample_uncertain(of_lots, kSeedOfLots + seed, lot);
  const TrialParameters p = sample_at(of_lots, {}, kSeedOfLots + seed, lot);
  shifts.insert(shifts.end(),
                {p.mu_jaw, p.mu_support, p.placement_x_mm, p.placement_y_mm, p.theta_rad});
  return shifts;
}

void move_law(Distribution& law, double shift) {
  law.mean += shift;
  law.sigma = std::sqrt(std::max(law.sigma * law.sigma - law.lot_sigma * law.lot_sigma, 0.0));
  law.lot_sigma = 0;
  if (law.sigma > 0) return;
  law.kind = DistributionKind::kFixed;
  law.mean = std::clamp(law.mean, law.min, law.max);
}

SuccessCount simulate_lot(const SweepConfig& config, const LotQuestion& question,
                          std::uint64_t seed, std::uint64_t lot, Workspace& workspace,
                          SimulationResult& result) {
  const SweepConfig of_lot = config_of_lot(config, seed, lot);
  const WidenedTrials trials(of_lot, question.aim);
  const std::vector<double> factors(trials.inputs().size(), 1.0);
  SuccessCount count;
  for (std::int64_t part = 0; part < question.parts; ++part) {
    const auto index =
        lot * static_cast<std::uint64_t>(question.parts) + static_cast<std::uint64_t>(part);
    const Outcome outcome = trials.run(factors, kSeedOfParts + seed, index, workspace, result);
    count.successes += outcome == Outcome::kSuccess ? 1 : 0;
    (outcome == Outcome::kFailed ? count.failed : count.trials) += 1;
  }
  return count;
}

/// The quantile of sorted values, with the order statistics that hold it with a confidence.
LotNumber quantile_of(const std::vector<double>& sorted, double share, double z) {
  const auto n = static_cast<double>(sorted.size());
  const auto at = [&](double rank) {
    return sorted[static_cast<std::size_t>(std::clamp(std::round(rank), 0.0, n - 1))];
  };
  const double half = z * std::sqrt(n * share * (1 - share));
  return {at(share * (n - 1)), {at(share * n - half - 1), at(share * n + half)}};
}

}  // namespace

bool has_lots(const SweepConfig& config) {
  bool found = false;
  for_each_law(config, [&](const Distribution& law) { found = found || law.lot_sigma > 0; });
  return found;
}

SweepConfig config_of_lot(const SweepConfig& config, std::uint64_t seed, std::uint64_t lot) {
  const std::vector<double> shifts = lot_shifts(config, seed, lot);
  SweepConfig of_lot = config;
  std::size_t k = 0;
  for_each_law(of_lot, [&](Distribution& law) {
    if (law.lot_sigma > 0) move_law(law, shifts[k]);
    ++k;
  });
  return of_lot;
}

std::vector<SuccessCount> simulate_lots(const SweepConfig& config, const LotQuestion& question,
                                        std::uint64_t seed, int threads,
                                        const std::function<void(double)>& show) {
  std::vector<SuccessCount> counts(static_cast<std::size_t>(question.lots));
  constexpr std::int64_t kLotsAtOnce = 30;  // between two shows
  for (std::int64_t first = 0; first < question.lots; first += kLotsAtOnce) {
    const std::int64_t count = std::min(kLotsAtOnce, question.lots - first);
    run_trials(count, {threads, stop_flag()},
               [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                 const std::int64_t lot = first + index;
                 counts[static_cast<std::size_t>(lot)] = simulate_lot(
                     config, question, seed, static_cast<std::uint64_t>(lot), workspace, result);
                 return Outcome::kSuccess;
               });
    check_stop();
    if (show) show(static_cast<double>(first + count) / static_cast<double>(question.lots));
  }
  return counts;
}

LotSuccess lot_success(const std::vector<SuccessCount>& lots, const LotQuestion& question) {
  const double z = two_sided_z(question.confidence);
  const auto n = static_cast<double>(lots.size());
  LotSuccess result;
  result.question = question;
  double mean = 0;
  double chance = 0;
  for (const SuccessCount& lot : lots) {
    const double p = lot.share();
    mean += p / n;
    chance += p * (1 - p) / std::max(static_cast<double>(lot.trials) - 1, 1.0) / n;
  }
  double variance = 0;
  for (const SuccessCount& lot : lots) variance += std::pow(lot.share() - mean, 2) / (n - 1);
  const double between = std::max(variance - chance, 0.0);
  const double half = z * std::sqrt(variance / n);
  result.part = {mean, {std::max(mean - half, 0.0), std::min(mean + half, 1.0)}};
  result.lot_sigma = std::sqrt(between);
  std::vector<double> shares;
  const double scale = variance > 0 ? std::sqrt(between / variance) : 0.0;
  for (const SuccessCount& lot : lots) shares.push_back(mean + scale * (lot.share() - mean));
  std::sort(shares.begin(), shares.end());
  result.median = quantile_of(shares, 0.5, z);
  result.fifth_percentile = quantile_of(shares, kLowQuantile, z);
  if (question.required) {
    const auto reaching = static_cast<std::int64_t>(
        shares.end() - std::lower_bound(shares.begin(), shares.end(), *question.required));
    result.reaching = {static_cast<double>(reaching) / n,
                       wilson_interval(reaching, static_cast<std::int64_t>(lots.size()), z)};
  }
  return result;
}

}  // namespace graspmap
