#pragma once

#include <string>
#include <vector>

#include "grasp/sweep/config/success_rule.hpp"

namespace graspmap::testing {

/// The features of all targets, in their order.
inline std::vector<int> features_of(const std::vector<TouchTarget>& targets) {
  std::vector<int> features;
  for (const TouchTarget& target : targets) {
    features.insert(features.end(), target.features.begin(), target.features.end());
  }
  return features;
}

/// One target for each of these superellipses, named "piece_3" or so.
inline std::vector<TouchTarget> pieces(const std::vector<int>& features) {
  std::vector<TouchTarget> targets;
  for (const int feature : features) {
    targets.push_back({"piece_" + std::to_string(feature), {feature}});
  }
  return targets;
}

}  // namespace graspmap::testing
