#include "grasp/base/io/search_file.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

TEST_CASE("a search's file keeps what is of the same search, and removes what is of another") {
  const testing::TemporaryFolder folder;
  const auto open = [&](const char* search) {
    return SearchFile(folder.path() / "search.sqlite", search,
                      {"kind", "trial", "kind INTEGER NOT NULL, x NOT NULL, PRIMARY KEY (kind)"});
  };
  {
    const SearchFile file = open("a");
    CHECK_FALSE(file.has_replaced());
    CHECK(file.kind_number("first") == 1);
    CHECK(file.kind_number("second") == 2);
    CHECK(file.kind_number("first") == 1);
    file.database().run("INSERT INTO trial VALUES (?, ?)", 1, -0.0);
  }
  {
    const SearchFile file = open("a");
    CHECK_FALSE(file.has_replaced());
    CHECK(file.kind_number("second") == 2);
    CHECK(file.database().integer("SELECT count(*) FROM trial") == 1);
  }
  const SearchFile other = open("b");
  CHECK(other.has_replaced());
  CHECK(other.database().integer("SELECT count(*) FROM trial") == 0);
  CHECK(other.kind_number("second") == 1);
}

}  // namespace
}  // namespace graspmap
