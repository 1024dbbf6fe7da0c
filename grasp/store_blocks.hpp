#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grasp/sqlite.hpp"
#include "grasp/sweep_config.hpp"
#include "grasp/trial.hpp"
#include "grasp/trial_range.hpp"

/// The blocks in which a store has its trials: each was added at once, and has a digest of its own.

namespace graspmap {

struct StoredBlock {
  TrialRange range;
  std::string digest;  ///< TrialDigest of its rows
};

/// All blocks in ascending order. Throws ConfigError when they overlap or reach out of `asked`.
std::vector<StoredBlock> list_blocks(const sqlite::Database& database, TrialRange asked);

/// The last block that begins at `index` or before. Throws ConfigError when it reaches out of
/// `asked`.
std::optional<StoredBlock> last_block_at(const sqlite::Database& database, TrialRange asked,
                                         std::int64_t index);

/// The rows of a block. Throws ConfigError when they are not those that were added.
std::vector<TrialRow> read_block(const sqlite::Database& database, const PlacementSweep& placement,
                                 const StoredBlock& block);

/// Adds a block of rows with consecutive indices, inside a transaction of the caller. `session`:
/// who added it, or nothing.
void write_block(const sqlite::Database& database, std::span<const TrialRow> rows,
                 std::optional<std::int64_t> session);

}  // namespace graspmap
