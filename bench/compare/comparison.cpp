#include "bench/compare/comparison.hpp"

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include "bench/timing.hpp"

namespace graspmap::bench {
namespace {

template <typename Predicate>
const Score* fastest(const Comparison& comparison, const Predicate& qualifies) {
  const Score* best = nullptr;
  for (const Score& score : comparison.scores) {
    if (!qualifies(score)) continue;
    if (best == nullptr || score.median_trials_per_s() > best->median_trials_per_s()) best = &score;
  }
  return best;
}

}  // namespace

double Score::median_trials_per_s() const { return median(measured.trials_per_s); }

int Comparison::robust() const {
  return static_cast<int>(
      std::count_if(reference.begin(), reference.end(),
                    [](const ReferenceTrial& trial) { return trial.robust(); }));
}

std::vector<std::string> Comparison::curves() const {
  std::vector<std::string> names;
  for (const Score& score : scores) {
    if (names.empty() || names.back() != score.curve) names.push_back(score.curve);
  }
  return names;
}

bool is_usable(const Score& score) { return score.agreement.robust_share() >= kUsableShare; }

bool is_right(const Score& score) {
  const Agreement& agreement = score.agreement;
  return agreement.robust_wrong() == 0 && agreement.median_mm <= kRightMedian_mm &&
         agreement.median_rad <= kRightMedian_deg * std::numbers::pi / 180.0;
}

const Score* fastest_right(const Comparison& comparison) {
  return fastest(comparison, [](const Score& score) { return score.ours() && is_right(score); });
}

const Score* fastest_usable(const Comparison& comparison, const std::string& curve) {
  return fastest(comparison,
                 [&](const Score& score) { return score.curve == curve && is_usable(score); });
}

const Score* most_right(const Comparison& comparison, const std::string& curve) {
  double share = 0.0;
  for (const Score& score : comparison.scores) {
    if (score.curve == curve) share = std::max(share, score.agreement.robust_share());
  }
  return fastest(comparison, [&](const Score& score) {
    return score.curve == curve && score.agreement.robust_share() == share;
  });
}

std::vector<const Score*> main_scores(const Comparison& comparison) {
  std::map<std::string, const Score*> best;  // of each engine
  std::set<const Score*> chosen;
  for (const std::string& curve : comparison.curves()) {
    const Score* found = most_right(comparison, curve);
    chosen.insert(found);
    const Score*& engine = best[curve.substr(0, curve.find(','))];
    const auto share = [](const Score* score) { return score->agreement.robust_share(); };
    if (engine == nullptr || share(found) > share(engine)) engine = found;
  }
  const Score* before = nullptr;
  for (const Score& score : comparison.scores) {
    const bool is_best = std::any_of(best.begin(), best.end(),
                                     [&](const auto& entry) { return entry.second == &score; });
    if (is_best && before != nullptr && before->curve == score.curve) chosen.insert(before);
    if (score.ours() && score.setting == kDefaultSetting) chosen.insert(&score);
    before = &score;
  }
  std::vector<const Score*> scores;
  for (const Score& score : comparison.scores) {
    if (chosen.contains(&score)) scores.push_back(&score);
  }
  return scores;
}

}  // namespace graspmap::bench
