#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <optional>
#include <span>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/merge_stores.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/temporary_folder.hpp"

// A store with changed bytes: whoever reads it gets its true content or an error.

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using testing::file_text;
using testing::TemporaryFolder;

constexpr std::size_t kPageBytes = 16384;

/// A sweep of 200 trials.
SweepConfig whole_sweep() { return testing::small_lock_piece_sweep({"sweep.trials_per_cell=8"}); }

/// Its trials, simulated once.
const std::vector<TrialRow>& simulated_rows() {
  static const std::vector<TrialRow> kRows = [] {
    const SweepConfig config = whole_sweep();
    Workspace workspace;
    SimulationResult result;
    std::vector<TrialRow> rows;
    for (std::int64_t k = 0; k < config.trials(); ++k) {
      rows.push_back(run_trial(config, k, workspace, result));
    }
    return rows;
  }();
  return kRows;
}

std::span<const TrialRow> rows_of(std::size_t first, std::size_t end) {
  return std::span(simulated_rows()).subspan(first, end - first);
}

/// A run of 150 trials, six of eight per cell, in two processes and three blocks.
void make_run(const fs::path& folder) {
  const SweepConfig config = testing::small_lock_piece_sweep({"sweep.trials_per_cell=6"});
  RunStore store = RunStore::create(folder / run_files::kStore, config);
  store.begin_process({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
  store.append(rows_of(0, 50), 0.5);
  store.append(rows_of(50, 90), 1.0);
  store.begin_process({"1.2.4", "def", "other", "2026-11-22T08:15:30Z", 2, 4});
  store.append(rows_of(90, 150), 0.75);
}

std::string digest_of(const std::vector<TrialRow>& rows) {
  TrialDigest digest;
  for (const TrialRow& row : rows) digest.add(row);
  return digest.hex();
}

std::string digest_of(const RunStore& store) {
  TrialDigest digest;
  store.for_each([&](const TrialRow& row) { digest.add(row); });
  return digest.hex();
}

/// What `hash`, `export`, `plot` and `summary.json` say.
std::string told_by_files(const fs::path& folder) {
  const RunStore store = RunStore::open(folder / run_files::kStore, RunStore::Access::kRead);
  const RunTotals totals = read_totals(store);
  return digest_of(store) + std::to_string(store.engine()) + store.config_toml() +
         map_csv(totals.map()) +
         json_document(summary_fields(summarize(store, totals), timing(store), "run"));
}

/// What `replay` says: trials by their index, by their cell, and the worst ones.
std::string told_by_replay(const fs::path& folder) {
  const RunStore store = RunStore::open(folder / run_files::kStore, RunStore::Access::kRead);
  std::vector<TrialRow> rows;
  for (const std::int64_t k : {0, 49, 50, 149}) rows.push_back(store.row(k).value());
  rows.push_back(first_trial(store, {CellIndex{2, 3, 0}, std::nullopt}).value());
  for (const TrialRow& row : worst_trials(store, 3)) rows.push_back(row);
  const auto process = store.process_of(100);
  return digest_of(rows) + (process ? process->version + process->git_commit : "none");
}

/// What `merge` makes.
std::string told_by_merge(const fs::path& folder) {
  const TemporaryFolder merged;
  const MergePlan plan = plan_merge({folder / run_files::kStore});
  RunStore out = RunStore::create(merged.path() / run_files::kStore, plan.config);
  const std::atomic<int> stop{0};
  merge_stores(
      plan, out, [](const TrialRow&) {}, stop);
  return told_by_files(merged.path());
}

/// What `run --resume` makes of it: the sweep with eight trials in each cell.
std::string told_by_resume(const fs::path& folder) {
  OpenedRun run = open_run(folder, whole_sweep(), {}, ExistingRun::kResume);
  run.store.begin_process({"1.2.5", "ghi", "host", "2026-11-23T08:15:30Z", 1, 1});
  for (const TrialRange& range : missing(run.store.stored(), run.store.asked())) {
    run.store.append(
        rows_of(static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.end)), 0.25);
  }
  return digest_of(run.store) + told_by_files(folder);
}

struct Reader {
  const char* name;
  std::string (*tell)(const fs::path& folder);
};
constexpr std::array kReaders = {Reader{"files", told_by_files}, Reader{"replay", told_by_replay},
                                 Reader{"merge", told_by_merge}, Reader{"resume", told_by_resume}};

/// How readings of corrupted stores ended.
struct Tally {
  int refused = 0;
  int without_effect = 0;
};

/// Compares what each reader makes of corrupted stores with the truth.
class Corruptions {
 public:
  Corruptions() {
    make_run(folder_.path());
    bytes_ = file_text(file());
    for (const Reader& reader : kReaders) {
      restore(bytes_);
      truths_.push_back(reader.tell(folder_.path()));
    }
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }

  void check(const std::string& changed) {
    for (std::size_t k = 0; k < kReaders.size(); ++k) {
      restore(changed);
      INFO(kReaders[k].name);
      check_reading(k);
    }
  }
  void check_flipped(std::size_t at, char mask) {
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ mask);
    CAPTURE(at / kPageBytes, at % kPageBytes, static_cast<int>(mask));
    check(changed);
  }

 private:
  [[nodiscard]] fs::path file() const { return folder_.path() / run_files::kStore; }

  void restore(const std::string& bytes) const {
    fs::remove(file().string() + "-journal");
    std::ofstream(file(), std::ios::binary) << bytes;
  }

  void check_reading(std::size_t k) {
    try {
      const std::string told = kReaders[k].tell(folder_.path());
      CHECK(told == truths_[k]);
      ++tally_.without_effect;
    } catch (const ConfigError& error) {
      CHECK_THAT(error.what(), Catch::Contains(run_files::kStore) && !Catch::Contains("\n"));
      ++tally_.refused;
    }
  }

  TemporaryFolder folder_;
  std::string bytes_;
  std::vector<std::string> truths_;
  Tally tally_;
};

