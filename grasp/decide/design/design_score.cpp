#include "grasp/decide/design/design_score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/assert.hpp"

namespace graspmap {
namespace {

/// Visits the grasps that say something, outside of a block.
template <typename Visit>
void each_grasp(std::span<const GraspEnd> ends, int without, const Visit& visit) {
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const auto block = static_cast<int>(k * kScoreBlocks / ends.size());
    if (block == without || ends[k].outcome == Outcome::kFailed) continue;
    visit(k, ends[k].outcome == Outcome::kSuccess);
  }
}

struct Count {
  double successes = 0.0;
  double grasps = 0.0;
  void add(bool success) {
    grasps += 1.0;
    successes += success ? 1.0 : 0.0;
  }
  [[nodiscard]] double share() const { return grasps > 0 ? successes / grasps : 0.0; }
};

double success(std::span<const GraspEnd> ends, int without) {
  Count all;
  each_grasp(ends, without, [&](std::size_t /*k*/, bool success) { all.add(success); });
  return all.share();
}

double worst_cell(const ObjectiveQuestion& question, std::span<const GraspEnd> ends, int without) {
  std::vector<Count> cells(question.cells);
  each_grasp(ends, without,
             [&](std::size_t k, bool success) { cells[k % question.cells].add(success); });
  double worst = 1.0;
  for (const Count& cell : cells) {
    worst = std::min(worst, (cell.successes + 0.5) / (cell.grasps + 1.0));
  }
  return worst;
}

double pose_spread(const ObjectiveQuestion& question, std::span<const GraspEnd> ends, int without) {
  const auto coordinate = static_cast<std::size_t>(question.spread_of);
  const double period = coordinate == 2 ? question.period_rad : 0.0;
  double first = 0.0;
  bool any = false;
  double sum = 0.0;
  double squares = 0.0;
  Count all;
  each_grasp(ends, without, [&](std::size_t k, bool success) {
    all.add(success);
    if (!success) return;
    double value = ends[k].pose[coordinate];
    if (!any) first = value;
    any = true;
    value -= first;
    if (period > 0) value -= period * std::round(value / period);
    sum += value;
    squares += value * value;
  });
  if (all.share() < question.probability || all.successes < 2) {
    return all.share() - question.probability - kNoSpread;
  }
  const double mean = sum / all.successes;
  const double variance = std::max(squares / all.successes - mean * mean, 0.0);
  return -std::max(std::sqrt(variance), kLeastSpread);
}

/// The largest scale at which success, which falls with the scale, reaches the probability: pools
/// of adjacent violators, and between two pools' mean scales a line in log(scale).
double tolerated_error(const ObjectiveQuestion& question, std::span<const GraspEnd> ends,
                       int without) {
  struct Pool {
    Count count;
    double log_scale = 0.0;  ///< sum over its grasps
    [[nodiscard]] double middle() const { return log_scale / count.grasps; }
  };
  std::vector<std::pair<double, bool>> grasps;
  each_grasp(ends, without, [&](std::size_t k, bool success) {
    grasps.emplace_back(std::log(error_scale(static_cast<std::int64_t>(k))), success);
  });
  std::sort(grasps.begin(), grasps.end());
  std::vector<Pool> pools;
  for (const auto& [log_scale, success] : grasps) {
    Pool pool;
    pool.count.add(success);
    pool.log_scale = log_scale;
    while (!pools.empty() && pools.back().count.share() <= pool.count.share()) {
      pool.count.successes += pools.back().count.successes;
      pool.count.grasps += pools.back().count.grasps;
      pool.log_scale += pools.back().log_scale;
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  const double p = question.probability;
  if (pools.empty() || pools.front().count.share() < p) return 0.0;
  std::size_t last = 0;
  while (last + 1 < pools.size() && pools[last + 1].count.share() >= p) ++last;
  if (last + 1 == pools.size()) return kMostErrorScale;
  const Pool& above = pools[last];
  const Pool& below = pools[last + 1];
  const double share = (above.count.share() - p) / (above.count.share() - below.count.share());
  return std::exp(above.middle() + share * (below.middle() - above.middle()));
}

}  // namespace

GraspAt grasps_for(DesignObjective objective) {
  switch (objective) {
    case DesignObjective::kWorstCell:
      return GraspAt::kCells;
    case DesignObjective::kToleratedError:
      return GraspAt::kScaled;
    case DesignObjective::kSuccess:
    case DesignObjective::kPoseSpread:
      break;
  }
  return GraspAt::kAim;
}

double design_score(const ObjectiveQuestion& question, std::span<const GraspEnd> ends,
                    int without) {
  switch (question.objective) {
    case DesignObjective::kWorstCell:
      return worst_cell(question, ends, without);
    case DesignObjective::kPoseSpread:
      return pose_spread(question, ends, without);
    case DesignObjective::kToleratedError:
      return tolerated_error(question, ends, without);
    case DesignObjective::kSuccess:
      break;
  }
  return success(ends, without);
}

double value_of_score(DesignObjective objective, double score) {
  if (objective != DesignObjective::kPoseSpread) return score;
  return score > -0.5 * kNoSpread ? -score : std::nan("");
}

std::vector<double> score_and_blocks(const ObjectiveQuestion& question,
                                     std::span<const GraspEnd> ends) {
  std::vector<double> scores = {design_score(question, ends)};
  for (int block = 0; block < kScoreBlocks; ++block) {
    scores.push_back(design_score(question, ends, block));
  }
  return scores;
}

ScoreDifference score_difference(std::span<const double> a, std::span<const double> b,
                                 double least) {
  GRASPMAP_CHECK(a.size() == b.size() && a.size() == kScoreBlocks + 1);
  std::vector<double> without;
  for (std::size_t k = 1; k < a.size(); ++k) without.push_back(a[k] - b[k]);
  const double n = kScoreBlocks;
  const double mean = std::accumulate(without.begin(), without.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : without) squares += (value - mean) * (value - mean);
  const double se = std::sqrt((n - 1) / n * squares);
  return {a[0] - b[0], std::max(se, least)};
}

}  // namespace graspmap
