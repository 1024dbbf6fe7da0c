#include "grasp/decide/sequence/lying_pose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace graspmap {

LyingPose nearest_same(LyingPose pose, const LyingPose& reference, const SamePose& same) {
  const double turns = std::round((reference.angle_rad - pose.angle_rad) / same.period_rad);
  pose.angle_rad += turns * same.period_rad;
  const Vec2 turned = -pose.center_mm;
  const bool is_turned = same.of_jaws ? std::fmod(std::abs(turns), 2.0) == 1.0
                                      : (turned - reference.center_mm).norm() <
                                            (pose.center_mm - reference.center_mm).norm();
  if (is_turned) pose.center_mm = turned;
  return pose;
}

bool is_same(const LyingPose& pose, const LyingPose& reference, const SamePose& same) {
  const LyingPose near = nearest_same(pose, reference, same);
  return std::abs(near.angle_rad - reference.angle_rad) <= same.within_rad &&
         (near.center_mm - reference.center_mm).norm() <= same.within_mm;
}

namespace {

double weight_of(const PoseCloud& cloud) {
  return std::accumulate(cloud.begin(), cloud.end(), 0.0,
                         [](double sum, const WeightedPose& one) { return sum + one.weight; });
}

/// The mean of the poses that count as `reference`.
LyingPose mean_about(const PoseCloud& cloud, const LyingPose& reference, const SamePose& same) {
  LyingPose sum;
  double weight = 0.0;
  for (const WeightedPose& one : cloud) {
    if (one.lost || !is_same(one.pose, reference, same)) continue;
    const LyingPose near = nearest_same(one.pose, reference, same);
    sum.center_mm += one.weight * near.center_mm;
    sum.angle_rad += one.weight * (near.angle_rad - reference.angle_rad);
    weight += one.weight;
  }
  return {sum.center_mm / weight, reference.angle_rad + sum.angle_rad / weight};
}

double share_about(const PoseCloud& cloud, const LyingPose& reference, const SamePose& same) {
  double near = 0.0;
  for (const WeightedPose& one : cloud) {
    if (!one.lost && is_same(one.pose, reference, same)) near += one.weight;
  }
  return near / weight_of(cloud);
}

/// The poses that are not lost, by their angle within the period.
class SortedCloud {
 public:
  SortedCloud(const PoseCloud& cloud, const SamePose& same) : cloud_(cloud), same_(same) {
    for (std::size_t k = 0; k < cloud.size(); ++k) {
      if (cloud[k].lost) continue;
      const double turns = std::floor(cloud[k].pose.angle_rad / same.period_rad);
      sorted_.push_back({cloud[k].pose.angle_rad - turns * same.period_rad, k});
    }
    std::sort(sorted_.begin(), sorted_.end());
  }

  [[nodiscard]] std::size_t size() const { return sorted_.size(); }
  [[nodiscard]] const LyingPose& pose(std::size_t k) const {
    return cloud_[sorted_[k].second].pose;
  }

  /// The weight of what counts as pose k: its neighbours on both sides, round the period.
  [[nodiscard]] double weight_near(std::size_t k) const {
    double weight = cloud_[sorted_[k].second].weight;
    const std::size_t n = sorted_.size();
    const double half = 0.5 * same_.period_rad;
    for (const bool up : {true, false}) {
      for (std::size_t i = 1; i < n; ++i) {
        const std::size_t at = up ? (k + i) % n : (k + n - i) % n;
        double apart =
            up ? sorted_[at].first - sorted_[k].first : sorted_[k].first - sorted_[at].first;
        if (apart < 0.0) apart += same_.period_rad;
        if (apart > same_.within_rad || apart > half || (!up && apart == half)) break;
        const WeightedPose& other = cloud_[sorted_[at].second];
        if (is_same(other.pose, pose(k), same_)) weight += other.weight;
      }
    }
    return weight;
  }

 private:
  const PoseCloud& cloud_;
  const SamePose& same_;
  std::vector<std::pair<double, std::size_t>> sorted_;
};

}  // namespace

PoseCluster largest_cluster(const PoseCloud& cloud, const SamePose& same) {
  const SortedCloud sorted(cloud, same);
  if (sorted.size() == 0) return {};
  PoseCluster largest;
  double most = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const double weight = sorted.weight_near(k);
    if (weight <= most * (1.0 + 1e-12)) continue;
    most = weight;
    largest.pose = sorted.pose(k);
  }
  largest.share = share_about(cloud, largest.pose, same);
  const LyingPose mean = mean_about(cloud, largest.pose, same);
  const double share = share_about(cloud, mean, same);
  if (share >= largest.share) largest = {mean, share};
  return largest;
}

PoseSpread spread_about(const PoseCloud& cloud, const LyingPose& pose, const SamePose& same) {
  double angle = 0.0;
  double position = 0.0;
  double weight = 0.0;
  for (const WeightedPose& one : cloud) {
    if (one.lost) continue;
    const LyingPose near = nearest_same(one.pose, pose, same);
    const double turn = near.angle_rad - pose.angle_rad;
    angle += one.weight * turn * turn;
    position += one.weight * (near.center_mm - pose.center_mm).squaredNorm();
    weight += one.weight;
  }
  if (weight == 0.0) return {};
  return {std::sqrt(angle / weight), std::sqrt(position / weight)};
}

}  // namespace graspmap
