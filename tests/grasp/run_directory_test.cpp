#include "grasp/run_directory.hpp"

#include <catch2/catch.hpp>

#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

using testing::Names;
using testing::names_in;

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

const RunFiles kFiles = {"config", "trials", "map", "{\n  \"complete\": true\n}\n"};

TEST_CASE("a run folder tells how far its run came") {
  const testing::TemporaryFolder folder;
  const fs::path run = folder.path() / "outputs" / "x";
  CHECK(run_folder_state(run) == RunFolderState::kEmpty);
  prepare_run_folder(run, false);
  CHECK(run_folder_state(run) == RunFolderState::kEmpty);
  write_run_files(run, kFiles);
  CHECK(run_folder_state(run) == RunFolderState::kFinished);
  CHECK(names_in(run) == Names{"config.toml", "map.csv", "summary.json", "trials.csv"});
  CHECK(testing::file_text(run / "config.toml") == "config");
  CHECK(testing::file_text(run / "trials.csv") == "trials");
  CHECK(testing::file_text(run / "map.csv") == "map");

  RunFiles stopped = kFiles;
  stopped.summary_json = "{\n  \"complete\": false\n}\n";
  write_run_files(run, stopped);
  CHECK(run_folder_state(run) == RunFolderState::kIncomplete);
  fs::remove(run / "summary.json");
  CHECK(run_folder_state(run) == RunFolderState::kUnfinished);
}

TEST_CASE("a folder with a run of any kind is refused, unless it may be overwritten") {
  const testing::TemporaryFolder folder;
  write_run_files(folder.path(), kFiles);
  CHECK_THROWS_WITH(prepare_run_folder(folder.path(), false),
                    Catch::Contains("a finished run") && Catch::Contains("--force"));
  CHECK_NOTHROW(prepare_run_folder(folder.path(), true));
  CHECK(testing::file_text(folder.path() / "trials.csv") == "trials");
  fs::remove(folder.path() / "summary.json");
  CHECK_THROWS_WITH(prepare_run_folder(folder.path(), false), Catch::Contains("an unfinished run"));
  CHECK_THROWS_AS(prepare_run_folder(folder.path(), false), ConfigError);
}

TEST_CASE("other files in the folder are no run and stay") {
  const testing::TemporaryFolder folder;
  static_cast<void>(folder.write("notes.txt", "mine"));
  CHECK_NOTHROW(prepare_run_folder(folder.path(), false));
  CHECK(names_in(folder.path()) == Names{"notes.txt"});
}

TEST_CASE("a folder that cannot be written is found before the run") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.write("file", "");
  CHECK_THROWS_AS(prepare_run_folder(file, false), IoError);
  CHECK_THROWS_AS(prepare_run_folder(file / "below", false), IoError);
  fs::create_directory(folder.path() / "trials.csv");
  CHECK_THROWS_AS(prepare_run_folder(folder.path(), true), IoError);
}

TEST_CASE("when one file cannot be written, the old run stays whole") {
  const testing::TemporaryFolder folder;
  write_run_files(folder.path(), kFiles);
  fs::remove(folder.path() / "map.csv");
  fs::create_directory(folder.path() / "map.csv");
  CHECK_THROWS_AS(write_run_files(folder.path(), {"new", "new", "new", "new"}), IoError);
  CHECK(testing::file_text(folder.path() / "config.toml") == "config");
  CHECK(testing::file_text(folder.path() / "trials.csv") == "trials");
  CHECK(run_folder_state(folder.path()) == RunFolderState::kFinished);
  CHECK(names_in(folder.path()).size() == 4);
}

}  // namespace
}  // namespace graspmap
