#include "grasp/decide/design/design_score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"

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

/// Successes over the logarithm of the scale, in bins.
class ScaleBins {
 public:
  ScaleBins(std::span<const GraspEnd> ends, int without) {
    each_grasp(ends, without, [&](std::size_t k, bool success) {
      const double share =
          0.5 + 0.5 * log_error_scale(static_cast<std::int64_t>(k)) / kLogMostErrorScale;
      const auto bin = static_cast<std::size_t>(share * kBins);
      bins_[std::min(bin, bins_.size() - 1)].add(success);
    });
  }

  /// Success at a logarithm of the scale: a line fitted to the bins around it.
  [[nodiscard]] double success(double log_scale) const {
    constexpr double kBandwidth = 0.15;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, t0 = 0.0, t1 = 0.0;
    for (std::size_t k = 0; k < bins_.size(); ++k) {
      const double off = log_of(static_cast<double>(k) + 0.5, kBins) - log_scale;
      const double z = off / kBandwidth;
      if (std::abs(z) > 4.0) continue;
      const double weight = elementary::exp(-0.5 * z * z);
      s0 += weight * bins_[k].grasps;
      s1 += weight * bins_[k].grasps * off;
      s2 += weight * bins_[k].grasps * off * off;
      t0 += weight * bins_[k].successes;
      t1 += weight * bins_[k].successes * off;
    }
    const double determinant = s0 * s2 - s1 * s1;
    if (!(s0 > 0)) return 0.0;
    return determinant > 1e-12 * s0 * s2 ? (s2 * t0 - s1 * t1) / determinant : t0 / s0;
  }

  /// Where `place` of `places` lies between the least and the largest.
  static double log_of(double place, double places) {
    return (2.0 * place / places - 1.0) * kLogMostErrorScale;
  }

 private:
  static constexpr double kBins = 256;
  std::array<Count, 256> bins_;
};

double tolerated_error(const ObjectiveQuestion& question, std::span<const GraspEnd> ends,
                       int without) {
  constexpr int kPlaces = 80;
  const ScaleBins bins(ends, without);
  double before = 0.0;
  for (int place = 0; place <= kPlaces; ++place) {
    const double success = bins.success(ScaleBins::log_of(place, kPlaces));
    if (success < question.probability) {
      if (place == 0) return 0.0;
      const double share = (before - question.probability) / (before - success);
      return elementary::exp(ScaleBins::log_of(place - 1 + share, kPlaces));
    }
    before = success;
  }
  return kMostErrorScale;
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
