#include "grasp/sweep/store/merge_stores.hpp"

#include <fmt/format.h>

#include <memory>
#include <queue>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

/// "steps, end_time_s"
std::string names(const std::vector<FieldDifference>& differences) {
  std::string text;
  for (const FieldDifference& difference : differences) {
    text += (text.empty() ? "" : ", ") + difference.field;
  }
  return text;
}

/// Reads the rows of a shard. The store is open from its first row to its last only: there may be
/// more shards than files that a process may have open.
class ShardReader {
 public:
  /// `shard` must have trials.
  explicit ShardReader(const MergeShard& shard)
      : shard_(shard), next_index_(shard.stored.front().first) {}

  [[nodiscard]] const std::filesystem::path& file() const { return shard_.file; }
  /// The index of the next row; nothing at the end.
  [[nodiscard]] std::optional<std::int64_t> next_index() const { return next_index_; }

  TrialRow next() {
    if (!open_) open();
    const TrialRow row = open_->reader.next();
    next_index_ = open_->reader.next_index();
    if (!next_index_) open_.reset();
    return row;
  }

 private:
  struct OpenStore {
    explicit OpenStore(const std::filesystem::path& file)
        : store(RunStore::open(file, RunStore::Access::kRead)), reader(store) {}

    RunStore store;
    TrialReader reader;
  };

  void open() {
    open_ = std::make_unique<OpenStore>(shard_.file);
    TrialReader& reader = open_->reader;
    // A run that is still going on may have got earlier trials since the plan was made.
    while (reader.next_index() && *reader.next_index() < *next_index_) reader.next();
    if (reader.next_index() != next_index_) {
      throw IoError(fmt::format("{}: was overwritten while it was merged", shard_.file.string()));
    }
  }

  const MergeShard& shard_;
  std::optional<std::int64_t> next_index_;
  std::unique_ptr<OpenStore> open_;
};

/// The shard whose next row has the lowest index comes first.
struct LaterRow {
  bool operator()(const ShardReader* a, const ShardReader* b) const {
    return a->next_index() > b->next_index();
  }
};

/// The rows of all shards in the order of their indices.
class MergedRows {
 public:
  explicit MergedRows(const std::vector<MergeShard>& shards) {
    for (const MergeShard& shard : shards) {
      if (shard.stored.empty()) continue;
      readers_.push_back(std::make_unique<ShardReader>(shard));
      queue_.push(readers_.back().get());
    }
  }

  [[nodiscard]] bool at_end() const { return queue_.empty(); }

  /// The next row, from all shards that have it.
  TrialRow next() {
    const ShardReader& first = *queue_.top();
    const TrialRow row = take();
    while (!queue_.empty() && queue_.top()->next_index() == row.index) {
      const ShardReader& other = *queue_.top();
      check_same(row, first, take(), other);
    }
    return row;
  }

 private:
  TrialRow take() {
    ShardReader* reader = queue_.top();
    queue_.pop();
    const TrialRow row = reader->next();
    if (reader->next_index()) queue_.push(reader);
    return row;
  }

  static void check_same(const TrialRow& a, const ShardReader& shard_a, const TrialRow& b,
                         const ShardReader& shard_b) {
    if (identical(a, b)) return;
    throw ConfigError(fmt::format(
        "{} and {} have different results of trial {}: {}; merge one of them only, or simulate "
        "both with the same graspmap",
        shard_a.file().string(), shard_b.file().string(), a.index, names(different_fields(a, b))));
  }

  std::vector<std::unique_ptr<ShardReader>> readers_;
  std::priority_queue<ShardReader*, std::vector<ShardReader*>, LaterRow> queue_;
};

/// Stores rows in blocks as large as can be.
class BlockWriter {
 public:
  explicit BlockWriter(RunStore& store) : store_(store) {}

  void add(const TrialRow& row) {
    const bool follows = rows_.empty() || row.index == rows_.back().index + 1;
    if (!follows || std::ssize(rows_) == kMostBlockTrials) flush();
    rows_.push_back(row);
  }

  void flush() {
    if (!rows_.empty()) store_.append(rows_, 0);
    rows_.clear();
  }

 private:
  RunStore& store_;
  std::vector<TrialRow> rows_;
};

}  // namespace

void merge_stores(const MergePlan& plan, RunStore& out,
                  const std::function<void(const TrialRow&)>& visit, const std::atomic<int>& stop) {
  for (const StoreSession& session : plan.sessions) out.add_past_session(session);
  MergedRows rows(plan.shards);
  BlockWriter writer(out);
  while (!rows.at_end() && stop == 0) {
    const TrialRow row = rows.next();
    writer.add(row);
    visit(row);
  }
  writer.flush();
}

}  // namespace graspmap
