#include "grasp/sweep/trials/trial_range.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/assert.hpp"

namespace graspmap {

TrialRange shard_range(std::int64_t trials, Shard shard) {
  GRASPMAP_CHECK(trials >= 0 && shard.index >= 1 && shard.index <= shard.count);
  // trials * k / count without the overflow of the product.
  const auto start = [&](std::int64_t k) {
    return trials / shard.count * k + trials % shard.count * k / shard.count;
  };
  return {start(shard.index - 1), start(shard.index)};
}

std::int64_t count_trials(const TrialRanges& ranges) {
  std::int64_t sum = 0;
  for (const TrialRange& range : ranges) sum += range.trials();
  return sum;
}

TrialRanges joined(std::vector<TrialRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const TrialRange& a, const TrialRange& b) { return a.first < b.first; });
  TrialRanges result;
  for (const TrialRange& range : ranges) {
    if (range.empty()) continue;
    if (!result.empty() && range.first <= result.back().end) {
      result.back().end = std::max(result.back().end, range.end);
    } else {
      result.push_back(range);
    }
  }
  return result;
}

TrialRanges missing(const TrialRanges& ranges, TrialRange within) {
  TrialRanges result;
  std::int64_t next = within.first;
  for (const TrialRange& range : ranges) {
    if (range.end <= next) continue;
    if (range.first >= within.end) break;
    if (range.first > next) result.push_back({next, range.first});
    next = range.end;
  }
  if (next < within.end) result.push_back({next, within.end});
  return result;
}

std::string text(const TrialRanges& ranges, std::size_t most) {
  if (ranges.empty()) return "none";
  std::string list;
  for (std::size_t k = 0; k < std::min(ranges.size(), most); ++k) {
    const TrialRange& range = ranges[k];
    list += k > 0 ? ", " : "";
    list += range.trials() == 1 ? fmt::format("{}", range.first)
                                : fmt::format("{}-{}", range.first, range.end - 1);
  }
  if (ranges.size() > most) list += fmt::format(", ... ({} more)", ranges.size() - most);
  return list;
}

}  // namespace graspmap
