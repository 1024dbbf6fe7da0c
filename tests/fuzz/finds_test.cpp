#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/readers.hpp"

using namespace graspmap::fuzz;
namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

// tests/data/fuzz_finds/READER holds what made a reader crash or hang, or what it wrote differ from
// what it read.
TEST_CASE("what a fuzzer found is read or refused, by every reader", "[fuzz]") {
  const fs::path finds = fs::path(GRASPMAP_SOURCE_DIR) / "tests/data/fuzz_finds";
  int fed = 0;
  for (const Reader& reader : readers()) {
    const fs::path folder = finds / reader.name;
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      INFO(entry.path().string());
      CHECK_NOTHROW(accepts(reader, bytes_of(entry.path())));
      ++fed;
    }
  }
  CHECK(fed > 0);
  for (const auto& entry : fs::directory_iterator(finds)) {
    INFO(entry.path().string() << " is a folder with the name of a reader");
    CHECK(std::any_of(readers().begin(), readers().end(), [&](const Reader& reader) {
      return entry.path().filename() == reader.name;
    }));
  }
}

TEST_CASE("a reader accepts its own files and refuses those of others", "[fuzz]") {
  const std::string sweep = bytes_of(fs::path(GRASPMAP_SOURCE_DIR) / "configs/bolt.toml");
  const std::string drawing = bytes_of(fs::path(GRASPMAP_SOURCE_DIR) / "tests/data/nut_source.svg");
  for (const Reader& reader : readers()) {
    INFO(reader.name);
    CHECK(accepts(reader, sweep) == (std::string(reader.name) == "sweep"));
    CHECK(accepts(reader, drawing) == (std::string(reader.name) == "svg"));
  }
}
