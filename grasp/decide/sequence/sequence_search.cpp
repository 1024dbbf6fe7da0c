#include "grasp/decide/sequence/sequence_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

constexpr double kHalfTurn_rad = std::numbers::pi;

/// An angle in (-pi/2, pi/2]: half a turn changes nothing for jaws that are alike.
double half_turn_angle(double angle_rad) {
  return angle_rad - kHalfTurn_rad * std::ceil(angle_rad / kHalfTurn_rad - 0.5);
}

WeightedPose before_jaws(WeightedPose one, const Squeeze& squeeze) {
  one.pose = before_jaws(one.pose, squeeze);
  return one;
}

/// Joins poses that are equal up to rounding: what squeezes have brought together stays so.
PoseCloud joined(PoseCloud cloud) {
  constexpr double kEqual_rad = 1e-4;
  constexpr double kEqual_mm = 1e-2;
  const auto key = [](const WeightedPose& one) {
    return std::tuple(one.lost, one.draw, std::round(one.pose.angle_rad / kEqual_rad),
                      std::round(one.pose.center_mm.x() / kEqual_mm),
                      std::round(one.pose.center_mm.y() / kEqual_mm));
  };
  std::stable_sort(cloud.begin(), cloud.end(),
                   [&](const WeightedPose& a, const WeightedPose& b) { return key(a) < key(b); });
  PoseCloud few;
  for (const WeightedPose& one : cloud) {
    if (!few.empty() && key(few.back()) == key(one)) {
      few.back().weight += one.weight;
    } else {
      few.push_back(one);
    }
  }
  return few;
}

PoseCloud squeezed(const SqueezeMap& map, const PoseCloud& cloud, const Squeeze& squeeze) {
  PoseCloud after;
  after.reserve(cloud.size());
  for (const WeightedPose& one : cloud) {
    after.push_back(map.squeezed(before_jaws(one, squeeze), squeeze));
  }
  return joined(std::move(after));
}

/// The poses of the largest clusters, largest first.
std::vector<LyingPose> cluster_poses(PoseCloud cloud, const SamePose& same, std::size_t most) {
  std::vector<LyingPose> poses;
  while (poses.size() < most) {
    const PoseCluster largest = largest_cluster(cloud, same);
    if (largest.share <= 0.0) break;
    poses.push_back(largest.pose);
    std::erase_if(cloud, [&](const WeightedPose& one) {
      return one.lost || is_same(one.pose, largest.pose, same);
    });
    if (cloud.empty()) break;
  }
  return poses;
}

}  // namespace

struct SequenceSearch::Child {
  std::size_t parent = 0;
  Squeeze squeeze;
  double share = 0.0;
  double spread = 0.0;  ///< of all poses about the largest cluster, rad

  /// Clouds that differ in no digit that counts are one, reached in two ways.
  [[nodiscard]] bool is_like(const Child& other) const {
    return std::abs(share - other.share) < 1e-9 && std::abs(spread - other.spread) < 1e-6;
  }
};

SequenceSearch::SequenceSearch(SqueezeMap& map, PoseCloud start, const SamePose& same,
                               const std::vector<Squeeze>& motions, bool turns_first)
    : map_(map), same_(same), turns_first_(turns_first) {
  for (const Squeeze& motion : motions) motions_.push_back({motion, map.breakpoints(motion)});
  beam_.push_back({{}, std::move(start)});
}

std::vector<double> SequenceSearch::turns_of(const Node& node, const Motion& motion) const {
  if (node.sequence.squeezes.empty() && !turns_first_) return {0.0};
  std::vector<double> turns;
  for (int k = 0; k < kGridTurns; ++k) {
    turns.push_back(half_turn_angle(kHalfTurn_rad * k / kGridTurns));
  }
  if (node.sequence.squeezes.empty()) return turns;
  std::vector<double> changes;
  for (const LyingPose& pose : cluster_poses(node.cloud, same_, kClusters)) {
    for (const double point : motion.breakpoints) {
      changes.push_back(half_turn_angle(pose.angle_rad - point));
    }
  }
  std::sort(changes.begin(), changes.end());
  constexpr double kNarrow_rad = 0.02;
  for (std::size_t k = 0; k + 1 < changes.size(); ++k) {
    if (changes[k + 1] - changes[k] < kNarrow_rad) continue;
    turns.push_back(0.5 * (changes[k] + changes[k + 1]));
  }
  return turns;
}

SqueezeSequence SequenceSearch::squeezes_of(const Node& node) const {
  SqueezeSequence squeezes;
  for (const Motion& motion : motions_) {
    for (const double turn : turns_of(node, motion)) {
      squeezes.push_back(motion.squeeze);
      squeezes.back().turn_rad = turn;
    }
  }
  return squeezes;
}

std::vector<FoundSequence> SequenceSearch::add_squeeze() {
  std::vector<SqueezeSequence> squeezes;
  for (const Node& node : beam_) {
    squeezes.push_back(squeezes_of(node));
    for (const Squeeze& squeeze : squeezes.back()) {
      for (const WeightedPose& one : node.cloud) {
        map_.ask(before_jaws(one, squeeze), squeeze);
      }
    }
  }
  // All branches together, in parallel. From here on the map has every answer.
  map_.simulate_asked();

  std::vector<Child> children;
  for (std::size_t parent = 0; parent < beam_.size(); ++parent) {
    for (const Squeeze& squeeze : squeezes[parent]) {
      check_stop();
      const PoseCloud cloud = squeezed(map_, beam_[parent].cloud, squeeze);
      const PoseCluster largest = largest_cluster(cloud, same_);
      const PoseSpread spread = spread_about(cloud, largest.pose, same_);
      children.push_back({parent, squeeze, largest.share, spread.angle_rad});
    }
  }
  std::stable_sort(children.begin(), children.end(), [](const Child& a, const Child& b) {
    constexpr double kRounding = 1e-9;
    // Rounded: "equal within a tolerance" would be no ordering.
    if (std::round(a.share / kRounding) != std::round(b.share / kRounding)) {
      return a.share > b.share;
    }
    return a.spread < b.spread;
  });
  std::vector<Node> next;
  const Child* last = nullptr;
  for (const Child& child : children) {
    if (last != nullptr && last->is_like(child)) continue;
    last = &child;
    Node node{beam_[child.parent].sequence,
              squeezed(map_, beam_[child.parent].cloud, child.squeeze)};
    node.sequence.squeezes.push_back(child.squeeze);
    node.sequence.share = child.share;
    next.push_back(std::move(node));
    if (next.size() == kBeam) break;
  }
  beam_ = std::move(next);
  std::vector<FoundSequence> best;
  for (const Node& node : beam_) best.push_back(node.sequence);
  return best;
}

}  // namespace graspmap
