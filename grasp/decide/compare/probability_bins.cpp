#include "grasp/decide/compare/probability_bins.hpp"

#include <algorithm>
#include <array>

namespace graspmap {
namespace {

constexpr std::size_t kProbabilityBins = 10;

struct BinSums {
  double expected = 0.0;
  std::int64_t trials = 0;
  std::int64_t successes = 0;
};

}  // namespace

std::vector<ProbabilityBin> probability_bins(std::span<const PredictedSite> sites,
                                             double confidence) {
  std::array<BinSums, kProbabilityBins> sums;
  for (const PredictedSite& site : sites) {
    const double p = site.model.probability();
    const auto bin = static_cast<std::size_t>(p * static_cast<double>(kProbabilityBins));
    BinSums& sum = sums[std::min(bin, kProbabilityBins - 1)];
    sum.expected += p * static_cast<double>(site.trials);
    sum.trials += site.trials;
    sum.successes += site.successes;
  }
  std::vector<ProbabilityBin> bins;
  for (const BinSums& sum : sums) {
    if (sum.trials == 0) continue;
    const auto trials = static_cast<double>(sum.trials);
    bins.push_back({sum.expected / trials,
                    {static_cast<double>(sum.successes) / trials,
                     wilson_interval(sum.successes, sum.trials, two_sided_z(confidence))},
                    sum.trials});
  }
  return bins;
}

}  // namespace graspmap
