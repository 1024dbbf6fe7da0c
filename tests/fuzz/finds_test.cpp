#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "tests/fuzz/readers.hpp"
#include "tests/support/source_dir.hpp"

using namespace graspmap::fuzz;
namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The files in FOLDER/READER for each reader; every folder there must be a reader's.
std::vector<std::pair<Reader, fs::path>> files_of_readers(const std::string& folder) {
  std::vector<std::pair<Reader, fs::path>> found;
  for (const auto& entry :
       fs::directory_iterator(fs::path(graspmap::testing::source_dir()) / folder)) {
    const auto reader = std::find_if(
        readers().begin(), readers().end(),
        [&](const Reader& candidate) { return entry.path().filename() == candidate.name; });
    INFO(entry.path().string() << " must have the name of a reader");
    REQUIRE(reader != readers().end());
    for (const auto& file : fs::directory_iterator(entry)) found.emplace_back(*reader, file.path());
  }
  return found;
}

}  // namespace

// tests/data/fuzz_finds/READER holds what made a reader crash or hang, or what it wrote differ from
// what it read.
TEST_CASE("what a fuzzer found is read or refused, by every reader", "[fuzz]") {
  int fed = 0;
  for (const auto& [reader, file] : files_of_readers("tests/data/fuzz_finds")) {
    INFO(file.string());
    CHECK_NOTHROW(accepts(reader, bytes_of(file)));
    ++fed;
  }
  CHECK(fed > 0);
}

// A fuzzer that begins with what is refused finds little.
TEST_CASE("the seeds of the fuzzer are accepted, except those that say so", "[fuzz]") {
  int fed = 0;
  for (const auto& [reader, file] : files_of_readers("tests/fuzz/corpus")) {
    INFO(file.string());
    CHECK(accepts(reader, bytes_of(file)) == !file.filename().string().starts_with("refused"));
    ++fed;
  }
  CHECK(fed >= 10);
}

TEST_CASE("a reader accepts its own files and refuses those of others", "[fuzz]") {
  const std::string sweep =
      bytes_of(fs::path(graspmap::testing::source_dir()) / "configs/bolt.toml");
  const std::string drawing =
      bytes_of(fs::path(graspmap::testing::source_dir()) / "tests/data/nut_source.svg");
  for (const Reader& reader : readers()) {
    INFO(reader.name);
    CHECK(accepts(reader, sweep) == (std::string(reader.name) == "sweep"));
    CHECK(accepts(reader, drawing) == (std::string(reader.name) == "svg"));
  }
}
