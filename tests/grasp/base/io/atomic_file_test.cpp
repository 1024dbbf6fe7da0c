#include "grasp/base/io/atomic_file.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <future>

#include "tests/support/file_size_limit.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// Pieces that fit into a buffer, and one that does not, each of another letter.
std::vector<std::string> pieces() {
  std::vector<std::string> pieces;
  for (const int size : {1, 700'000, 700'000, 3'000'000, 0, 17}) {
    pieces.emplace_back(static_cast<std::size_t>(size), static_cast<char>('a' + pieces.size()));
  }
  return pieces;
}

std::string whole() {
  std::string text;
  for (const std::string& piece : pieces()) text += piece;
  return text;
}

TEST_CASE("a file written in pieces shows when it is committed, and whole") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.write("a.txt", "old");
  AtomicWriter writer(file);
  for (const std::string& piece : pieces()) writer.write(piece);
  writer.sync();
  CHECK(testing::file_text(file) == "old");
  writer.commit();
  CHECK((testing::file_text(file) == whole()));
  CHECK(testing::names_in(folder.path()) == testing::Names{"a.txt"});
}

TEST_CASE("a file written in pieces without a commit leaves nothing") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "a.txt";
  {
    AtomicWriter writer(file);
    for (const std::string& piece : pieces()) writer.write(piece);
    CHECK_FALSE(fs::exists(file));
  }
  CHECK(testing::names_in(folder.path()).empty());
}

TEST_CASE("a committed file without pieces is an empty one") {
  const testing::TemporaryFolder folder;
  AtomicWriter(folder.path() / "a.txt").commit();
  CHECK(testing::file_text(folder.path() / "a.txt").empty());
}

TEST_CASE("a full disk is told while a file is written, not at its end, and leaves nothing") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "a.txt";
  {
    const testing::FileSizeLimit limit(100'000);
    AtomicWriter writer(file);
    CHECK_THROWS_WITH(writer.write(std::string(3'000'000, 'x')),
                      Catch::Contains("a.txt: cannot be written: File too large"));
  }
  CHECK(testing::names_in(folder.path()).empty());
  AtomicWriter full("/dev/full");
  CHECK_THROWS_WITH(full.write(std::string(3'000'000, 'x')),
                    Catch::Contains("/dev/full: cannot be written: No space left"));
}

TEST_CASE("a full disk is told at the end when the last piece does not fit") {
  const testing::TemporaryFolder folder;
  {
    const testing::FileSizeLimit limit(1000);
    AtomicWriter writer(folder.path() / "a.txt");
    writer.write(std::string(2000, 'x'));
    CHECK_THROWS_WITH(writer.commit(), Catch::Contains("a.txt") && Catch::Contains("too large"));
  }
  CHECK(testing::names_in(folder.path()).empty());
}

TEST_CASE("a pipe is written as it is, and stays a pipe") {
  const testing::TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  check_writable(pipe);
  auto reader = std::async(std::launch::async, [&] { return testing::file_text(pipe); });
  AtomicWriter writer(pipe);
  for (const std::string& piece : pieces()) writer.write(piece);
  writer.commit();
  CHECK((reader.get() == whole()));
  CHECK(fs::is_fifo(pipe));
  CHECK(testing::names_in(folder.path()) == testing::Names{"pipe"});
}

TEST_CASE("a name that is staged is refused where a file can replace nothing") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_WITH(StagedName("/dev/null"), Catch::Contains("must be a regular file"));
  CHECK_THROWS_WITH(StagedName(folder.path()), Catch::Contains("directory"));
}

}  // namespace
}  // namespace graspmap
