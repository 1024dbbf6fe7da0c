#include "grasp/sweep/store/run_directory.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <optional>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

using testing::Names;
using testing::names_in;

TEST_CASE("titles name the folder of a run that has another name") {
  CHECK(run_title("lock_piece", "outputs/lock_piece/run.sqlite") == "lock_piece");
  CHECK(run_title("lock_piece", "outputs/strong/run.sqlite") == "lock_piece (strong)");
  CHECK(run_title("lock_piece", "") == "lock_piece");
}

TEST_CASE("a file is written whole and replaces the old one, and nothing else is left") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "a.txt";
  write_file_atomically(file, "one");
  CHECK(testing::file_text(file) == "one");
  write_file_atomically(file, std::string(1 << 20, 'x'));
  CHECK(testing::file_text(file) == std::string(1 << 20, 'x'));
  CHECK(names_in(folder.path()) == Names{"a.txt"});
}

TEST_CASE("a staged file shows under its name only when it is committed") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.write("a.txt", "old");
  {
    const StagedFile dropped(file, "new");
    CHECK(testing::file_text(file) == "old");
  }
  CHECK(testing::file_text(file) == "old");
  CHECK(names_in(folder.path()) == Names{"a.txt"});
  StagedFile kept(file, "new");
  kept.commit();
  CHECK(testing::file_text(file) == "new");
}

TEST_CASE("a link is followed, not replaced") {
  const testing::TemporaryFolder folder;
  const fs::path target = folder.write("target.txt", "old");
  fs::create_symlink(target, folder.path() / "link.txt");
  write_file_atomically(folder.path() / "link.txt", "new");
  CHECK(fs::is_symlink(folder.path() / "link.txt"));
  CHECK(testing::file_text(target) == "new");
}

TEST_CASE("what cannot be written is an IoError that names file and reason") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.write("file", "");
  CHECK_THROWS_AS(write_file_atomically(file / "below.txt", "x"), IoError);
  CHECK_THROWS_WITH(write_file_atomically(folder.path() / "none" / "a.txt", "x"),
                    Catch::Contains("a.txt") && Catch::Contains("No such file"));
  CHECK_THROWS_WITH(write_file_atomically(folder.path(), "x"), Catch::Contains("directory"));
  CHECK_THROWS_AS(check_writable(file / "below.txt"), IoError);
}

TEST_CASE("a device is written as it is, and a full one is an IoError") {
  CHECK_NOTHROW(write_file_atomically("/dev/null", "x"));
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_WITH(write_file_atomically("/dev/full", "x"), Catch::Contains("No space left"));
  CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("checking leaves no trace") {
  const testing::TemporaryFolder folder;
  check_writable(folder.path() / "a.txt");
  CHECK(names_in(folder.path()).empty());
}

const RunFiles kFiles = {"config", "map", "summary"};

TEST_CASE("a run folder tells whether there is a run") {
  const testing::TemporaryFolder folder;
  const fs::path run = folder.path() / "outputs" / "x";
  CHECK(run_folder_state(run) == RunFolderState::kEmpty);
  create_run_folder(run);
  CHECK(run_folder_state(run) == RunFolderState::kEmpty);
  CHECK(names_in(run).empty());
  write_run_files(run, kFiles);
  CHECK(run_folder_state(run) == RunFolderState::kRemains);
  write_file_atomically(run / "run.sqlite", "store");
  CHECK(run_folder_state(run) == RunFolderState::kStored);
}

TEST_CASE("a run's small files are written together") {
  const testing::TemporaryFolder folder;
  write_run_files(folder.path(), kFiles);
  CHECK(names_in(folder.path()) == Names{"config.toml", "map.csv", "summary.json"});
  CHECK(testing::file_text(folder.path() / "config.toml") == "config");
  CHECK(testing::file_text(folder.path() / "map.csv") == "map");
  CHECK(testing::file_text(folder.path() / "summary.json") == "summary");
}

TEST_CASE("a run is removed with all its files, and others stay") {
  const testing::TemporaryFolder folder;
  write_run_files(folder.path(), kFiles);
  for (const char* file : {"run.sqlite", "run.sqlite-journal", "trials.csv", "notes.txt"}) {
    static_cast<void>(folder.write(file, "x"));
  }
  CHECK_NOTHROW(create_run_folder(folder.path()));
  CHECK(names_in(folder.path()).size() == 7);
  remove_run(folder.path());
  CHECK(names_in(folder.path()) == Names{"notes.txt"});
  CHECK(run_folder_state(folder.path()) == RunFolderState::kEmpty);
}

TEST_CASE("a store is found by its folder or its name") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_WITH(store_file(folder.path()), Catch::Contains("has no run.sqlite"));
  CHECK_THROWS_AS(store_file(folder.path() / "none"), ConfigError);
  const fs::path store = folder.write("run.sqlite", "x");
  CHECK(store_file(folder.path()) == store);
  CHECK(store_file(store) == store);
}

TEST_CASE("a folder that cannot be written is found before the run") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.write("file", "");
  CHECK_THROWS_AS(run_folder_state(file), ConfigError);
  CHECK_THROWS_AS(create_run_folder(file / "below"), ConfigError);
  fs::create_directory(folder.path() / "run.sqlite");
  CHECK_THROWS_AS(create_run_folder(folder.path()), IoError);
}

TEST_CASE("when one file cannot be written, the old files stay") {
  const testing::TemporaryFolder folder;
  write_run_files(folder.path(), kFiles);
  fs::remove(folder.path() / "map.csv");
  fs::create_directory(folder.path() / "map.csv");
  CHECK_THROWS_AS(write_run_files(folder.path(), {"new", "new", "new"}), IoError);
  CHECK(testing::file_text(folder.path() / "config.toml") == "config");
  CHECK(testing::file_text(folder.path() / "summary.json") == "summary");
  CHECK(names_in(folder.path()).size() == 3);
}

TEST_CASE("a run is named by its folder, or by the file when that has another name") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.write(run_files::kStore, "");
  CHECK(run_of(store_file(folder.path())) == folder.path());
  CHECK(run_of(store_file(file)) == folder.path());
  CHECK(run_of("a/b.sqlite") == "a/b.sqlite");
  CHECK(run_of("run.sqlite") == "run.sqlite");
}

TEST_CASE("a locked folder is refused with the owner's process id, and free afterwards") {
  const testing::TemporaryFolder folder;
  {
    const RunLock lock(folder.path());
    CHECK(lock.crashed_owner().empty());
    CHECK_THROWS_AS(RunLock(folder.path()), ConfigError);
    CHECK_THROWS_WITH(RunLock(folder.path()),
                      Catch::Contains("process " + std::to_string(::getpid()) + " on host "));
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(RunLock(folder.path()).crashed_owner().empty());
}

TEST_CASE("the lock of a process that was killed is recognised as stale") {
  const testing::TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const RunLock lock(folder.path());
    ::raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(std::filesystem::exists(folder.path() / "run.lock"));
  const RunLock lock(folder.path());
  CHECK_THAT(lock.crashed_owner(),
             Catch::StartsWith("process " + std::to_string(child) + " on host "));
}

TEST_CASE("a folder without room for a lock is an IoError") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_AS(RunLock(folder.path() / "none"), IoError);
}

}  // namespace

}  // namespace graspmap
