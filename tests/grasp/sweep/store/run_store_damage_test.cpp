#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <random>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

/// What becomes of stores that are no stores, damaged, or left in the middle of a write.

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using testing::all_rows;
using testing::file_text;
using testing::TemporaryFolder;

/// 25 cells, 8 trials each.
SweepConfig spoiled_config() {
  return testing::small_lock_piece_sweep({"sweep.trials_per_cell=8"});
}

/// A store with all its trials, and the means to spoil it.
class Spoiled {
 public:
  Spoiled() { testing::made_up_store(file_, spoiled_config(), {{0, 100}, {100, 200}}); }

  [[nodiscard]] const fs::path& file() const { return file_; }
  void sql(const std::string& statement) const {
    sqlite::Database(file_, sqlite::Database::Mode::kReadWrite).execute(statement);
  }
  void write(const std::string& bytes) const { std::ofstream(file_, std::ios::binary) << bytes; }
  /// The error of opening it, or of reading it through.
  [[nodiscard]] std::string error() const {
    try {
      static_cast<void>(all_rows(file_));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "none";
  }

 private:
  TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "run.sqlite";
};

void check_error(const Spoiled& store, const std::string& problem, const std::string& remedy) {
  const std::string error = store.error();
  CHECK_THAT(error, Catch::StartsWith(store.file().string() + ": ") && Contains(problem) &&
                        Contains(remedy) && !Contains("\n"));
}

TEST_CASE("what is no store is told from one") {
  const Spoiled store;
  SECTION("no file") {
    fs::remove(store.file());
    check_error(store, "there is no such file", "give the run.sqlite");
  }
  SECTION("a folder") {
    fs::remove(store.file());
    fs::create_directory(store.file());
    check_error(store, "is a folder", "give the run.sqlite");
  }
  SECTION("an empty file") {
    store.write("");
    check_error(store, "is not a run store", "give the run.sqlite");
  }
  SECTION("a text") {
    store.write("index,cell_x,cell_y\n" + std::string(2000, '0'));
    check_error(store, "is not a run store", "give the run.sqlite");
  }
  SECTION("another database") {
    store.sql("PRAGMA application_id = 7");
    check_error(store, "is not a run store", "give the run.sqlite");
  }
}

TEST_CASE("a store of another format version says which graspmap reads it") {
  const Spoiled store;
  SECTION("newer") {
    store.sql("PRAGMA user_version = 2");
    check_error(store, "has format version 2", "use a newer graspmap");
  }
  SECTION("older") {
    store.sql("PRAGMA user_version = 0");
    check_error(store, "has format version 0", "use the graspmap that wrote it");
  }
}

TEST_CASE("a store that was tampered with is damaged") {
  const auto [statement, problem] = GENERATE(table<std::string, std::string>({
      {"UPDATE run SET config_toml = replace(config_toml, 'seed = ', 'seed = 1')",
       "the configuration is not as it was stored"},
      {"DELETE FROM run", "table run is empty"},
      {"UPDATE run SET shard_index = 2", "shard 2/1"},
      {"DROP TABLE trials", "no table trials"},
      {"DROP TABLE blocks", "no table blocks"},
      {"ALTER TABLE trials RENAME COLUMN steps TO stride", "table trials has other columns"},
      {"UPDATE trials SET mu_jaw = mu_jaw + 1e-15 WHERE trial = 150", "trials 100-199 are not"},
      {"UPDATE trials SET outcome = outcome + 256 WHERE trial = 150", "no outcome"},
      {"DELETE FROM trials WHERE trial = 150", "trial 150 is not there"},
      {"UPDATE blocks SET digest = 'x' WHERE first_trial = 0", "trials 0-99 are not"},
      {"UPDATE blocks SET trials = 101 WHERE first_trial = 0", "two blocks have trial 100"},
      {"UPDATE blocks SET trials = 101 WHERE first_trial = 100", "a block of 101 trials"},
      {"UPDATE blocks SET trials = 1000000000000 WHERE first_trial = 0", "a block of"},
  }));
  CAPTURE(statement);
  const Spoiled store;
  store.sql(statement);
  check_error(store, problem, "simulate the sweep again");
  CHECK_THAT(store.error(), Contains("is damaged"));
}

TEST_CASE("a damaged block spoils its own trials only") {
  const Spoiled spoiled;
  spoiled.sql("UPDATE trials SET x_mm = 0 WHERE trial = 150");
  const RunStore store = RunStore::open(spoiled.file(), RunStore::Access::kRead);
  CHECK(store.row(99));
  CHECK_THROWS_AS(store.row(100), ConfigError);
  CHECK(store.stored() == TrialRanges{{0, 200}});
}

TEST_CASE("trials that no block lists are not overwritten") {
  const Spoiled spoiled;
  spoiled.sql("DELETE FROM blocks WHERE first_trial = 100");
  RunStore store = RunStore::open(spoiled.file(), RunStore::Access::kWrite);
  CHECK_THROWS_AS(store.append(testing::made_up_rows(spoiled_config(), {100, 150}), 1),
                  ConfigError);
}

TEST_CASE("a truncated store is damaged") {
  const Spoiled store;
  const std::string bytes = file_text(store.file());
  for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{20000}}) {
    CAPTURE(size);
    store.write(bytes.substr(0, size));
    CHECK_THAT(store.error(), Contains("is damaged"));
  }
}

TEST_CASE("a store with changed bytes gives its own trials or an error") {
  const Spoiled store;
  const std::string bytes = file_text(store.file());
  const std::vector<TrialRow> rows = all_rows(store.file());
  std::mt19937 random(1);
  int errors = 0;
  for (int k = 0; k < 300; ++k) {
    std::string changed = bytes;
    // The first page holds what matters most.
    const std::size_t reach = k % 2 == 0 ? 4000 : bytes.size();
    const std::size_t at = random() % reach;
    changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1 + random() % 255));
    store.write(changed);
    CAPTURE(at);
    try {
      const auto found = all_rows(store.file());
      CHECK(std::equal(found.begin(), found.end(), rows.begin(), rows.end(), identical));
    } catch (const ConfigError&) {
      ++errors;
    }
  }
  CHECK(errors > 20);
}

/// Begins to change a store, so that half of it is on the disk, and dies.
void die_while_writing(const fs::path& file) {
  const pid_t child = fork();
  if (child == 0) {
    const sqlite::Database database(file, sqlite::Database::Mode::kReadWrite);
    database.execute(
        "PRAGMA cache_size = 1; BEGIN; UPDATE trials SET x_mm = 0; UPDATE blocks SET digest = ''; "
        "DELETE FROM run");
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(status == 0);
}

TEST_CASE("whoever opens a store next undoes what a killed process left half-done") {
  const auto access = GENERATE(RunStore::Access::kRead, RunStore::Access::kWrite);
  const Spoiled spoiled;
  const fs::path journal = spoiled.file().string() + "-journal";
  const std::string before = file_text(spoiled.file());
  const std::vector<TrialRow> rows = all_rows(spoiled.file());
  die_while_writing(spoiled.file());
  REQUIRE(fs::exists(journal));
  REQUIRE(file_text(spoiled.file()) != before);
  const auto found = all_rows(RunStore::open(spoiled.file(), access));
  CHECK(std::equal(found.begin(), found.end(), rows.begin(), rows.end(), identical));
  CHECK_FALSE(fs::exists(journal));
}

}  // namespace
}  // namespace graspmap
