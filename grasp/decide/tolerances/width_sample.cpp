#include "grasp/decide/tolerances/width_sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace graspmap {
namespace {

constexpr std::int64_t kFirstLook = 250;
constexpr double kSureZ = 3.5;

SuccessCount counted(const std::vector<PairSide>& outcomes, std::int64_t first_trials) {
  SuccessCount count;
  for (std::int64_t k = 0; k < first_trials; ++k) {
    const PairSide outcome = outcomes[static_cast<std::size_t>(k)];
    count.successes += outcome == PairSide::kSuccess ? 1 : 0;
    count.failed += outcome == PairSide::kFailed ? 1 : 0;
  }
  count.trials = first_trials - count.failed;
  return count;
}

}  // namespace

double SuccessCount::share() const {
  return trials > 0 ? static_cast<double>(successes) / static_cast<double>(trials) : 0.0;
}

Interval SuccessCount::interval(double z) const {
  return wilson_interval_with_failed(successes, trials, failed, z);
}

WidthSample::WidthSample(SimulateWidths simulate, std::int64_t most)
    : simulate_(std::move(simulate)), most_(most) {}

const std::vector<PairSide>& WidthSample::outcomes(const std::vector<double>& factors,
                                                   std::int64_t count) {
  std::vector<PairSide>& known = outcomes_[factors];
  const auto first = static_cast<std::int64_t>(known.size());
  if (first < count) {
    const std::vector<PairSide> more = simulate_(factors, first, count - first);
    known.insert(known.end(), more.begin(), more.end());
    simulated_ += count - first;
  }
  return known;
}

SuccessCount WidthSample::count(const std::vector<double>& factors) {
  return counted(outcomes(factors, most_), most_);
}

bool WidthSample::reaches(const std::vector<double>& factors, double share) {
  for (std::int64_t n = std::min(kFirstLook, most_); n < most_; n *= 2) {
    const Interval sure = counted(outcomes(factors, n), n).interval(kSureZ);
    if (sure.low >= share) return true;
    if (sure.high < share) return false;
  }
  return count(factors).share() >= share;
}

Difference WidthSample::difference(const std::vector<double>& a, const std::vector<double>& b,
                                   double z) {
  const std::vector<PairSide> of_a = outcomes(a, most_);
  const std::vector<PairSide>& of_b = outcomes(b, most_);
  PairedStratum pairs{1.0, {}};
  for (std::size_t k = 0; k < of_a.size(); ++k) pairs.pairs.add(of_a[k], of_b[k]);
  return paired_difference(std::span(&pairs, 1), z);
}

double share_for_confidence(double probability, std::int64_t trials, double z) {
  return probability + z * std::sqrt(probability * (1 - probability) / static_cast<double>(trials));
}

}  // namespace graspmap
