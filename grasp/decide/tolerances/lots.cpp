#include "grasp/decide/tolerances/lots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"

namespace graspmap {
namespace {

/// Seeds of a run and of other samples differ.
constexpr std::uint64_t kSeedOfLots = 0xf46f'6c01'0000'0000;
constexpr double kLowQuantile = 0.05;

/// The quantile of sorted values, with the order statistics that hold it with a confidence.
Estimate quantile_of(const std::vector<double>& sorted, double share, double z) {
  const auto n = static_cast<double>(sorted.size());
  const auto at = [&](double rank) {
    return sorted[static_cast<std::size_t>(std::clamp(std::round(rank), 0.0, n - 1))];
  };
  const double half = z * std::sqrt(n * share * (1 - share));
  return {at(share * (n - 1)), {at(share * n - half - 1), at(share * n + half)}};
}

}  // namespace

bool has_lots(const SweepConfig& config) {
  const auto inputs = random_inputs(config);
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const auto& input) { return input.second->lot_share() > 0; });
}

std::vector<SampleCounts> simulate_lots(const SweepConfig& config, const LotQuestion& question,
                                        std::uint64_t seed, int threads,
                                        const std::function<void(double)>& show) {
  const std::vector<double> today(tolerance_inputs(config, question.aim).size(), 1.0);
  const WidenedTrials trials(config, question.aim, today);
  std::vector<SampleCounts> counts(static_cast<std::size_t>(question.lots));
  constexpr std::int64_t kLotsAtOnce = 30;  // between two shows
  for (std::int64_t first = 0; first < question.lots; first += kLotsAtOnce) {
    const std::int64_t count = std::min(kLotsAtOnce, question.lots - first);
    run_trials(count, {threads, stop_flag()},
               [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                 const auto lot = static_cast<std::uint64_t>(first + index);
                 const auto parts = static_cast<std::uint64_t>(question.parts);
                 for (std::uint64_t part = lot * parts; part < (lot + 1) * parts; ++part) {
                   count_outcome(
                       trials.run(kSeedOfLots + seed, PartOfLot{lot, part}, workspace, result),
                       counts[lot]);
                 }
                 return Outcome::kSuccess;
               });
    check_stop();
    if (show) show(static_cast<double>(first + count) / static_cast<double>(question.lots));
  }
  return counts;
}

LotSuccess lot_success(const std::vector<SampleCounts>& lots, const LotQuestion& question) {
  const double z = two_sided_z(question.confidence);
  GRASPMAP_CHECK(lots.size() > 1);
  const auto n = static_cast<double>(lots.size());
  LotSuccess result;
  result.question = question;
  double mean = 0;
  double chance = 0;
  for (const SampleCounts& lot : lots) {
    const double p = lot.share();
    mean += p / n;
    chance += p * (1 - p) / std::max(static_cast<double>(lot.trials) - 1, 1.0) / n;
  }
  double variance = 0;
  for (const SampleCounts& lot : lots) variance += std::pow(lot.share() - mean, 2) / (n - 1);
  const double between = std::max(variance - chance, 0.0);
  const double half = z * std::sqrt(variance / n);
  result.part = {mean, {std::max(mean - half, 0.0), std::min(mean + half, 1.0)}};
  result.lot_sigma = std::sqrt(between);
  std::vector<double> shares;
  const double scale = variance > 0 ? std::sqrt(between / variance) : 0.0;
  for (const SampleCounts& lot : lots) shares.push_back(mean + scale * (lot.share() - mean));
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

std::string lots_text(const LotSuccess& lots) {
  const LotQuestion& question = lots.question;
  TextTable table({fmt::format("at {}", aim_text(question.aim)), "success",
                   given_percent(question.confidence) + " interval"});
  const auto row = [&](const std::string& what, const Estimate& number) {
    table.add(
        {what, fine_percent(number.value, number.interval), fine_percent_range(number.interval)});
  };
  row("the next part, of any lot", lots.part);
  row("the next lot: half of the lots have more", lots.median);
  row("the next lot: 95 % of the lots have more", lots.fifth_percentile);
  if (lots.reaching) {
    row(fmt::format("share of the lots with {} or more", given_percent(*question.required)),
        *lots.reaching);
  }
  return fmt::format(
             "The next part and the next lot differ: the success of lots has a standard "
             "deviation of {:.2f} points\n({} lots of {} parts were simulated; their "
             "parts' chance is taken out).\n\n",
             100 * lots.lot_sigma, grouped(question.lots), grouped(question.parts)) +
         table.text();
}

Object lots_fields(const LotSuccess& lots) {
  const LotQuestion& question = lots.question;
  return {
      aim_fields(question.aim),
      {"simulated_lots", question.lots},
      {"parts_of_each", question.parts},
      {"lot_sigma", lots.lot_sigma, "of the lots' success"},
      {"next_part", estimate_fields(lots.part), "of an unknown lot"},
      {"median", estimate_fields(lots.median), "of lots"},
      {"fifth_percentile", estimate_fields(lots.fifth_percentile), "95 % of the lots have more"},
      {"share_that_reaches", maybe(lots.reaching, estimate_fields<Estimate>),
       "the required probability"}};
}

}  // namespace graspmap
