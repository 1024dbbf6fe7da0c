#include "grasp/sweep/adaptive/cell_beliefs.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "grasp/sweep/trials/cells_around.hpp"

namespace graspmap {

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

namespace {

constexpr std::array kLikeness = {0.5, 2.0, 8.0, 32.0};  ///< k: in trials, what neighbours count
constexpr std::size_t kParts = std::tuple_size_v<CellBelief>;
static_assert(kParts == kLikeness.size() + 1);
/// Rates of 0 and 1 are moved by so little that it never shows, to keep all Betas proper.
constexpr double kLeastRate = 1e-9;

double rate_of_others(const CellCounts& cell) { return 1.0 - cell.success_probability(); }

/// The failure rate of the cells around a cell, without those at its corners in all three axes.
double neighbours_rate(const SuccessMap& map, const CellIndex& at) {
  double sum = 0;
  double weights = 0;
  for_cells_around(map, at, [&](const CellIndex& other) {
    const CellCounts& cell = map.at(other.x, other.y, other.theta);
    const int steps =
        std::abs(other.x - at.x) + std::abs(other.y - at.y) + std::abs(other.theta - at.theta);
    if (steps == 0 || steps == 3 || cell.valid_trials() == 0) return;
    const double weight = steps == 1 ? 2.0 : 1.0;
    sum += weight * rate_of_others(cell);
    weights += weight;
  });
  return weights > 0 ? std::clamp(sum / weights, kLeastRate, 1 - kLeastRate) : 0.5;
}

/// The prior of a cell whose neighbours have failure rate q; its weights are left 0.
CellBelief prior(double q) {
  CellBelief belief;
  for (std::size_t k = 0; k < kLikeness.size(); ++k) {
    belief[k] = {0.0, kLikeness[k] * (1 - q), kLikeness[k] * q};
  }
  belief.back() = {0.0, 0.5, 0.5};
  return belief;
}

using PartValues = std::array<double, kParts>;

/// Adds the trials of a cell to its belief. Returns how likely each part made them, relative to the
/// likeliest: of a thousand trials the likelihood itself is below the smallest number.
PartValues learn(CellBelief& belief, const CellCounts& cell) {
  const double successes = static_cast<double>(cell.count(Outcome::kSuccess)) / cell.design_effect;
  const double others = cell.effective_trials() - successes;
  PartValues likelihoods{};
  for (std::size_t k = 0; k < kParts; ++k) {
    BeliefPart& part = belief[k];
    const double before = log_beta(part.successes, part.others);
    part.successes += successes;
    part.others += others;
    likelihoods[k] = log_beta(part.successes, part.others) - before;
  }
  const double largest = *std::max_element(likelihoods.begin(), likelihoods.end());
  for (double& likelihood : likelihoods) likelihood = std::exp(likelihood - largest);
  return likelihoods;
}

/// Each weight times its likelihood, summing to 1.
PartValues shares(const PartValues& weights, const PartValues& likelihoods) {
  PartValues result{};
  double sum = 0;
  for (std::size_t k = 0; k < kParts; ++k) sum += result[k] = weights[k] * likelihoods[k];
  for (double& share : result) share /= sum;
  return result;
}

/// The weights of the parts in the whole map.
PartValues estimate_weights(const std::vector<PartValues>& likelihoods) {
  constexpr int kIterations = 40;
  constexpr double kAddedCells = 0.5;
  PartValues weights{};
  weights.fill(1.0 / kParts);
  for (int n = 0; n < kIterations; ++n) {
    PartValues sums{};
    sums.fill(kAddedCells);
    for (const PartValues& cell : likelihoods) {
      const PartValues part = shares(weights, cell);
      for (std::size_t k = 0; k < kParts; ++k) sums[k] += part[k];
    }
    const double all = static_cast<double>(likelihoods.size()) + kParts * kAddedCells;
    for (std::size_t k = 0; k < kParts; ++k) weights[k] = sums[k] / all;
  }
  return weights;
}

}  // namespace

std::vector<CellBelief> believe(const SuccessMap& map) {
  std::vector<CellBelief> beliefs(map.cells.size());
  std::vector<PartValues> likelihoods(map.cells.size());
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    beliefs[cell] = prior(neighbours_rate(map, map.cell(cell)));
    likelihoods[cell] = learn(beliefs[cell], map.cells[cell]);
  }
  const PartValues weights = estimate_weights(likelihoods);
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    const PartValues share = shares(weights, likelihoods[cell]);
    for (std::size_t k = 0; k < kParts; ++k) beliefs[cell][k].weight = share[k];
  }
  return beliefs;
}

