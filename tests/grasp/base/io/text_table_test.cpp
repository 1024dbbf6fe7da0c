#include <catch2/catch.hpp>
#include <stdexcept>

#include "grasp/base/io/printable_text.hpp"

using namespace graspmap;

TEST_CASE("a table is as wide as what it holds", "[text_table]") {
  TextTable table({"what", "n", "share"});
  table.add({"wedged", "1204", "3 %"});
  table.add({"±3 mm", "7", ""});
  CHECK(table.text() ==
        "what       n  share\n"
        "------  ----  -----\n"
        "wedged  1204    3 %\n"
        "±3 mm      7\n");
}

TEST_CASE("a row of another length is a bug", "[text_table]") {
  TextTable table({"a", "b"});
  CHECK_THROWS_AS(table.add({"1"}), std::logic_error);
}
