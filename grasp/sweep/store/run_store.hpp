#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {

/// The most trials of one block.
inline constexpr std::int64_t kMostBlockTrials = 32768;

/// One process (or MPI job) that added trials to a run: a row of the table `sessions`.
struct StoreProcess {
  std::string version;     ///< of graspmap
  std::string git_commit;  ///< of its source
  std::string host;
  std::string started_utc;  ///< "2026-11-21T08:15:30Z"
  int ranks = 1;
  int threads = 1;  ///< of all ranks together
  std::int64_t trials = 0;
  double wall_s = 0.0;
  std::string probe{};  ///< probe_digest: differs where trials come out with other bits

  friend bool operator==(const StoreProcess&, const StoreProcess&) = default;
};

/// The trials of a run on the disk: run.sqlite, the one place where a run lives; all other files of
/// a run folder can be made from it. Trials are appended in blocks, each call one transaction that
/// is on the disk (fsync) when it returns: whatever ends the process, every block is there wholly
/// or not at all. Other processes may read meanwhile; only one may write
/// (grasp/sweep/store/run_directory.hpp). docs/reference/formats.md describes the tables.
///
/// All functions throw IoError when the machine fails (disk full, not readable, locked for long),
/// ConfigError, naming the file, when it is no store, of another format version, or damaged, and
/// std::logic_error when they are called with what they do not allow. For one thread at a time.
class RunStore {
 public:
  static constexpr int kFormatVersion = 1;
  enum class Access { kRead, kWrite };

  /// Makes a new store without trials. Throws IoError when the file exists. Whatever ends the
  /// process meanwhile, the file is a whole store or not there.
  /// `engine`: whose trials it is for.
  static RunStore create(const std::filesystem::path& file, const SweepConfig& config,
                         Shard shard = {}, int engine = kEngine);
  static RunStore open(const std::filesystem::path& file, Access access);
  RunStore(RunStore&&) noexcept;
  RunStore& operator=(RunStore&&) noexcept;
  ~RunStore();

  [[nodiscard]] const std::filesystem::path& file() const;
  [[nodiscard]] const SweepConfig& config() const;
  [[nodiscard]] const std::string& config_toml() const;  ///< resolved: to_toml(config())
  [[nodiscard]] Shard shard() const;
  /// Whose trials it holds: kEngine, or the number of an earlier one.
  [[nodiscard]] int engine() const;
  /// The trials that the store is for: its shard of all trials of the configuration.
  [[nodiscard]] TrialRange asked() const;
  /// How many of them the run is to have: all, or of an adaptive run the most.
  [[nodiscard]] std::int64_t trials_asked() const;
  /// The trials that are there.
  [[nodiscard]] TrialRanges stored() const;
  /// Those who added trials, in the order of their beginning.
  [[nodiscard]] std::vector<StoreProcess> processes() const;
  /// Who added a trial; nothing when it is not there, or was taken over from another store.
  [[nodiscard]] std::optional<StoreProcess> process_of(std::int64_t index) const;

  /// The row of a trial; nothing when it is not there. Checks the digest of its block.
  [[nodiscard]] std::optional<TrialRow> row(std::int64_t index) const;
  /// Calls `visit` with every row in the order of the index, one block in memory at a time. The
  /// digest of a block is checked before its rows are shown. Between two blocks others may write.
  void for_each(const std::function<void(const TrialRow&)>& visit) const;

  /// From now on the run has `trials_per_cell` trials in each cell, not fewer than before. For the
  /// whole of a sweep only, not for a shard.
  void extend(int trials_per_cell);
  /// From now on an adaptive run may have `most_trials`, not fewer than before.
  void extend_budget(std::int64_t most_trials);
  /// From now on decisions on the run weigh in this error.
  void set_robot(const std::optional<RobotError>& robot);
  /// Begins to add trials: what follows is counted in this process. Its trials and wall_s are 0.
  void begin_process(const StoreProcess& process);
  /// Takes over a process of another store as it is, for merged stores.
  void add_past_process(const StoreProcess& process);
  /// Adds a block: rows with consecutive indices inside asked(), none of them stored yet, at most
  /// kMostBlockTrials. `process_wall_s` is how long the process has lasted. Without a process (in
  /// merged stores) the trials are counted in none.
  void append(std::span<const TrialRow> rows, double process_wall_s);
  /// Adds any number of rows, in any order, as blocks of those whose indices follow each other: all
  /// in one transaction.
  void append_blocks(std::span<const TrialRow> rows, double process_wall_s);

 private:
  struct State;
  explicit RunStore(std::unique_ptr<State> state);
  friend class TrialReader;

  std::unique_ptr<State> state_;
};

/// Reads a store row by row in the order of the index, for those who read several stores at once:
/// the trials that are there when it is made. Holds one block in memory, and none before the first
/// row or between two blocks. Lives no longer than the store.
class TrialReader {
 public:
  explicit TrialReader(const RunStore& store);
  ~TrialReader();
  TrialReader(TrialReader&&) noexcept;

  /// The index of the next row; nothing at the end. Reads no row.
  [[nodiscard]] std::optional<std::int64_t> next_index() const;
  /// The next row; next_index() must not be empty. Throws ConfigError for a damaged block.
  TrialRow next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graspmap
