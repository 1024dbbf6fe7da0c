#include "grasp/store_collector.hpp"

#include <algorithm>
#include <span>

namespace graspmap {
namespace {

constexpr double kBlock_s = 0.5;  ///< what a crash can lose, but for what is being run
constexpr double kWait_s = 0.1;
constexpr auto kFullBlock = static_cast<std::size_t>(kMostBlockTrials);

/// The rows at the front that make a block: their indices follow each other.
std::span<const TrialRow> next_block(std::span<const TrialRow> rows) {
  std::size_t n = 1;
  const std::size_t most = std::min(rows.size(), kFullBlock);
  while (n < most && rows[n].index == rows[n - 1].index + 1) ++n;
  return rows.first(n);
}

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
  while (queue_.take(rows_, kFullBlock, kWait_s)) {
    if (is_due()) flush();
  }
  flush();
}

bool StoreCollector::is_due() const {
  return rows_.size() >= kFullBlock ||
         std::chrono::duration<double>(Clock::now() - last_flush_).count() >= kBlock_s;
}

/// Stores all rows: one block, or more where trials in between were there already or the
/// rows are too many for one.
void StoreCollector::flush() {
  std::span<const TrialRow> rest = rows_;
  while (!rest.empty()) {
    const std::span<const TrialRow> block = next_block(rest);
    store_.append(block, std::chrono::duration<double>(Clock::now() - start_).count());
    for (const TrialRow& row : block) totals_.add(row);
    rest = rest.subspan(block.size());
  }
  rows_.clear();
  last_flush_ = Clock::now();
}

}  // namespace graspmap
