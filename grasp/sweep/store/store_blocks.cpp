#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "geometry/assert.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/store_tables.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

/// A column of integers is declared so. One of doubles has no type: in a column of type REAL,
/// SQLite turns -0.0 into 0.
const char* type_of(const double&) { return ""; }
const char* type_of(const std::int64_t&) { return " INTEGER"; }
const char* type_of(const Outcome&) { return " INTEGER"; }

/// A statement that adds a row of so many values.
std::string insert_statement(const char* table, std::size_t values) {
  std::string text = fmt::format("INSERT INTO {} VALUES (?", table);
  for (std::size_t k = 1; k < values; ++k) text += ", ?";
  return text + ")";
}

}  // namespace

std::string trial_column_definitions() {
  std::string list = "trial INTEGER PRIMARY KEY";
  visit_trial_values(TrialRow{}, [&](const char* name, const auto& value) {
    list += fmt::format(", {}{}", name, type_of(value));
  });
  return list;
}

std::string view_columns() {
  std::string list;
  visit_trial_values(TrialRow{}, [&](const std::string& name, const auto&) {
    list += list.empty() ? "" : ", ";
    list += name == "outcome" ? "outcomes.name AS outcome" : name;
  });
  return list;
}

namespace {

/// More columns than SQLite has in a table are left out.
constexpr std::size_t kMostColumns = 1900;

std::size_t column_count(const UncertainColumns& columns) {
  return std::min(columns.size(), kMostColumns);
}

std::string in_lower_case(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(letter));
  return text;
}

/// The keys as names of columns: SQLite does not distinguish capitals from small letters.
std::string column_names(const UncertainColumns& columns) {
  std::set<std::string> taken;
  std::string text;
  for (std::size_t k = 0; k < column_count(columns); ++k) {
    std::string name = columns.key(k);
    while (!taken.insert(in_lower_case(name)).second) name += " again";
    text += fmt::format(", \"{}\"", name);
  }
  return text;
}

}  // namespace

void create_uncertain_table(const sqlite::Database& database, const SweepConfig& config) {
  const UncertainColumns columns(config);
  if (columns.size() == 0) return;
  database.execute(
      fmt::format("CREATE TABLE uncertain (trial INTEGER PRIMARY KEY{})", column_names(columns)));
}

UncertainInserter::UncertainInserter(const sqlite::Database& database, const SweepConfig& config)
    : columns_(config) {
  if (columns_.size() == 0 || !has_table(database, "uncertain")) return;
  statement_.emplace(database, insert_statement("uncertain", 1 + column_count(columns_)));
}

void UncertainInserter::insert(std::int64_t index) {
  if (!statement_) return;
  statement_->bind(index);
  const std::vector<double> values = columns_.of(index);
  for (std::size_t k = 0; k < column_count(columns_); ++k) statement_->bind(values[k]);
  statement_->run();
}

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
    query.bind(gap.first);
    query.bind(gap.end);
    const bool any = query.step();
    const std::int64_t index = any ? query.next_integer() : 0;
    query.reset();
    // Another process may have added the trial meanwhile, with its block.
    if (any && !block_with(database, asked, index)) {
      throw sqlite::damaged(database.file(), fmt::format("no block has trial {}", index));
    }
  }
}

}  // namespace

TrialRanges ranges_of(const std::vector<StoredBlock>& blocks) {
  TrialRanges ranges;
  for (const StoredBlock& block : blocks) ranges.push_back(block.range);
  return joined(std::move(ranges));
}

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
  query.bind(index);
  if (!query.step()) return std::nullopt;
  return next_block(database, asked, query);
}

std::optional<StoredBlock> block_with(const sqlite::Database& database, TrialRange asked,
                                      std::int64_t index) {
  std::optional<StoredBlock> block = last_block_at(database, asked, index);
  if (block && index < block->range.end) return block;
  return std::nullopt;
}

BlockReader::BlockReader(const sqlite::Database& database, const PlacementSweep& placement)
    : database_(database),
      placement_(placement),
      trials_(database, "SELECT * FROM trials WHERE trial >= ? AND trial < ? ORDER BY trial") {}

std::vector<TrialRow> BlockReader::read(const StoredBlock& block) {
  trials_.reset();
  trials_.bind(block.range.first);
  trials_.bind(block.range.end);
  std::vector<TrialRow> rows;
  rows.reserve(static_cast<std::size_t>(block.range.trials()));
  TrialDigest digest;
  for (std::int64_t index = block.range.first; index < block.range.end; ++index) {
    rows.push_back(next_row(index));
    digest.add(rows.back());
  }
  trials_.reset();
  if (digest.hex() != block.digest) {
    throw sqlite::damaged(database_.file(), fmt::format("trials {} are not as they were stored",
                                                        text({block.range})));
  }
  return rows;
}

TrialRow BlockReader::next_row(std::int64_t index) {
  if (!trials_.step() || trials_.next_integer() != index) {
    throw sqlite::damaged(database_.file(), fmt::format("trial {} is not there", index));
  }
  TrialRow row;
  row.set_cell(cell_of_trial(placement_, index));
  row.index = index;
  visit_trial_values(row, [&](const char*, auto& value) {
    if constexpr (std::is_same_v<decltype(value), Outcome&>) {
      const std::int64_t number = trials_.next_integer();
      if (number < 0 || number >= std::int64_t{kOutcomeCount}) {
        throw sqlite::damaged(database_.file(), fmt::format("there is no outcome {}", number));
      }
      value = static_cast<Outcome>(number);
    } else {
      trials_.read(value);
    }
  });
  return row;
}

BlockInserter::BlockInserter(const sqlite::Database& database, const SweepConfig& config,
                             std::optional<std::int64_t> process)
    : trials_(database, insert_statement("trials", kTrialFields - 2)),  // without its cell
      uncertain_(database, config),
      blocks_(database, "INSERT INTO blocks VALUES (?, ?, ?, ?)"),
      process_(process) {}

void BlockInserter::insert(std::span<const TrialRow> rows) {
  GRASPMAP_CHECK(!rows.empty());
  TrialDigest digest;
  for (const TrialRow& row : rows) {
    trials_.bind(row.index);
    visit_trial_values(row, [&](const char*, const auto& value) { trials_.bind(value); });
    trials_.run();
    uncertain_.insert(row.index);
    digest.add(row);
  }
  blocks_.bind(rows.front().index);
  blocks_.bind(rows.size());
  process_ ? blocks_.bind(*process_) : blocks_.bind_null();
  blocks_.bind(digest.hex());
  blocks_.run();
}

}  // namespace graspmap
