#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace graspmap {

/// The trials first, first + 1, ..., end - 1 of a sweep.
struct TrialRange {
  std::int64_t first = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t trials() const { return end - first; }
  [[nodiscard]] bool empty() const { return end <= first; }
  friend bool operator==(const TrialRange&, const TrialRange&) = default;
};

/// Ranges in ascending order that neither overlap nor touch.
using TrialRanges = std::vector<TrialRange>;

/// One of `count` parts of a sweep, 1 <= index <= count.
struct Shard {
  int index = 1;
  int count = 1;

  [[nodiscard]] bool is_whole() const { return count == 1; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// The trials of a shard: the shards of a sweep follow each other, and differ by one trial at most.
TrialRange shard_range(std::int64_t trials, Shard shard);

/// The trials of all ranges together.
std::int64_t count_trials(const TrialRanges& ranges);

/// Any ranges in order, those that overlap or touch made one; empty ones are left out.
TrialRanges joined(std::vector<TrialRange> ranges);

/// What `within` has and `ranges` have not.
TrialRanges missing(const TrialRanges& ranges, TrialRange within);

/// "0-99, 250-399" (both ends included), at most `most` ranges, then ", ... (7 more)"; "none".
std::string text(const TrialRanges& ranges, std::size_t most = 5);

}  // namespace graspmap
