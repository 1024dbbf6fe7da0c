#include "grasp/sweep/store/store_collector.hpp"

#include <algorithm>

namespace graspmap {
namespace {

constexpr double kBlock_s = 0.5;  ///< what a crash can lose, but for what is being run
constexpr double kWait_s = 0.1;
constexpr auto kFullBlock = static_cast<std::size_t>(kMostBlockTrials);

}  // namespace

void StoreCollector::run() {
  try {
    collect();
  } catch (...) {
    queue_.close();
    throw;
  }
}

void StoreCollector::collect() {
  add_round();
  while (queue_.take(rows_, kFullBlock, kWait_s)) {
    if (is_due()) flush();
    if (awaited_ == 0 && !queue_.exhausted()) add_round();
  }
  flush();
}

/// Gives the queue what is to be run next: all that is missing, or of an adaptive run the next
/// round.
void StoreCollector::add_round() {
  const TrialRanges round =
      totals_.rounds ? totals_.rounds->missing() : missing(store_.stored(), store_.asked());
  awaited_ = count_trials(round);
  queue_.add(round);
  if (!totals_.rounds || totals_.rounds->finished()) queue_.add_no_more();
}

bool StoreCollector::is_due() const {
  if (rows_.empty()) return false;
  return std::ssize(rows_) >= std::min(kMostBlockTrials, awaited_) ||
         std::chrono::duration<double>(Clock::now() - last_flush_).count() >= kBlock_s;
}

void StoreCollector::flush() {
  if (!rows_.empty()) {
    store_.append_blocks(rows_, std::chrono::duration<double>(Clock::now() - start_).count());
  }
  for (const TrialRow& row : rows_) totals_.add(row);
  awaited_ -= std::ssize(rows_);
  rows_.clear();
  last_flush_ = Clock::now();
}

}  // namespace graspmap
