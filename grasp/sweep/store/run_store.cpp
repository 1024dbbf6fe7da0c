#include "grasp/sweep/store/run_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/sqlite.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/store/store_tables.hpp"

namespace graspmap {

namespace fs = std::filesystem;

/// An open store: what RunStore and TrialReader share, and others need not see.
struct RunStore::State {
  sqlite::Database database;
  StoredRun run;
  std::optional<std::int64_t> process;  ///< who adds trials

  /// Puts another configuration in place of the one that was there, in the file too.
  void replace(SweepConfig config);
};

namespace {

/// Throws ConfigError when there is no file: SQLite would only say that it cannot be opened.
void check_is_file(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::exists(status) && !fs::is_directory(status)) return;
  const bool is_folder = fs::is_directory(status);
  throw config_error({file.string()}, "",
                     fmt::format("{}; give the run.sqlite of a run",
                                 is_folder ? "is a folder" : "there is no such file"),
                     is_folder ? FaultKind::kOther : FaultKind::kNoFile);
}

/// Throws std::logic_error when a caller does not keep to what a function allows.
void require(bool condition, const char* rule) {
  if (!condition) throw std::logic_error(fmt::format("run store: {}", rule));
}

/// The rows at the front that make a block: their indices follow each other.
std::span<const TrialRow> next_block(std::span<const TrialRow> rows) {
  std::size_t n = 1;
  const std::size_t most = std::min(rows.size(), static_cast<std::size_t>(kMostBlockTrials));
  while (n < most && rows[n].index == rows[n - 1].index + 1) ++n;
  return rows.first(n);
}

/// Throws when rows, whose indices follow each other, cannot be added as a block.
void check_block(const sqlite::Database& database, const SweepConfig& config, TrialRange asked,
                 std::span<const TrialRow> rows) {
  for (const TrialRow& row : rows) {
    require(row.cell() == cell_of_trial(config.placement, row.index),
            "rows have the cells of their indices");
  }
  const TrialRange range{rows.front().index, rows.back().index + 1};
  require(range.first >= asked.first && range.end <= asked.end, "rows are of trials asked for");
  const std::optional<StoredBlock> last = last_block_at(database, asked, range.end - 1);
  require(!last || last->range.end <= range.first, "rows are of trials that are not stored");
}

}  // namespace

void RunStore::State::replace(SweepConfig config) {
  sqlite::Transaction transaction(database);
  std::string toml = replace_config(database, config);
  transaction.commit();
  run.config = std::move(config);
  run.config_toml = std::move(toml);
}

RunStore::RunStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() = default;

RunStore RunStore::create(const fs::path& file, const SweepConfig& config, Shard shard,
                          int engine) {
  std::error_code error;
  if (fs::exists(file, error)) throw IoError(fmt::format("{}: exists already", file.string()));
  {
    const Unbroken moment;  // SQLite keeps files of its own beside it meanwhile
    TemporaryPath staged(file.parent_path() /
                         fmt::format(".{}.{}.tmp", file.filename().string(), ::getpid()));
    fs::remove(staged.path(), error);  // left over from a process of the same number
    create_store_tables({staged.path(), sqlite::Database::Mode::kCreate}, config, shard, engine);
    fs::rename(staged.path(), file, error);
    if (error) {
      throw IoError(fmt::format("{}: cannot be made: {}", file.string(), error.message()));
    }
    staged.keep();
  }
  return open(file, Access::kWrite);
}

RunStore RunStore::open(const fs::path& file, Access access) {
  check_is_file(file);
  const auto mode =
      access == Access::kWrite ? sqlite::Database::Mode::kReadWrite : sqlite::Database::Mode::kRead;
  sqlite::Database database(file, mode);
  check_store_tables(database);
  StoredRun run = read_run(database);
  return RunStore(
      std::unique_ptr<State>(new State{std::move(database), std::move(run), std::nullopt}));
}

const fs::path& RunStore::file() const { return state_->database.file(); }
const SweepConfig& RunStore::config() const { return state_->run.config; }
const std::string& RunStore::config_toml() const { return state_->run.config_toml; }
Shard RunStore::shard() const { return state_->run.shard; }
int RunStore::engine() const { return read_engine(state_->database); }
TrialRange RunStore::asked() const { return state_->run.asked(); }

std::int64_t RunStore::trials_asked() const {
  return config().adaptive ? config().most_trials() : asked().trials();
}

TrialRanges RunStore::stored() const { return ranges_of(list_blocks(state_->database, asked())); }

