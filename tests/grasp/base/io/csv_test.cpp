#include "grasp/base/io/csv.hpp"

#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using Fields = std::vector<std::string>;

TEST_CASE("rows know the line on which they start") {
  const CsvTable table = parse_csv("a,b\n1,2\n\n3,\"x\ny\"\n4,5\n", "t.csv");
  CHECK(table.header.fields == Fields{"a", "b"});
  CHECK(table.header.line == 1);
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].line == 2);
  CHECK(table.rows[1].line == 4);
  CHECK(table.rows[1].fields == Fields{"3", "x\ny"});
  CHECK(table.rows[2].line == 6);
}

TEST_CASE("CRLF, a byte order mark and a last line without an end change nothing") {
  const CsvTable table = parse_csv(
      "\xEF\xBB\xBF"
      "a,b\r\n1,2\r\n3,",
      "t.csv");
  CHECK(table.header.fields == Fields{"a", "b"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].fields == Fields{"1", "2"});
  CHECK(table.rows[1].fields == Fields{"3", ""});
}

TEST_CASE("comments before the header, blank lines and blanks around fields change nothing") {
  const CsvTable table = parse_csv(
      "# a remark, with \"a quote\n#\n \t\n a , \"b\" ,c\n\t1 , \"2, 3\" ,#4\n  \n", "t.csv");
  CHECK(table.header.line == 4);
  CHECK(table.header.fields == Fields{"a", "b", "c"});
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].line == 5);
  CHECK(table.rows[0].fields == Fields{"1", "2, 3", "#4"});
}

TEST_CASE("semicolons separate where the header has no comma, and numbers may have one") {
  const CsvTable table = parse_csv("\"x\";word\n-0,5;a,b\n1.5;\"1,5\"\n", "t.csv");
  CHECK(table.header.fields == Fields{"x", "word"});
  CHECK(table.number(table.rows[0], 0) == -0.5);
  CHECK(table.rows[0].fields[1] == "a,b");
  CHECK(table.number(table.rows[1], 0) == 1.5);
  CHECK(table.rows[1].fields[1] == "1,5");
  CHECK(parse_csv("\"a;b\",c\n1,2\n", "t.csv").header.fields == Fields{"a;b", "c"});
}

TEST_CASE("quoted fields hold commas, quotes and line ends") {
  const CsvTable table = parse_csv("a,b,c\n\"x,y\",\"say \"\"hi\"\"\",\"\"\n", "t.csv");
  CHECK(table.rows[0].fields == Fields{"x,y", "say \"hi\"", ""});
}

TEST_CASE("a field that was appended is read back") {
  const std::string field = GENERATE(as<std::string>{}, "plain", "", "a,b", "a\"b", "a\nb",
                                     "a\r\nb", " blank ", "#", "\"\"");
  std::string line;
  append_csv_field(line, field);
  CHECK(parse_csv("h,i\n" + line + ",x\n", "t.csv").rows[0].fields[0] == field);
}

TEST_CASE("what is no table is refused with file and line") {
  CHECK_THROWS_WITH(parse_csv("", "t.csv"), Catch::StartsWith("t.csv:1: "));
  CHECK_THROWS_WITH(parse_csv("\n\n", "t.csv"), Catch::StartsWith("t.csv:1: "));
  CHECK_THROWS_WITH(parse_csv("a,b\n1,2\n1\n", "t.csv"), Catch::StartsWith("t.csv:3: "));
  CHECK_THROWS_WITH(parse_csv("a,b\n1,2,3\n", "t.csv"), Catch::StartsWith("t.csv:2: "));
  CHECK_THROWS_WITH(parse_csv("a\n1\n\"x\ny\n", "t.csv"), Catch::StartsWith("t.csv:3: "));
  CHECK_THROWS_WITH(parse_csv("a\n\"x\"y\n", "t.csv"), Catch::StartsWith("t.csv:2: "));
  CHECK_THROWS_AS(parse_csv("a\n\"x\"y\n", "t.csv"), ConfigError);
}

TEST_CASE("columns are found by name") {
  const CsvTable table = parse_csv("a,b,a\n1,2,3\n", "t.csv");
  CHECK(table.column("b") == 1);
  CHECK_FALSE(table.find_column("c").has_value());
  CHECK_THROWS_WITH(table.column("c"), Catch::StartsWith("t.csv:1: c: missing column"));
  CHECK_THROWS_WITH(table.column("a"), Catch::StartsWith("t.csv:1: a: column named twice"));
}

TEST_CASE("numbers are read whole, with blanks around them") {
  const CsvTable table = parse_csv("x\n-1.5e3\n 2 \n+3\n", "t.csv");
  CHECK(table.number(table.rows[0], 0) == -1500);
  CHECK(table.number(table.rows[1], 0) == 2);
  CHECK(table.integer(table.rows[2], 0) == 3);
}

TEST_CASE("a word for a number is refused with file, line and column") {
  const std::string word = GENERATE(as<std::string>{}, "abc", "1.5mm", "nan", "inf", "-inf",
                                    "1e999", "\"\"", "1 2", "0x10", "+-1", "--1");
  const CsvTable table = parse_csv("x,y\n1,2\n1," + word + "\n", "t.csv");
  CHECK_THROWS_WITH(table.number(table.rows[1], 1), Catch::StartsWith("t.csv:3: y: "));
}

TEST_CASE("a fraction for a whole number is refused") {
  const CsvTable table = parse_csv("n\n1.5\n", "t.csv");
  CHECK_THROWS_WITH(table.integer(table.rows[0], 0), Catch::StartsWith("t.csv:2: n: "));
}

TEST_CASE("a file that is not there, or a folder, is wrong input") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_AS(read_csv(folder.path() / "none.csv"), ConfigError);
  CHECK_THROWS_WITH(read_csv(folder.path()), Catch::Contains("is a folder; give a CSV file"));
  CHECK_THROWS_AS(read_csv(folder.write("empty.csv", "")), ConfigError);
  CHECK(read_csv(folder.write("some.csv", "a\n1\n")).rows.size() == 1);
}

}  // namespace
}  // namespace graspmap
