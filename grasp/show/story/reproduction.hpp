#pragma once

#include <string>
#include <vector>

#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {

/// A stored trial that was run again.
struct Reproduction {
  TrialStory story;                          ///< the trial as it runs now
  std::vector<FieldDifference> differences;  ///< first: stored, second: now

  /// True when every field of the row came out the same, to the last bit.
  [[nodiscard]] bool is_exact() const { return differences.empty(); }
};

/// Runs a stored trial again, from the configuration and its index alone, and compares all fields
/// of its row.
Reproduction reproduce(const SweepConfig& config, const TrialRow& stored);

/// For a person: which fields of a trial differ, with both values, and by which graspmap the trial
/// was stored and run again. Of a trial that was taken over from another store, all those are named
/// that may have computed it. Throws as RunStore.
std::string difference_text(const Reproduction& reproduction, const RunStore& store);

}  // namespace graspmap
