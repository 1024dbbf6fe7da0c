#pragma once

#include <vector>

#include "grasp/decide/sequence/squeeze_map.hpp"

namespace graspmap {

/// A sequence of squeezes that was found.
struct FoundSequence {
  SqueezeSequence squeezes;
  double share = 0.0;  ///< of the largest cluster at its end, in the map
};

/// Sequences of one more squeeze, or push, in each call, from a cloud of start poses on.
///
/// A level keeps at most kBeam clouds, those whose largest cluster has the largest share, at equal
/// shares the narrowest. Each is squeezed after turns on a grid and after those in the middle
/// between two at which one of its largest clusters comes to lie at a breakpoint of the map: with
/// them no other turn takes its clusters anywhere else, as the intervals of Goldberg 1993. After
/// each turn it is squeezed at the offsets.
class SequenceSearch {
 public:
  static constexpr std::size_t kBeam = 24;
  static constexpr int kGridTurns = 60;        ///< over half a turn
  static constexpr std::size_t kClusters = 6;  ///< of a cloud, that breakpoints are looked up for

  /// `motions`: the squeezes and pushes that are tried, after any turn. `turns_first`: whether the
  /// first one, too, has a turn before it. The map must live as long.
  SequenceSearch(SqueezeMap& map, PoseCloud start, const SamePose& same,
                 const std::vector<Squeeze>& motions, bool turns_first);

  /// The sequences with one more squeeze, best first. Throws AnalysisStopped.
  std::vector<FoundSequence> add_squeeze();

 private:
  struct Node {
    FoundSequence sequence;
    PoseCloud cloud;
  };
  struct Child;
  /// A squeeze or push that is tried, and where its map breaks.
  struct Motion {
    Squeeze squeeze;
    std::vector<double> breakpoints;
  };
  [[nodiscard]] std::vector<double> turns_of(const Node& node, const Motion& motion) const;
  [[nodiscard]] SqueezeSequence squeezes_of(const Node& node) const;

  SqueezeMap& map_;
  SamePose same_;
  std::vector<Motion> motions_;
  bool turns_first_;
  std::vector<Node> beam_;
};

}  // namespace graspmap