double belief_at_least(const CellBelief& belief, double probability) {
  // At 1 itself no Beta has any mass, but those next to it mean it.
  const double p = std::clamp(probability, 0.0, 1.0 - 1e-9);
  constexpr double kNegligible = 1e-6;
  double sum = 0;
  for (const BeliefPart& part : belief) {
    if (part.weight < kNegligible) continue;
    sum += part.weight * boost::math::ibetac(part.successes, part.others, p);
  }
  return sum;
}

namespace {

constexpr double kNegligibleMass = 1e-7;

/// How probable it is that a cell is counted wrongly.
struct MistakeChances {
  double too_many = 0.0;  ///< p < threshold, s* / n >= threshold
  double too_few = 0.0;   ///< p >= threshold, s* / n < threshold
};

/// The least number of successes of n trials with s / n >= threshold.
std::int64_t least_successes(std::int64_t trials, double threshold) {
  const auto n = static_cast<double>(trials);
  auto least = static_cast<std::int64_t>(std::ceil(n * threshold));
  // As it is counted: s / n in doubles.
  if (least > 0 && static_cast<double>(least - 1) / n >= threshold) --least;
  return least;
}

/// P(s >= least) of binomial (trials, p).
double chance_of_reaching(std::int64_t least, std::int64_t trials, double p) {
  if (least <= 0) return 1.0;
  if (least > trials) return 0.0;
  return boost::math::ibeta(static_cast<double>(least), static_cast<double>(trials - least + 1), p);
}

/// A success probability p near the threshold, and what a count of trials says there.
struct Bin {
  double log_p = 0.0;
  double log_other = 0.0;  ///< log (1 - p)
  bool above = false;      ///< p >= threshold
  double reaching = 0.0;   ///< P(s / n >= threshold)
};

/// Bins around the threshold, even in the angle asin sqrt p: there a count of n trials has the
/// standard deviation 1 / (2 sqrt n) everywhere. They reach 6 of them to either side.
struct Bins {
  double step = 0.0;  ///< of the angle
  std::vector<Bin> bins;
};

Bins bins_around(double threshold, std::int64_t trials) {
  constexpr int kBins = 24;  // to either side
  constexpr double kDeviations = 6.0;
  const double middle = std::asin(std::sqrt(threshold));
  const std::int64_t least = least_successes(trials, threshold);
  Bins result;
  result.step = kDeviations / (2 * std::sqrt(static_cast<double>(trials))) / kBins;
  for (int k = -kBins; k < kBins; ++k) {
    const double angle = middle + (k + 0.5) * result.step;
    if (angle <= 0 || angle >= std::numbers::pi / 2) continue;
    const double p = std::pow(std::sin(angle), 2);
    result.bins.push_back({2 * std::log(std::sin(angle)), 2 * std::log(std::cos(angle)), k >= 0,
                           chance_of_reaching(least, trials, p)});
  }
  return result;
}

/// By the midpoint rule. The density of Beta(a, b) over the angle is 2 p^(a - 1/2) (1 - p)^(b -
/// 1/2) / B(a, b). Where it grows without bound, at p = 0 or 1, no cell is counted wrongly.
MistakeChances mistakes(const CellBelief& belief, const Bins& bins) {
  MistakeChances chances;
  for (const BeliefPart& part : belief) {
    if (part.weight < kNegligibleMass) continue;
    const double scale = std::log(2 * part.weight * bins.step) +
                         std::lgamma(part.successes + part.others) - std::lgamma(part.successes) -
                         std::lgamma(part.others);
    for (const Bin& bin : bins.bins) {
      const double mass = std::exp(scale + (part.successes - 0.5) * bin.log_p +
                                   (part.others - 0.5) * bin.log_other);
      (bin.above ? chances.too_few : chances.too_many) +=
          mass * (bin.above ? 1 - bin.reaching : bin.reaching);
    }
  }
  const double sum = std::max(chances.too_few + chances.too_many, 1.0);
  return {chances.too_many / sum, chances.too_few / sum};
}

/// The distribution of a sum of independent numbers -1, 0, 1; its negligible tails are cut.
class SumOfMistakes {
 public:
  void add(const MistakeChances& cell) {
    std::vector<double> next(chances_.size() + 2, 0.0);
    for (std::size_t k = 0; k < chances_.size(); ++k) {
      next[k] += chances_[k] * cell.too_few;
      next[k + 1] += chances_[k] * (1 - cell.too_few - cell.too_many);
      next[k + 2] += chances_[k] * cell.too_many;
    }
    --first_;
    chances_ = std::move(next);
    cut();
  }