/// A byte of a page that holds something, the n-th of `count` of them.
std::size_t used_byte(const std::string& bytes, std::size_t page, std::size_t n,
                      std::size_t count) {
  std::vector<std::size_t> used;
  for (std::size_t at = page * kPageBytes; at < (page + 1) * kPageBytes; ++at) {
    if (bytes[at] != 0) used.push_back(at);
  }
  return used[n * used.size() / count];
}

void flip_bytes_of_each_page(Corruptions& corruptions, std::size_t flips) {
  const std::string& bytes = corruptions.bytes();
  for (std::size_t page = 0; page < bytes.size() / kPageBytes; ++page) {
    for (std::size_t n = 0; n < flips; ++n) {
      const char mask = n % 2 == 0 ? '\x01' : '\x55';
      corruptions.check_flipped(used_byte(bytes, page, n, flips), mask);
    }
  }
}

TEST_CASE("a store with a changed byte in a page gives what it had or an error") {
  Corruptions corruptions;
  REQUIRE(corruptions.bytes().size() >= 8 * kPageBytes);
  flip_bytes_of_each_page(corruptions, 2);
  CHECK(corruptions.tally().refused > 20);
}

TEST_CASE("a store that lost its end, or pages, gives what it had or an error") {
  Corruptions corruptions;
  const std::string& bytes = corruptions.bytes();
  for (std::size_t page = 1; page < bytes.size() / kPageBytes; page += 3) {
    CAPTURE(page);
    corruptions.check(bytes.substr(0, page * kPageBytes));
    std::string zeros = bytes;
    zeros.replace(page * kPageBytes, kPageBytes, kPageBytes, '\0');
    corruptions.check(zeros);
  }
  CHECK(corruptions.tally().refused > 10);
}

/// A file of a store and the journal beside it, as a process leaves them that is killed while it
/// writes.
struct HalfWritten {
  std::string store;
  std::string journal;
};

HalfWritten half_written(const fs::path& file) {
  const sqlite::Database database(file, sqlite::Database::Mode::kReadWrite);
  database.execute(
      "PRAGMA cache_size = 1; BEGIN; UPDATE trials SET x_mm = 0; UPDATE blocks SET digest = ''; "
      "UPDATE sessions SET wall_s = 7");
  HalfWritten files{file_text(file), file_text(file.string() + "-journal")};
  database.execute("ROLLBACK");
  return files;
}

/// Reads a store whose journal has changed bytes at some places; returns how many were refused.
int check_changed_journals(std::size_t places) {
  const TemporaryFolder folder;
  make_run(folder.path());
  const fs::path file = folder.path() / run_files::kStore;
  const std::string truth = told_by_files(folder.path());
  const HalfWritten files = half_written(file);
  const auto leave = [&](const std::string& journal) {
    std::ofstream(file, std::ios::binary) << files.store;
    std::ofstream(file.string() + "-journal", std::ios::binary) << journal;
  };
  leave(files.journal);
  CHECK(told_by_files(folder.path()) == truth);
  int refused = 0;
  for (std::size_t n = 0; n < places; ++n) {
    std::string changed = files.journal;
    const std::size_t at = n < 28 ? n : n * changed.size() / places;  // the header has 28 bytes
    changed[at] = static_cast<char>(changed[at] ^ '\x21');
    leave(changed);
    CAPTURE(at);
    try {
      const std::string told = told_by_files(folder.path());
      CHECK(told == truth);
    } catch (const ConfigError&) {
      ++refused;
    }
  }
  return refused;
}

TEST_CASE("a journal with a changed byte brings back what was there, or an error") {
  CHECK(check_changed_journals(40) > 5);
}

TEST_CASE("bytes of a store's pages and journal, many of each", "[.long]") {
  Corruptions corruptions;
  flip_bytes_of_each_page(corruptions, 400);
  const int journals = 2000;
  const int refused = check_changed_journals(journals);
  WARN("readings of changed pages: refused "
       << corruptions.tally().refused << ", without effect " << corruptions.tally().without_effect
       << "; of changed journals: refused " << refused << ", without effect "
       << journals - refused);
}

}  // namespace
}  // namespace graspmap
