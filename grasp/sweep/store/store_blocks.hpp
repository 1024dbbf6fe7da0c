#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/trial_columns.hpp"
#include "grasp/sweep/store/uncertain_table.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

/// The blocks in which a store has its trials: each was added at once, and has a digest of its own.

namespace graspmap {

struct StoredBlock {
  TrialRange range;
  std::string digest;  ///< TrialDigest of its rows
};

/// All blocks in ascending order. Throws ConfigError when they overlap or reach out of `asked`, or
/// when there are trials that none of them lists.
std::vector<StoredBlock> list_blocks(const sqlite::Database& database, TrialRange asked);

/// The last block that begins at `index` or before. Throws ConfigError when it reaches out of
/// `asked`.
std::optional<StoredBlock> last_block_at(const sqlite::Database& database, TrialRange asked,
                                         std::int64_t index);

/// The block that has a trial; nothing when none has. Throws ConfigError when it reaches out of
/// `asked`.
std::optional<StoredBlock> block_with(const sqlite::Database& database, TrialRange asked,
                                      std::int64_t index);

/// The rows of a block. Throws ConfigError when they are not those that were added.
std::vector<TrialRow> read_block(const sqlite::Database& database, const PlacementSweep& placement,
                                 const StoredBlock& block);

/// Adds blocks, inside a transaction of the caller.
class BlockInserter {
 public:
  /// `session`: who adds them, or nothing.
  BlockInserter(const sqlite::Database& database, const SweepConfig& config,
                std::optional<std::int64_t> session);
  /// Adds rows with consecutive indices as a block.
  void insert(std::span<const TrialRow> rows);

 private:
  TrialInserter trials_;
  UncertainInserter uncertain_;
  sqlite::Statement blocks_;
  std::optional<std::int64_t> session_;
};

}  // namespace graspmap
