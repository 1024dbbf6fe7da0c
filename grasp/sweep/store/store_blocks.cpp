#include "grasp/sweep/store/store_blocks.hpp"

#include <fmt/format.h>

#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

/// The block in the row of a query for first_trial, trials, digest. The checks keep what a damaged
/// file asks for within bounds.
StoredBlock next_block(const sqlite::Database& database, TrialRange asked,
                       sqlite::Statement& query) {
  const std::int64_t first = query.next_integer();
  const std::int64_t trials = query.next_integer();
  const bool possible = first >= asked.first && first < asked.end && trials >= 1 &&
                        trials <= kMostBlockTrials && trials <= asked.end - first;
  if (!possible) {
    throw sqlite::damaged(database.file(),
                          fmt::format("it has a block of {} trials from {}", trials, first));
  }
  return {{first, first + trials}, query.next_text()};
}

/// Throws when the file has trials where no block lists any: the block has been lost.
void check_gaps(const sqlite::Database& database, TrialRange asked, const TrialRanges& gaps) {
  sqlite::Statement query(database,
                          "SELECT trial FROM trials WHERE trial >= ? AND trial < ? LIMIT 1");
  for (const TrialRange& gap : gaps) {
    query.bind_integer(gap.first);
    query.bind_integer(gap.end);
    const bool any = query.step();
    const std::int64_t index = any ? query.next_integer() : 0;
    query.reset();
    // Another process may have added the trial meanwhile, with its block.
    if (any && !block_with(database, asked, index)) {
      throw sqlite::damaged(database.file(), fmt::format("no block has trial {}", index));
    }
  }
}

TrialRanges ranges_of(const std::vector<StoredBlock>& blocks) {
  std::vector<TrialRange> ranges;
  for (const StoredBlock& block : blocks) ranges.push_back(block.range);
  return joined(std::move(ranges));
}

}  // namespace

std::vector<StoredBlock> list_blocks(const sqlite::Database& database, TrialRange asked) {
  sqlite::Statement query(database,
                          "SELECT first_trial, trials, digest FROM blocks ORDER BY first_trial");
  std::vector<StoredBlock> blocks;
  std::int64_t end = asked.first;
  while (query.step()) {
    blocks.push_back(next_block(database, asked, query));
    const TrialRange range = blocks.back().range;
    if (range.first < end) {
      throw sqlite::damaged(database.file(), fmt::format("two blocks have trial {}", range.first));
    }
    end = range.end;
  }
  check_gaps(database, asked, missing(ranges_of(blocks), asked));
  return blocks;
}

std::optional<StoredBlock> last_block_at(const sqlite::Database& database, TrialRange asked,
                                         std::int64_t index) {
  sqlite::Statement query(database,
                          "SELECT first_trial, trials, digest FROM blocks WHERE first_trial <= ? "
                          "ORDER BY first_trial DESC LIMIT 1");
  query.bind_integer(index);
  if (!query.step()) return std::nullopt;
  return next_block(database, asked, query);
}

std::optional<StoredBlock> block_with(const sqlite::Database& database, TrialRange asked,
                                      std::int64_t index) {
  std::optional<StoredBlock> block = last_block_at(database, asked, index);
  if (block && index < block->range.end) return block;
  return std::nullopt;
}

std::vector<TrialRow> read_block(const sqlite::Database& database, const PlacementSweep& placement,
                                 const StoredBlock& block) {
  std::vector<TrialRow> rows = select_trials(database, placement, block.range);
  TrialDigest digest;
  for (const TrialRow& row : rows) digest.add(row);
  if (digest.hex() != block.digest) {
    throw sqlite::damaged(
        database.file(), fmt::format("trials {} are not as they were stored", text({block.range})));
  }
  return rows;
}

BlockInserter::BlockInserter(const sqlite::Database& database, const SweepConfig& config,
                             std::optional<std::int64_t> session)
    : trials_(database),
      uncertain_(database, config),
      blocks_(database, "INSERT INTO blocks VALUES (?, ?, ?, ?)"),
      session_(session) {}

void BlockInserter::insert(std::span<const TrialRow> rows) {
  TrialDigest digest;
  for (const TrialRow& row : rows) {
    trials_.insert(row);
    uncertain_.insert(row.index);
    digest.add(row);
  }
  blocks_.bind_integer(rows.front().index);
  blocks_.bind_integer(static_cast<std::int64_t>(rows.size()));
  session_ ? blocks_.bind_integer(*session_) : blocks_.bind_null();
  blocks_.bind_text(digest.hex());
  blocks_.run();
}

}  // namespace graspmap