std::vector<StoreProcess> RunStore::processes() const { return list_processes(state_->database); }

std::optional<StoreProcess> RunStore::process_of(std::int64_t index) const {
  const auto block = block_with(state_->database, asked(), index);
  if (!block) return std::nullopt;
  return process_of_block(state_->database, block->range.first);
}

std::optional<TrialRow> RunStore::row(std::int64_t index) const {
  const auto block = block_with(state_->database, asked(), index);
  if (!block) {
    static_cast<void>(stored());  // damaged, if the block has been lost
    return std::nullopt;
  }
  const auto rows = BlockReader(state_->database, config().placement).read(*block);
  return rows[static_cast<std::size_t>(index - block->range.first)];
}

void RunStore::for_each(const std::function<void(const TrialRow&)>& visit) const {
  TrialReader reader(*this);
  while (reader.next_index()) visit(reader.next());
}

void RunStore::extend(int trials_per_cell) {
  require(shard().is_whole(), "only a whole sweep is extended");
  require(trials_per_cell >= config().trials_per_cell, "a run does not shrink");
  SweepConfig config = state_->run.config;
  config.trials_per_cell = trials_per_cell;
  state_->replace(std::move(config));
}

void RunStore::set_robot(const std::optional<RobotError>& robot) {
  if (config().robot == robot) return;
  SweepConfig changed = config();
  changed.robot = robot;
  state_->replace(std::move(changed));
}

void RunStore::extend_budget(std::int64_t most_trials) {
  require(config().adaptive && most_trials >= config().adaptive->most_trials,
          "the budget of an adaptive run does not shrink");
  SweepConfig config = state_->run.config;
  config.adaptive->most_trials = most_trials;
  state_->replace(std::move(config));
}

void RunStore::begin_process(const StoreProcess& process) {
  require(process.trials == 0 && process.wall_s == 0, "a process begins without trials");
  sqlite::Transaction transaction(state_->database);
  state_->process = insert_process(state_->database, process);
  transaction.commit();
}

void RunStore::add_past_process(const StoreProcess& process) {
  sqlite::Transaction transaction(state_->database);
  static_cast<void>(insert_process(state_->database, process));
  transaction.commit();
}

void RunStore::append(std::span<const TrialRow> rows, double process_wall_s) {
  require(!rows.empty() && std::ssize(rows) <= kMostBlockTrials, "a block has 1 to 32768 rows");
  require(next_block(rows).size() == rows.size(), "rows have consecutive indices");
  append_blocks(rows, process_wall_s);
}

void RunStore::append_blocks(std::span<const TrialRow> rows, double process_wall_s) {
  const auto trials = static_cast<std::int64_t>(rows.size());
  const sqlite::Database& database = state_->database;
  sqlite::Transaction transaction(database);
  BlockInserter inserter(database, config(), state_->process);
  while (!rows.empty()) {
    const std::span<const TrialRow> block = next_block(rows);
    check_block(database, config(), asked(), block);
    inserter.insert(block);
    rows = rows.subspan(block.size());
  }
  if (state_->process) count_in_process(database, *state_->process, trials, process_wall_s);
  transaction.commit();
}

struct TrialReader::State {
  explicit State(const RunStore::State& store)
      : reader(store.database, store.run.config.placement),
        blocks(list_blocks(store.database, store.run.asked())) {}

  BlockReader reader;
  std::vector<StoredBlock> blocks;
  std::size_t block = 0;       ///< of the next row
  std::vector<TrialRow> rows;  ///< of that block; none before its first row is asked for
  std::size_t row = 0;         ///< the next one
};

TrialReader::TrialReader(const RunStore& store) : state_(std::make_unique<State>(*store.state_)) {}

TrialReader::~TrialReader() = default;
TrialReader::TrialReader(TrialReader&&) noexcept = default;

std::optional<std::int64_t> TrialReader::next_index() const {
  if (state_->block == state_->blocks.size()) return std::nullopt;
  return state_->blocks[state_->block].range.first + static_cast<std::int64_t>(state_->row);
}

TrialRow TrialReader::next() {
  State& state = *state_;
  if (state.block == state.blocks.size()) throw std::logic_error("there is no next trial");
  if (state.rows.empty()) {
    check_stop();
    state.rows = state.reader.read(state.blocks[state.block]);
  }
  const TrialRow row = state.rows[state.row++];
  if (state.row == state.rows.size()) {
    state.rows = {};  // the memory too: others may read many stores at once
    state.row = 0;
    ++state.block;
  }
  return row;
}

}  // namespace graspmap
