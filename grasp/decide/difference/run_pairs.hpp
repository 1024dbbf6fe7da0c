#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grasp/base/probability/paired_difference.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// What a trial is run with, one by one.
inline constexpr std::size_t kTrialInputs = 5;
inline constexpr std::array<const char*, kTrialInputs> kTrialInputNames = {
    "placement x", "placement y", "angle", "friction of the jaws", "friction of the table"};

/// A number that is uncertain in one run, or in both.
struct PairedNumber {
  std::string key;
  bool in_a = false;
  bool in_b = false;
  std::int64_t equal = 0;  ///< in how many pairs it has the same value, if it is in both
};

/// The trials of two runs on the same grid, side by side.
struct RunPairs {
  SuccessMap map_a;  ///< all trials of A
  SuccessMap map_b;
  std::vector<PairTable> cells;  ///< per cell: the trials that both have
  std::int64_t pairs = 0;
  /// In how many pairs an input has the same value, in the order of kTrialInputNames.
  std::array<std::int64_t, kTrialInputs> equal{};
  std::vector<PairedNumber> uncertain;  ///< by key
};

/// Reads two stores in step and pairs their trials by index. Both must have the same grid
/// (std::logic_error).
RunPairs read_pairs(const RunStore& a, const RunStore& b);

}  // namespace graspmap
