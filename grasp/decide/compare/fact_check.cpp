#include "grasp/decide/compare/fact_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/decide/compare/map_numbers.hpp"

namespace graspmap {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Estimate kNothing{kNone, {kNone, kNone}};
constexpr std::uint64_t kFactCheckSeed = 1996;
constexpr std::int64_t kReplicates = 1000;

/// All cells of the run as rectangles.
std::vector<Rectangle> cells_of(const PlacementSweep& map) {
  std::vector<Rectangle> cells;
  for (int j = 0; j < map.y_mm.cells; ++j) {
    for (int i = 0; i < map.x_mm.cells; ++i) {
      cells.push_back(
          {map.x_mm.cell_min(i), map.x_mm.cell_max(i), map.y_mm.cell_min(j), map.y_mm.cell_max(j)});
    }
  }
  return cells;
}

/// The run's map in numbers, by comparing it with itself.
MapNumbers numbers_of(const SweepConfig& config, const std::vector<RectangleProbability>& cells,
                      double confidence) {
  const PlacementSweep& map = config.placement;
  std::vector<SharedCell> shared;
  for (std::size_t k = 0; k < static_cast<std::size_t>(map.x_mm.cells * map.y_mm.cells); ++k) {
    shared.push_back({{}, k, cells[k].counts, cells[k].probability, cells[k].counts});
  }
  const std::int64_t replicates = std::clamp<std::int64_t>(
      20'000'000 / static_cast<std::int64_t>(shared.size()), 100, kReplicates);
  return map_numbers({shared,
                      {map.x_mm, map.y_mm},
                      config.plateau_probability,
                      config.sweet_spot_half_width_mm,
                      confidence,
                      replicates,
                      kFactCheckSeed});
}

const Estimate& number(const MapNumbers& numbers, const char* key) {
  const auto found = std::find_if(numbers.numbers.begin(), numbers.numbers.end(),
                                  [&](const MapNumber& n) { return n.key == key; });
  if (found == numbers.numbers.end()) throw std::logic_error("no such number of a map");
  return found->run;
}

/// |x - target| over an interval of x.
Estimate distance(const Estimate& x, double target) {
  const double low = std::abs(x.interval.low - target);
  const double high = std::abs(x.interval.high - target);
  const bool inside = x.interval.low <= target && target <= x.interval.high;
  return {std::abs(x.value - target), {inside ? 0.0 : std::min(low, high), std::max(low, high)}};
}

Estimate sweet_spot_distance(const MapNumbers& numbers, const PublishedFact& fact) {
  const Estimate& x = number(numbers, "sweet_spot_x_mm");
  const Estimate& y = number(numbers, "sweet_spot_y_mm");
  if (std::isnan(x.value) || std::isnan(y.value)) return kNothing;
  const Estimate dx = distance(x, fact.x_mm);
  const Estimate dy = distance(y, fact.y_mm);
  return {std::hypot(dx.value, dy.value),
          {std::hypot(dx.interval.low, dy.interval.low),
           std::hypot(dx.interval.high, dy.interval.high)}};
}

FactVerdict at_least(const Estimate& value, double bound) {
  if (value.interval.low >= bound) return FactVerdict::kHolds;
  return value.interval.high < bound ? FactVerdict::kDoesNotHold : FactVerdict::kCannotBeTold;
}

FactVerdict below(const Estimate& value, double bound) {
  if (value.interval.high < bound) return FactVerdict::kHolds;
  return value.interval.low >= bound ? FactVerdict::kDoesNotHold : FactVerdict::kCannotBeTold;
}

FactVerdict at_most(const Estimate& value, double bound) {
  if (value.interval.high <= bound) return FactVerdict::kHolds;
  return value.interval.low > bound ? FactVerdict::kDoesNotHold : FactVerdict::kCannotBeTold;
}

CheckedFact check_low_area(const PublishedFact& fact, const MapNumbers& numbers) {
  CheckedFact checked{fact, "extent of p < 0.5 behind the sweet spot", "mm",
                      fmt::format(">= {}", fact.least_extent_mm), kNothing};
  if (std::isnan(numbers.x_mm)) return checked;
  checked.run = number(numbers, "low_extent_behind_mm");
  // On a line that nowhere is low, the extent is 0.
  if (std::isnan(checked.run.value)) checked.run = {0.0, {0.0, 0.0}};
  checked.verdict = at_least(checked.run, fact.least_extent_mm);
  return checked;
}

CheckedFact check_fact(const PublishedFact& fact, const MapNumbers& numbers,
                       const Estimate& probability) {
  CheckedFact checked{fact, "mean success probability", "", "", probability};
  switch (fact.kind) {
    case FactKind::kSweetSpot:
      checked = {fact, "distance of the sweet spots", "mm", fmt::format("<= {}", fact.within_mm),
                 sweet_spot_distance(numbers, fact)};
      checked.verdict = at_most(checked.run, fact.within_mm);
      break;
    case FactKind::kProbabilityAtLeast:
      checked.asked = fmt::format(">= {}", fact.probability);
      checked.verdict = at_least(probability, fact.probability);
      break;
    case FactKind::kProbabilityBelow:
      checked.asked = fmt::format("< {}", fact.probability);
      checked.verdict = below(probability, fact.probability);
      break;
    case FactKind::kLowAreaBehind:
      return check_low_area(fact, numbers);
  }
  return checked;
}

}  // namespace

const char* name(FactVerdict verdict) {
  switch (verdict) {
    case FactVerdict::kHolds:
      return "holds";
    case FactVerdict::kDoesNotHold:
      return "does not hold";
    case FactVerdict::kCannotBeTold:
      return "cannot be told";
  }
  return "";
}

FactCheck check_facts(const RunStore& run, const PublishedFacts& published, double confidence,
                      int slice) {
  const SweepConfig& config = run.config();
  // The map's cells, then a rectangle for each fact; one that a fact has no use for is not read.
  std::vector<Rectangle> rectangles = cells_of(config.placement);
  const std::size_t cells = rectangles.size();
  for (const PublishedFact& fact : published.facts) rectangles.push_back(fact.rectangle);
  const auto probabilities =
      rectangle_probabilities(run, rectangles, two_sided_z(confidence), slice);
  const MapNumbers numbers = numbers_of(config, probabilities, confidence);

  FactCheck check;
  check.run_name = config.name;
  const Axis& theta = config.placement.theta_rad;
  if (theta.cells > 1) check.theta_rad = theta.cell_center(slice);
  check.confidence = confidence;
  check.published = published;
  check.published.facts.clear();
  for (std::size_t k = 0; k < cells; ++k) {
    check.run_trials += probabilities[k].counts.trials + probabilities[k].counts.failed;
  }
  for (std::size_t k = 0; k < published.facts.size(); ++k) {
    check.facts.push_back(
        check_fact(published.facts[k], numbers, probabilities[cells + k].probability));
  }
  return check;
}

}  // namespace graspmap
