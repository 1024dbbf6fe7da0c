#include "grasp/decide/compare/rectangle_probability.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/sweep/store/trial_samples.hpp"

namespace graspmap {
namespace {

/// The part of a range that lies in a cell of an axis.
struct AxisShare {
  int cell;
  double share;  ///< of the range
  bool whole;    ///< all of the cell
};

std::vector<AxisShare> axis_shares(const Axis& axis, double min_mm, double max_mm) {
  const double size = axis.cell_size();
  const double extent = max_mm - min_mm;
  const auto first = std::clamp((min_mm - axis.min) / size - 1, 0.0, axis.cells * 1.0);
  std::vector<AxisShare> shares;
  for (int i = static_cast<int>(first); i < axis.cells && axis.cell_min(i) < max_mm; ++i) {
    const double common = std::min(axis.cell_max(i), max_mm) - std::max(axis.cell_min(i), min_mm);
    if (common <= kBorderRounding * std::min(size, extent)) continue;
    const bool all = common >= extent * (1 - kBorderRounding);
    shares.push_back({i, all ? 1.0 : common / extent, common >= size * (1 - kBorderRounding)});
  }
  return shares;
}

/// The trials of a cell that lie in a rectangle.
struct RectangleStratum {
  std::size_t rectangle;
  bool whole;  ///< all trials of the cell
  Stratum counts;
};

/// Which cells each rectangle overlaps, and their trials.
class RectangleStrata {
 public:
  RectangleStrata(const PlacementSweep& placement, const std::vector<Rectangle>& rectangles)
      : placement_(placement),
        rectangles_(rectangles),
        of_rectangle_(rectangles.size()),
        of_cell_(static_cast<std::size_t>(placement.x_mm.cells) *
                 static_cast<std::size_t>(placement.y_mm.cells)) {
    for (std::size_t r = 0; r < rectangles.size(); ++r) add_rectangle(r);
  }

  void count(const RunStore& run, int slice) {
    for_each_trial_sample(run, [&](const TrialSample& trial) {
      if (trial.cell / of_cell_.size() != static_cast<std::size_t>(slice)) return;
      for (const std::size_t s : of_cell_[trial.cell % of_cell_.size()]) add(strata_[s], trial);
    });
  }

  [[nodiscard]] RectangleProbability result(std::size_t rectangle, double z) const;

 private:
  void add_rectangle(std::size_t r) {
    const Rectangle& rectangle = rectangles_[r];
    for (const AxisShare& y :
         axis_shares(placement_.y_mm, rectangle.y_min_mm, rectangle.y_max_mm)) {
      for (const AxisShare& x :
           axis_shares(placement_.x_mm, rectangle.x_min_mm, rectangle.x_max_mm)) {
        const auto cell = static_cast<std::size_t>(y.cell * placement_.x_mm.cells + x.cell);
        of_cell_[cell].push_back(strata_.size());
        of_rectangle_[r].push_back({strata_.size(), cell});
        strata_.push_back({r, x.whole && y.whole, {.weight = x.share * y.share}});
      }
    }
  }

  void add(RectangleStratum& stratum, const TrialSample& trial) const {
    if (!stratum.whole && !holds(rectangles_[stratum.rectangle], trial.intended)) return;
    if (trial.outcome == Outcome::kFailed) {
      stratum.counts.failed += 1;
      return;
    }
    stratum.counts.trials += 1;
    if (trial.outcome == Outcome::kSuccess) stratum.counts.successes += 1;
  }

  static bool holds(const Rectangle& rectangle, const IntendedPlacement& at) {
    return rectangle.x_min_mm <= at.x_mm && at.x_mm < rectangle.x_max_mm &&
           rectangle.y_min_mm <= at.y_mm && at.y_mm < rectangle.y_max_mm;
  }

  struct Place {
    std::size_t stratum;
    std::size_t cell;
  };

  const PlacementSweep& placement_;
  const std::vector<Rectangle>& rectangles_;
  std::vector<std::vector<Place>> of_rectangle_;
  std::vector<std::vector<std::size_t>> of_cell_;
  std::vector<RectangleStratum> strata_;
};

SampleCounts counts_of(const Stratum& stratum) {
  return {std::llround(stratum.successes), std::llround(stratum.trials),
          std::llround(stratum.failed)};
}

RectangleProbability RectangleStrata::result(std::size_t rectangle, double z) const {
  std::vector<Stratum> strata;
  for (const Place& place : of_rectangle_[rectangle]) {
    strata.push_back(strata_[place.stratum].counts);
  }
  const StratifiedProbability probability = stratified_probability(strata, z);
  RectangleProbability result;
  for (const Stratum& s : strata) result.share_in_map += s.weight;
  result.known_share = probability.known_weight;
  result.probability = {probability.estimate, probability.interval};
  result.counts = effective_counts(strata, probability);
  if (strata.size() != 1) return result;
  const Place& only = of_rectangle_[rectangle].front();
  if (!strata_[only.stratum].whole || strata.front().weight != 1.0) return result;
  result.cell = only.cell;
  result.counts = counts_of(strata.front());
  result.probability.interval = wilson_interval_with_failed(
      result.counts.successes, result.counts.trials, result.counts.failed, z);
  return result;
}

}  // namespace

SampleCounts effective_counts(const std::vector<Stratum>& strata,
                              const StratifiedProbability& probability) {
  if (!(probability.effective_trials > 0) || std::isnan(probability.estimate)) return {};
  double failed = 0;
  for (const Stratum& s : strata) {
    if (s.trials + s.failed > 0) failed += s.weight * s.failed / (s.trials + s.failed);
  }
  const double all = std::round(probability.effective_trials);
  const std::int64_t failed_trials = std::llround(all * failed / probability.known_weight);
  const std::int64_t trials = std::llround(all) - failed_trials;
  return {std::llround(probability.estimate * static_cast<double>(trials)), trials, failed_trials};
}

std::vector<RectangleProbability> rectangle_probabilities(const RunStore& run,
                                                          const std::vector<Rectangle>& rectangles,
                                                          double z, int slice) {
  RectangleStrata strata(run.config().placement, rectangles);
  strata.count(run, slice);
  std::vector<RectangleProbability> results;
  results.reserve(rectangles.size());
  for (std::size_t r = 0; r < rectangles.size(); ++r) results.push_back(strata.result(r, z));
  return results;
}

}  // namespace graspmap