  /// The smallest value up to which the probability is at least `share`.
  [[nodiscard]] std::int64_t quantile(double share) const {
    double sum = 0;
    for (std::size_t k = 0; k < chances_.size(); ++k) {
      sum += chances_[k];
      if (sum >= share) return first_ + static_cast<std::int64_t>(k);
    }
    return first_ + static_cast<std::int64_t>(chances_.size()) - 1;
  }

 private:
  void cut() {
    constexpr double kNegligible = 1e-15;
    while (chances_.size() > 1 && chances_.back() < kNegligible) chances_.pop_back();
    std::size_t empty = 0;
    while (empty + 1 < chances_.size() && chances_[empty] < kNegligible) ++empty;
    chances_.erase(chances_.begin(), chances_.begin() + static_cast<std::ptrdiff_t>(empty));
    first_ += static_cast<std::int64_t>(empty);
  }

  std::vector<double> chances_{1.0};
  std::int64_t first_ = 0;
};

/// Of a map without failed trials.
Interval corrected_interval(const SuccessMap& map, double threshold, double confidence) {
  const std::vector<CellBelief> beliefs = believe(map);
  SumOfMistakes sum;
  std::int64_t counted = 0;
  std::int64_t known = 0;
  std::map<std::int64_t, Bins> bins;  // by the number of trials
  for (std::size_t c = 0; c < map.cells.size(); ++c) {
    const std::int64_t trials = std::llround(map.cells[c].effective_trials());
    if (map.cells[c].valid_trials() == 0) continue;
    ++known;
    counted += map.cells[c].success_probability() >= threshold ? 1 : 0;
    if (!bins.contains(trials)) bins[trials] = bins_around(threshold, trials);
    const MistakeChances chances = mistakes(beliefs[c], bins[trials]);
    if (chances.too_few + chances.too_many > kNegligibleMass) sum.add(chances);
  }
  const std::int64_t low = counted - sum.quantile((1 + confidence) / 2);
  const std::int64_t high = counted - sum.quantile((1 - confidence) / 2);
  return {static_cast<double>(std::clamp<std::int64_t>(low, 0, counted)),
          static_cast<double>(std::clamp(high, counted, known))};
}

/// The map with its failed trials counted as another outcome.
SuccessMap failed_as(SuccessMap map, Outcome outcome) {
  for (CellCounts& cell : map.cells) {
    std::int64_t& failed = cell.by_outcome[static_cast<std::size_t>(Outcome::kFailed)];
    cell.by_outcome[static_cast<std::size_t>(outcome)] += failed;
    failed = 0;
  }
  return map;
}

}  // namespace

Interval plateau_cells_interval(const SuccessMap& map, double threshold, double confidence) {
  if (map.total().count(Outcome::kFailed) == 0) {
    return corrected_interval(map, threshold, confidence);
  }
  const double low =
      corrected_interval(failed_as(map, Outcome::kWedged), threshold, confidence).low;
  const double high =
      corrected_interval(failed_as(map, Outcome::kSuccess), threshold, confidence).high;
  const auto estimate = static_cast<double>(std::count_if(
      map.cells.begin(), map.cells.end(),
      [&](const CellCounts& cell) { return cell.success_probability() >= threshold; }));
  return {std::min(low, estimate), std::max(high, estimate)};
}

Interval plateau_area_interval(const SuccessMap& slice, double threshold, double confidence) {
  const double cell_mm2 = slice.x_mm.cell_size() * slice.y_mm.cell_size();
  const Interval cells = plateau_cells_interval(slice, threshold, confidence);
  return {cells.low * cell_mm2, cells.high * cell_mm2};
}

}  // namespace graspmap
