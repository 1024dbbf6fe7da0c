#pragma once

#include <string>
#include <vector>

#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// The features of the part (Part) that the fingers and the palm touch at the end of a trial,
/// ascending.
struct Touches {
  std::vector<int> left;
  std::vector<int> right;
  std::vector<int> palm;

  auto operator<=>(const Touches&) const = default;
};

/// What is touched at the end of each stored trial that has an outcome, in the order of the index;
/// nothing for the others. Found anew from the stored pose of the part and the fingers.
std::vector<Touches> read_touches(const RunStore& store, std::size_t trials, Outcome outcome);

/// The names of the part's features, by their numbers.
std::vector<std::string> feature_names(const SweepConfig& config);

}  // namespace graspmap
